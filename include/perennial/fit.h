/*
 * Least squares: the curve of the generative model that is closest to observed divergences (OP §4.2).
 *
 * Churn (K = 1) and scroll with K in {2, 4, 8, 16, 32}, each over share g and rate λ (doc/theory.md §5).
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_FIT_H
#define PERENNIAL_FIT_H

#include <stddef.h>

#include "perennial/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One observed divergence, lag > 0 after its base version. */
struct prn_point {
	float lag, divergence;
};

#define PRN_FIT_POINTS 396 /* the most points of one fit */

/* Tables of the curves' shapes, 150 KiB.  Immutable once open: any number of threads may share one. */
struct prn_fit;

/* PRN_E_MEMORY */
int prn_fit_open(struct prn_fit **out);
void prn_fit_free(struct prn_fit *fit);

/*
 * Writes the closest curve and returns the sum of squared differences from it.  Points are in ascending
 * order of lag, no two alike, 1 <= n <= PRN_FIT_POINTS.
 *
 * near may be NULL, or a curve fitted to most of these points before (it may be *curve): the search then begins
 * there, is three times as fast, and falls back on the whole range where that does not enclose a minimum.
 *
 * What few points leave open: one point gives churn whose mean lifetime is the lag (as GF §3.3 where
 * every visit saw a change); points on a line through the origin, a line; points all zero, one of slope 0.  The rate is kept where
 * the points can tell it from its neighbours: from the one that makes the curve straight up to the last lag, to the one that
 * makes it level from the first.
 */
double prn_fit_curve(const struct prn_fit *fit, const struct prn_point *points, size_t n,
                     const struct prn_curve *near, struct prn_curve *curve);

#ifdef __cplusplus
}
#endif

#endif
