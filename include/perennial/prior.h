/*
 * How the drift rates of a corpus's pages are distributed: a gamma distribution, the prior of drift
 * (doc/theory.md §13, in the spirit of GF's pseudo-observations).
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_PRIOR_H
#define PERENNIAL_PRIOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Drift rates ~ Gamma(alpha, rate beta): their mean is alpha/beta. */
struct prn_prior {
	double alpha; /* > 0, divergence */
	double beta;  /* > 0, clock units */
};

/* How a page moved over its captures: what a prior is learned from. */
struct prn_drifted {
	double moved;   /* >= 0: the sum of the divergences between consecutive captures */
	double changes; /* how many of them are not 0; at least moved, for none is above 1 */
	double time;    /* > 0, clock units: the sum of the intervals */
};

/*
 * Writes the prior that makes a corpus of n > 0 pages most likely.
 *
 * The likelihood of a page is the gamma mixture of Poisson counts, so that a page which was never seen to
 * change speaks for low rates in proportion to its time: the mean of its rate, given the page, is the
 * estimate that the prior serves, s1 = (Σd + α)/(Στ + β).  Counts of what: of changes of the corpus's mean size,
 * Σ moved / Σ changes.  A corpus that moves by little steps shows its rates sooner than one that moves by leaps, and
 * needs less of a prior.
 *
 * Where the corpus says little (one page, nothing changed, all alike) the prior stays weak: half a divergence
 * in the whole corpus is assumed where less was seen, and the number of changes that a prior is worth has
 * itself an exponential prior of mean 1, which a few dozen pages outweigh.
 *
 * PRN_E_ARGUMENT	n is 0, or a value is not finite or outside its range; *prior is untouched
 */
int prn_prior_learn(const struct prn_drifted *pages, size_t n, struct prn_prior *prior);

#ifdef __cplusplus
}
#endif

#endif
