/*
 * A clock that is never set: for how long something takes, and for deadlines.
 */
#ifndef BASE_MONOTONIC_H
#define BASE_MONOTONIC_H

#include <time.h>

/* Seconds since some time in the past. */
static inline double prn_monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
