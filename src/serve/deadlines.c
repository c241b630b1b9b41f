#include "serve/deadlines.h"
#include "base/monotonic.h"
#include "base/parallel.h"
#include "base/portable.h"

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
	bool taking;    /* it sends an answer over TCP, and what the client took is looked at */
	uint64_t taken; /* bytes that the client had taken when it was last looked at */
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

/* Puts the deadline off by what bytes are worth, to at most the whole time from now. */
static void extend(const struct serve_deadlines *deadlines, struct serve_deadline *deadline, uint64_t bytes, double now)
{
	deadline->at = fmin(deadline->at + (double)bytes / SERVE_SLOWEST, now + deadlines->seconds);
}

/* The HTTP library does not tell when a client takes a piece of its answer: the system does. */
static void extend_by_taken(struct serve_deadlines *deadlines, double now)
{
	for (struct serve_deadline *deadline = deadlines->first; deadline; deadline = deadline->next) {
		uint64_t before = deadline->taken;

		if (deadline->taking && prn_bytes_taken(deadline->fd, &deadline->taken))
			extend(deadlines, deadline, deadline->taken - before, now);
	}
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
		struct timespec wake = prn_monotonic_timespec(prn_monotonic() + tick);

		prn_condition_wait_until(&deadlines->stop, &deadlines->lock, &wake);
		extend_by_taken(deadlines, prn_monotonic());
		expire_until(deadlines, prn_monotonic());
	}
	pthread_mutex_unlock(&deadlines->lock);
	return NULL;
}

int serve_deadlines_open(struct serve_deadlines **out, double seconds, struct prn_error *error)
{
	struct serve_deadlines *deadlines = calloc(1, sizeof *deadlines);

	if (!deadlines)
		return prn_error_memory(error);
	deadlines->seconds = seconds;
	pthread_mutex_init(&deadlines->lock, NULL);
	prn_condition_init(&deadlines->stop);
	if (pthread_create(&deadlines->thread, NULL, watch, deadlines)) {
		pthread_cond_destroy(&deadlines->stop);
		pthread_mutex_destroy(&deadlines->lock);
		free(deadlines);
		return prn_thread_refused(error);
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
	deadline->at = prn_monotonic() + deadlines->seconds;
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

void serve_deadline_begin(struct serve_deadlines *deadlines, struct serve_deadline *deadline, uint64_t bytes)
{
	uint64_t taken = 0;
	bool taking;

	if (!deadline)
		return;
	taking = bytes && prn_bytes_taken(deadline->fd, &taken);
	pthread_mutex_lock(&deadlines->lock);
	deadline->taking = taking;
	deadline->taken = taken;
	deadline->at = prn_monotonic() + deadlines->seconds + (taking ? 0 : (double)bytes / SERVE_SLOWEST);
	pthread_mutex_unlock(&deadlines->lock);
}

void serve_deadline_extend(struct serve_deadlines *deadlines, struct serve_deadline *deadline, uint64_t bytes)
{
	if (!deadline)
		return;
	pthread_mutex_lock(&deadlines->lock);
	extend(deadlines, deadline, bytes, prn_monotonic());
	pthread_mutex_unlock(&deadlines->lock);
}

void serve_deadline_suspend(struct serve_deadlines *deadlines, struct serve_deadline *deadline)
{
	if (!deadline)
		return;
	pthread_mutex_lock(&deadlines->lock);
	deadline->taking = false;
	deadline->at = INFINITY;
	pthread_mutex_unlock(&deadlines->lock);
}

void serve_deadlines_expire(struct serve_deadlines *deadlines)
{
	pthread_mutex_lock(&deadlines->lock);
	for (struct serve_deadline *deadline = deadlines->first; deadline; deadline = deadline->next)
		deadline->at = 0;
	expire_until(deadlines, prn_monotonic());
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
