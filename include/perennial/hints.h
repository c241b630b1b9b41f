/*
 * Hints: a source (a sitemap, a feed, a webhook, another crawler) says that a page may have changed.  A hint is evidence,
 * not truth (doc/theory.md §15).
 *
 * Of a page whose source tells a share φ of the changes, and tells something η times per clock unit, true or not,
 * n hints in a time t stand for an effective elapsed time x = (1 - φ) t + (φ/η) n, and the page is expected to have
 * diverged by D*(x).  As x jumps at every hint, the threshold rule U(t) = T/W becomes: visit when x reaches the level x*
 * where E∫(D*(x*) - D*(x(t)))⁺ dt = T/W, hints coming at the times of a Poisson process.  Without hints both are the same.
 *
 * Time is in any one unit, the same for rates, curves and thresholds.  Plain numbers: copy them freely.
 */
#ifndef PERENNIAL_HINTS_H
#define PERENNIAL_HINTS_H

#include <stdbool.h>

#include "perennial/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_HOST_SOURCES 8 /* whose hints are heard of one host */

/* The hints of one source for one page.  All zero: there are none. */
struct prn_hints {
	double trust; /* φ in [0, 1] */
	double rate;  /* η, per unit of time */
	double count; /* n >= 0, since the page's last visit */
	double ahead; /* visits that the page has had by hints before their time, in [0, PRN_HINTS_AHEAD_MOST] */
};

/* Whether they count at all: trust > 0, and rate is positive and finite. */
bool prn_hints_count(const struct prn_hints *hints);

/* x for t >= 0; without hints, t. */
double prn_hints_elapsed(const struct prn_hints *hints, double t);

/*
 * M(x), the mean time until the effective time passes x >= 0, when a visit has just been; and ∫0..x M.  M(x) >= x.  To
 * 0.5 %: exact for up to 16 hints' worth of x, its asymptote beyond.
 */
double prn_hints_mean_time(const struct prn_hints *hints, double x);
double prn_hints_mean_area(const struct prn_hints *hints, double x);

/*
 * The level x* for wanted = T/W > 0, on any curve: ∫0..x* D*'(x) M(x) dx = wanted.  INFINITY: never; at most what
 * prn_curve_period finds.  To 1 %.
 */
double prn_hints_level(const struct prn_curve *curve, const struct prn_hints *hints, double wanted);

/*
 * ∫0..x D*'(s) M(s) ds, which is T/W at the level: what U is without hints (prn_curve_utility), and the same where there are
 * none.  x >= 0; to 1 %.
 */
double prn_hints_utility(const struct prn_curve *curve, const struct prn_hints *hints, double x);

/*
 * A source that is trusted and falls silent (a sitemap that is no longer made) must not leave its pages alone for good: for so
 * many periods without hints at most.  Higher bounds bring 1 % at most (doc/theory.md §15).
 */
#define PRN_HINTS_SILENCE_MOST 4

/*
 * Hints move visits, false ones win a page none: each visit that it was due for counts one, each interval that earns a page a
 * visit (prn_policy_earning) counts one back, and where a page is so many ahead it waits for that.  However hints are spaced, a
 * page has at most so many visits more over its life than its policy's periods and the rate of its hints give it
 * (doc/theory.md §15).
 */
#define PRN_HINTS_AHEAD_MOST 3

/*
 * What ahead is after a visit that came an interval >= 0 after the one before, when the page was due or unasked; earning is > 0,
 * perhaps INFINITY; 0: none is counted.
 */
double prn_hints_ahead(double ahead, bool was_due, double interval, double earning);

/* How long after its last visit the page may be visited at the earliest. */
double prn_hints_earliest(const struct prn_hints *hints, double earning);

/*
 * When the level is reached if no more hints come, counted from the last visit: (x* - (φ/η) n) / (1 - φ), at least 0.
 * INFINITY where nothing but hints can reach it.
 */
double prn_hints_timer(const struct prn_hints *hints, double level);

#ifdef __cplusplus
}
#endif

#endif
