#include "serve/rate.h"

void serve_rate_init(struct serve_rate *rate)
{
	*rate = (struct serve_rate){ .lock = PTHREAD_MUTEX_INITIALIZER };
}

/*
 * Clears the counts of the seconds since the last one.  Threads that read the clock one after another come in another
 * order: only a clock that was put back by more than a minute clears all.
 */
static void move(struct serve_rate *rate, int64_t now)
{
	int64_t from = rate->second + 1;

	if (now <= rate->second && rate->second - now < SERVE_RATE_SECONDS)
		return;
	if (now < rate->second || now - rate->second > SERVE_RATE_SECONDS)
		from = now - SERVE_RATE_SECONDS + 1;
	for (int64_t second = from; second <= now; second++)
		rate->counts[(uint64_t)second % SERVE_RATE_SECONDS] = 0;
	rate->second = now;
}

void serve_rate_add(struct serve_rate *rate, int64_t now, uint64_t more)
{
	pthread_mutex_lock(&rate->lock);
	move(rate, now);
	rate->counts[(uint64_t)now % SERVE_RATE_SECONDS] += more;
	pthread_mutex_unlock(&rate->lock);
}

uint64_t serve_rate_minute(struct serve_rate *rate, int64_t now)
{
	uint64_t sum = 0;

	pthread_mutex_lock(&rate->lock);
	move(rate, now);
	for (int i = 0; i < SERVE_RATE_SECONDS; i++)
		sum += rate->counts[i];
	pthread_mutex_unlock(&rate->lock);
	return sum;
}
