#include "base/root.h"

#include <float.h>
#include <math.h>

/* Newton's error squares at each step: one that moved x by this much leaves less than 1e-13 behind. */
#define NEWTON_CLOSE 1e-7

/* Halves a bracket in the scale where it is wide: by ratio while the ends differ by more than a factor. */
static double middle(double low, double high)
{
	if (isinf(high))
		return low > 0 ? 2 * low : 1;
	if (low > 0 && high > 4 * low)
		return sqrt(low) * sqrt(high);
	return low + (high - low) / 2;
}

double prn_root_find(prn_root_fn *f, const void *context, double low, double high, double start)
{
	double x = start, moved = INFINITY;

	for (int step = 0; step < PRN_ROOT_STEPS; step++) {
		struct prn_root_sample at = f(context, x);
		double newton = x - at.value / at.slope;

		if (at.value == 0)
			return x;
		if (at.value < 0)
			low = x;
		else
			high = x;
		if (isfinite(high) && high - low <= 4 * DBL_EPSILON * high)
			return x;
		/* NaN and infinite steps fail the first comparison; steps that do not shrink are cut by the second. */
		if (newton > low && newton < high && fabs(newton - x) <= 0.7 * moved) {
			moved = fabs(newton - x);
			x = newton;
			if (moved <= NEWTON_CLOSE * x)
				return x;
		} else {
			x = middle(low, high);
			moved = INFINITY;
		}
	}
	return x;
}

/* False position; an end that stands still twice in a row counts half (Illinois), so that both ends move. */
double prn_root_between(prn_root_value_fn *f, const void *context, double low, double high, double at_low,
                        double at_high, double tolerance)
{
	int side = 0;

	for (int step = 0; step < PRN_ROOT_STEPS && high - low > tolerance; step++) {
		double x = low + (high - low) * at_low / (at_low - at_high), at;

		if (!(x > low && x < high))
			x = low + (high - low) / 2;
		at = f(context, x);
		if (fabs(at) < tolerance)
			return x;
		if (at > 0) {
			low = x;
			at_low = at;
			at_high *= side > 0 ? 0.5 : 1;
			side = 1;
		} else {
			high = x;
			at_high = at;
			at_low *= side < 0 ? 0.5 : 1;
			side = -1;
		}
	}
	return low + (high - low) / 2;
}
