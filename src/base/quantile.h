/*
 * Quantiles of numbers in memory.
 */
#ifndef BASE_QUANTILE_H
#define BASE_QUANTILE_H

#include <stddef.h>

/* The q-quantile, 0 <= q <= 1, of ascending numbers [count > 0], between the two nearest. */
double prn_quantile(const double *sorted, size_t count, double q);

/*
 * The middle share (0.95, say) of values [count], of which those that are not finite are left out: *low and *high are its
 * ends, untouched when more than 1 - share of the values are left out.  values is used up.
 */
void prn_quantile_middle(double *values, size_t count, double share, double *low, double *high);

#endif
