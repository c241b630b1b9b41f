/*
 * Times compared, sums of them that do not overflow, and what readers of dates share.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "perennial/error.h"
#include "perennial/time.h"

#include <stdint.h>

/* A time some seconds after another, or before it; at most the last time there is, and never PRN_TIME_UNKNOWN. */
static inline int64_t prn_time_after(int64_t time, double seconds)
{
	double sum = (double)time + seconds;

	/* INT64_MAX has no exact double, so the limit is a double safely below it. */
	return sum >= 9.2e18 ? INT64_MAX : sum <= -9.2e18 ? INT64_MIN + 1 : time + (int64_t)seconds;
}

/* Gives a time that was read: PRN_E_INPUT where a zone, or a leap second, leads out of the years that texts can say. */
static inline int prn_time_take(int64_t read, int64_t *time)
{
	if (read < PRN_TIME_FIRST || read > PRN_TIME_LAST)
		return PRN_E_INPUT;
	*time = read;
	return 0;
}

/* The month, 1 to 12, whose English name a text begins with, by at least its first three letters in any case; 0: none. */
int prn_month_named(const char *name);

/* The later of two times; PRN_TIME_UNKNOWN is before all. */
static inline int64_t prn_time_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

#endif
