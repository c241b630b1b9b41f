/*
 * How the drift rates of a corpus's pages are distributed: a gamma distribution, the prior of drift
 * (theory.md 13, in the spirit of GF's pseudo-observations).
 */
#ifndef PERENNIAL_PRIOR_H
#define PERENNIAL_PRIOR_H

#include <stddef.h>

/* Drift rates ~ Gamma(alpha, rate beta): their mean is alpha/beta. */
struct prn_prior {
	double alpha; /* > 0, divergence */
	double beta;  /* > 0, clock units */
};

#define PRN_PRIOR_ALPHA 0.03 /* until a prior is learned (theory.md 13) */
#define PRN_PRIOR_BETA 3.0   /* of the crawl's base intervals */

#define PRN_PRIOR_ALPHA_MIN 1e-3
#define PRN_PRIOR_ALPHA_MAX 1e2

/*
 * Writes the prior that makes a corpus most likely: page i diverged by moved[i] >= 0 in all (the sum of the
 * divergences between consecutive captures) over time[i] > 0 clock units.
 *
 * The likelihood of a page is the gamma mixture of Poisson counts with moved[i] as the count, so that a page
 * which was never seen to change speaks for low rates, in proportion to its time.  It is that of the
 * estimator it serves: s1 = (Σd + α)/(Στ + β) is the mean of the rate given the page.  alpha is kept between
 * PRN_PRIOR_ALPHA_MIN and _MAX, and half a divergence in the whole corpus is assumed where less was seen,
 * so that a corpus of one page, or one where nothing changed, has a prior too.
 *
 * PRN_E_RANGE	n is 0, or a value is not finite or outside the range above; *prior is untouched
 */
int prn_prior_learn(const double *moved, const double *time, size_t n, struct prn_prior *prior);

#endif
