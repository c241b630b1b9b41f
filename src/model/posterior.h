/*
 * What a page's visits leave probable of Δ, the mean time between its changes: the likelihood of Cho §6.3,
 * with the two pseudo-intervals of GF §4.4 as its prior, over Δ from 0 to a largest one, all alike before.
 * (It falls like 1/Δ: without an end it would be no distribution.)
 */
#ifndef MODEL_POSTERIOR_H
#define MODEL_POSTERIOR_H

#include "model/likelihood.h"

#define PRN_POSTERIOR_CELLS 128

struct prn_posterior {
	double intervals[PRN_POSTERIOR_CELLS]; /* Δ at the middle of each cell, ascending, even in logarithm */
	double shares[PRN_POSTERIOR_CELLS];    /* how probable; their sum is 1 */
};

/* changed, unchanged: lengths of the pseudo-intervals, > 0; most: the largest Δ, > 0. */
void prn_posterior_make(struct prn_posterior *posterior, const struct prn_likelihood *likelihood, double changed,
                        double unchanged, double most);

/* How probable it is that the page changes within t >= 0: the mean of 1 - e^(-t/Δ). */
double prn_posterior_changes(const struct prn_posterior *posterior, double t);

/* The t at which that is probability, which is in (0, 1). */
double prn_posterior_until(const struct prn_posterior *posterior, double probability);

#endif
