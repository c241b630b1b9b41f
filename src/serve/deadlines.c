#include "serve/deadlines.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

struct serve_deadline {
	struct serve_deadline *next, **back; /* back: what points here */
	int fd;
	double at; /* monotonic seconds; INFINITY: never */
};

struct serve_deadlines {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t stop;
	struct serve_deadline *first;
	double seconds;
	size_t count;
	bool stopping;
};

static double monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * The connection is shut down and not closed: its owner has the descriptor, reads the end of the stream and closes
 * it.
 */
static void expire_until(struct serve_deadlines *deadlines, double now)
{
	for (struct serve_deadline *deadline = deadlines->first; deadline; deadline = deadline->next)
		if (deadline->at <= now) {
			shutdown(deadline->fd, SHUT_RDWR);
			deadline->at = INFINITY;
		}
}

static void *watch(void *argument)
{
	struct serve_deadlines *deadlines = argument;
	double tick = fmin(deadlines->seconds / 4, 1);

	pthread_mutex_lock(&deadlines->lock);
	while (!deadlines->stopping) {
		double until = monotonic() + tick;
		struct timespec wake = { (time_t)until, (long)(1e9 * (until - floor(until))) };

		pthread_cond_timedwait(&deadlines->stop, &deadlines->lock, &wake);
		expire_until(deadlines, monotonic());
	}
	pthread_mutex_unlock(&deadlines->lock);
	return NULL;
}

int serve_deadlines_open(struct serve_deadlines **out, double seconds, struct prn_error *error)
{
	struct serve_deadlines *deadlines = calloc(1, sizeof *deadlines);
	pthread_condattr_t attributes;

	if (!deadlines)
		return prn_error_memory(error);
	deadlines->seconds = seconds;
	pthread_mutex_init(&deadlines->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&deadlines->stop, &attributes);
	pthread_condattr_destroy(&attributes);
	if (pthread_create(&deadlines->thread, NULL, watch, deadlines)) {
		pthread_cond_destroy(&deadlines->stop);
		pthread_mutex_destroy(&deadlines->lock);
		free(deadlines);
		return prn_error_set(error, PRN_E_MEMORY, "the system gives no thread");
	}
	*out = deadlines;
	return 0;
}

void serve_deadlines_free(struct serve_deadlines *deadlines)
{
	if (!deadlines)
		return;
	pthread_mutex_lock(&deadlines->lock);
	deadlines->stopping = true;
	pthread_cond_signal(&deadlines->stop);
	pthread_mutex_unlock(&deadlines->lock);
	pthread_join(deadlines->thread, NULL);
	pthread_cond_destroy(&deadlines->stop);
	pthread_mutex_destroy(&deadlines->lock);
	free(deadlines);
}

struct serve_deadline *serve_deadlines_add(struct serve_deadlines *deadlines, int fd)
{
	struct serve_deadline *deadline = calloc(1, sizeof *deadline);

	if (!deadline)
		return NULL;
	deadline->fd = fd;
	deadline->at = monotonic() + deadlines->seconds;
	pthread_mutex_lock(&deadlines->lock);
	deadline->next = deadlines->first;
	deadline->back = &deadlines->first;
	if (deadline->next)
		deadline->next->back = &deadline->next;
	deadlines->first = deadline;
	deadlines->count++;
	pthread_mutex_unlock(&deadlines->lock);
	return deadline;
}

void serve_deadlines_remove(struct serve_deadlines *deadlines, struct serve_deadline *deadline)
{
	if (!deadline)
		return;
	pthread_mutex_lock(&deadlines->lock);
	*deadline->back = deadline->next;
	if (deadline->next)
		deadline->next->back = deadline->back;
	deadlines->count--;
	pthread_mutex_unlock(&deadlines->lock);
	free(deadline);
}

static void set(struct serve_deadlines *deadlines, struct serve_deadline *deadline, double at)
{
	if (!deadline)
		return;
	pthread_mutex_lock(&deadlines->lock);
	deadline->at = at;
	pthread_mutex_unlock(&deadlines->lock);
}

void serve_deadline_begin(struct serve_deadlines *deadlines, struct serve_deadline *deadline, uint64_t bytes)
{
	set(deadlines, deadline, monotonic() + deadlines->seconds + (double)bytes / SERVE_SLOWEST);
}

void serve_deadline_extend(struct serve_deadlines *deadlines, struct serve_deadline *deadline, uint64_t bytes)
{
	double latest = monotonic() + deadlines->seconds;

	if (!deadline)
		return;
	pthread_mutex_lock(&deadlines->lock);
	deadline->at = fmin(deadline->at + (double)bytes / SERVE_SLOWEST, latest);
	pthread_mutex_unlock(&deadlines->lock);
}

void serve_deadline_suspend(struct serve_deadlines *deadlines, struct serve_deadline *deadline)
{
	set(deadlines, deadline, INFINITY);
}

void serve_deadlines_expire(struct serve_deadlines *deadlines)
{
	pthread_mutex_lock(&deadlines->lock);
	for (struct serve_deadline *deadline = deadlines->first; deadline; deadline = deadline->next)
		deadline->at = 0;
	expire_until(deadlines, monotonic());
	pthread_mutex_unlock(&deadlines->lock);
}

size_t serve_deadlines_count(struct serve_deadlines *deadlines)
{
	size_t count;

	pthread_mutex_lock(&deadlines->lock);
	count = deadlines->count;
	pthread_mutex_unlock(&deadlines->lock);
	return count;
}
