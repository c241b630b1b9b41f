/*
 * A rate over the last minute: a count for each of the last sixty seconds.
 */
#ifndef SERVE_RATE_H
#define SERVE_RATE_H

#include <pthread.h>
#include <stdint.h>

#define SERVE_RATE_SECONDS 60

/* _init before use; used from any thread. */
struct serve_rate {
	pthread_mutex_t lock;
	uint64_t counts[SERVE_RATE_SECONDS]; /* by second modulo sixty */
	int64_t second;                      /* the last one counted in */
};

void serve_rate_init(struct serve_rate *rate);
void serve_rate_add(struct serve_rate *rate, int64_t now, uint64_t more);

/* Returns the count of the minute before now. */
uint64_t serve_rate_minute(struct serve_rate *rate, int64_t now);

#endif
