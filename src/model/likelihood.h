/*
 * The statistics of a page's visits that the likelihood of λ needs: the sum of the intervals without a change,
 * and the lengths of those with one (Cho §6.3).  All members are double: it is the state of mle and prior-mle.
 */
#ifndef MODEL_LIKELIHOOD_H
#define MODEL_LIKELIHOOD_H

#include "model/estimator_internal.h"
#include "model/lengths.h"

struct prn_likelihood {
	double changes;   /* visits that found a change */
	double unchanged; /* Σ t over the others */
	double shortest;  /* the shortest t of the visits that found a change; 0 without changes */
	double used;      /* of lengths */
	struct prn_length lengths[]; /* [estimator->lengths] of the intervals with a change */
};

size_t prn_likelihood_size(const struct prn_estimator *estimator);

void prn_likelihood_add(const struct prn_estimator *estimator, void *likelihood,
                        const struct prn_estimator_visit *visit);

void prn_likelihood_fade(const struct prn_estimator *estimator, void *likelihood, double kept);

/* As prn_estimator_interval, with the pseudo-intervals where they are > 0. */
void prn_likelihood_interval(const struct prn_likelihood *likelihood, double more_changed, double more_unchanged,
                             double confidence, double *low, double *high);

bool prn_likelihood_valid(const struct prn_estimator *estimator, const void *likelihood);

/*
 * Returns the λ > 0 at which Σ over changed of t/(e^(λt) - 1) = Σ over unchanged of t (Cho eq. 6.3), with one
 * more changed interval and one more unchanged one where these are > 0.  There must be at least one of each
 * kind.
 */
double prn_likelihood_root(const struct prn_likelihood *likelihood, double more_changed, double more_unchanged);

/*
 * Returns the time to add to the unchanged time so that it amounts to half a visit
 * (PRN_ESTIMATOR_UNCHANGED_LEAST) of the mean length of the remembered visits with a change; 0 if it already
 * does.
 */
double prn_likelihood_forgotten(const struct prn_likelihood *likelihood);

/* Returns λ where there is no root: never changed 1/λ = Σ t, always changed 1/λ = the shortest t, no visits 0 (GF §3.3). */
double prn_likelihood_edge(double changes, double unchanged, double shortest);

#endif
