/*
 * A number with the interval that it is known to be in.
 */
#ifndef PERENNIAL_INTERVAL_H
#define PERENNIAL_INTERVAL_H

#ifdef __cplusplus
extern "C" {
#endif

/* A value and its 95 % bootstrap interval; NaN where there is none. */
struct prn_interval {
	double value, low, high;
};

#ifdef __cplusplus
}
#endif

#endif
