/*
 * The posterior of Δ, the mean time between a page's changes: the likelihood of Cho §6.3, with the two
 * pseudo-intervals of GF §4.4 as its prior, over Δ from 0 to a maximum, uniform before.  (It falls like 1/Δ:
 * without a maximum it would not be a distribution.)
 */
#ifndef MODEL_POSTERIOR_H
#define MODEL_POSTERIOR_H

#include "model/likelihood.h"

#define PRN_POSTERIOR_CELLS 128

struct prn_posterior {
	double intervals[PRN_POSTERIOR_CELLS]; /* Δ at the middle of each cell, ascending, evenly spaced in the logarithm */
	double shares[PRN_POSTERIOR_CELLS];    /* probabilities; their sum is 1 */
};

/* changed, unchanged: lengths of the pseudo-intervals, > 0; most: the largest Δ, > 0. */
void prn_posterior_make(struct prn_posterior *posterior, const struct prn_likelihood *likelihood, double changed,
                        double unchanged, double most);

/* Returns the probability that the page changes within t >= 0: the mean of 1 - e^(-t/Δ). */
double prn_posterior_changes(const struct prn_posterior *posterior, double t);

/* Returns the t at which that is probability, which is in (0, 1). */
double prn_posterior_until(const struct prn_posterior *posterior, double probability);

#endif
