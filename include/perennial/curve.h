/*
 * A divergence curve D*(t): what share of a page's fragments is expected to differ t after a refresh.
 *
 * One region of the generative model (OP §3.3, doc/theory.md §3), or the limit of a scroll region as K grows
 * with g λ / K fixed: a straight line (doc/theory.md §13).  Plain numbers: copy it freely.  Time is in any one
 * unit, the same for rate, slope, t and the threshold (divergence x that unit).
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_CURVE_H
#define PERENNIAL_CURVE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_CURVE_ITEMS 1024 /* the largest K */

enum prn_curve_form {
	PRN_CURVE_SCROLL, /* share g, rate λ, items K; K = 1 is churn */
	PRN_CURVE_LINE,   /* D* = slope t, not capped at 1 */
};

struct prn_curve {
	enum prn_curve_form form;
	uint32_t items; /* K >= 1 */
	double share;   /* g in [0, 1] */
	double rate;    /* λ >= 0, updates per unit of time */
	double slope;   /* >= 0, divergence per unit of time */
};

/* K = 1: D*(t) = a (1 - e^(-λt)) with a = 2g/(1+g); the holistic model is g = 1 (OP appendix A). */
struct prn_curve prn_curve_churn(double share, double rate);
struct prn_curve prn_curve_scroll(double share, double rate, uint32_t items);
struct prn_curve prn_curve_line(double slope);

/* D*(t), ∫0..t D*, and U(t) = t D*(t) - ∫0..t D* for t >= 0, each by its closed form (doc/theory.md §3). */
double prn_curve_divergence(const struct prn_curve *curve, double t);
double prn_curve_integral(const struct prn_curve *curve, double t);
double prn_curve_utility(const struct prn_curve *curve, double t);

/* U(∞): what no refresh of this page can exceed; INFINITY for a line with slope > 0. */
double prn_curve_utility_limit(const struct prn_curve *curve);

/*
 * Writes to *period the time after a refresh at which weight · U(t) reaches threshold (OP eq. 4), found
 * by a safeguarded Newton iteration on U (U' = t D*').  *period is INFINITY when U never gets there: the
 * page's content is too short-lived to be worth a refresh at this threshold.
 *
 * PRN_E_ARGUMENT	weight or threshold is not a positive finite number
 */
int prn_curve_period(const struct prn_curve *curve, double weight, double threshold, double *period);

#ifdef __cplusplus
}
#endif

#endif
