/*
 * A clock that is never set, for durations and deadlines.
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

/* Such a time as a timespec of CLOCK_MONOTONIC (prn_condition_wait_until). */
static inline struct timespec prn_monotonic_timespec(double seconds)
{
	time_t whole = (time_t)seconds;

	return (struct timespec){ whole, (long)(1e9 * (seconds - (double)whole)) };
}

#endif
