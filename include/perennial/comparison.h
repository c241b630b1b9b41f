/*
 * An evaluation read off: policies at equal cost, or at equal staleness, with bootstrap intervals.
 */
#ifndef PERENNIAL_COMPARISON_H
#define PERENNIAL_COMPARISON_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/evaluation.h"
#include "perennial/interval.h"
#include "perennial/score.h"

#ifdef __cplusplus
extern "C" {
#endif

enum prn_axis {
	PRN_AXIS_COST,      /* the metric at given costs */
	PRN_AXIS_STALENESS, /* cost at given values of the metric */
};

#define PRN_NO_REFERENCE PRN_NO_SWEEP

struct prn_comparison {
	enum prn_axis axis;
	enum prn_window window;
	enum prn_metric metric; /* of the axis that is not cost */
	const double *targets; /* [target_count] values on the axis */
	size_t target_count;
	size_t reference; /* the sweep that ratios are to, or PRN_NO_REFERENCE */
	uint64_t seed;
	size_t resamples; /* 0: no intervals */
	size_t threads;   /* 0: all processors */
};

struct prn_compared {
	struct prn_interval value; /* on the other axis */
	struct prn_interval ratio; /* value / the reference's value, resampled together */
};

/*
 * Reads every sweep off at every target: compared[sweep * target_count + target].
 *
 * The points of a sweep are ordered by their setting; neighbours that are out of order on the axis (a larger threshold that
 * does not cost less, or is not staler) are pooled into their mean until none is, and the value is read off the line between
 * the two points that enclose the target.  value is NaN when no two do: the policy cannot be tuned there.  Intervals are the
 * 2.5 and 97.5 % quantiles over resamples of clusters, the same resamples for every sweep; NaN when more than 5 % of the
 * resamples cannot be tuned there either.
 *
 * PRN_E_ARGUMENT	an axis, a window or a metric that there is not; a reference that is no sweep; a target that is no number
 * PRN_E_MEMORY
 */
int prn_evaluation_compare(const struct prn_evaluation *evaluation, const struct prn_comparison *comparison,
                           struct prn_compared *compared);

#ifdef __cplusplus
}
#endif

#endif
