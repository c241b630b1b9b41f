/*
 * Maximum likelihood with two pseudo-intervals added, one changed and one unchanged: a prior that dominates on
 * new pages, and gives an estimate for every history (GF §4.4; the default lengths, FGT §4.4).
 */
#include "model/likelihood.h"

static double rate(const struct prn_estimator *estimator, const void *state)
{
	return prn_likelihood_root(state, estimator->prior_changed, estimator->prior_unchanged);
}

static void interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low, double *high)
{
	prn_likelihood_interval(state, estimator->prior_changed, estimator->prior_unchanged, confidence, low, high);
}

static const char *const keys[] = { "prior-changed", "prior-unchanged", "lengths", "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_prior_mle = {
	.info = { "prior-mle", "maximum likelihood with two pseudo-intervals", "GF §4.4", keys },
	.state_size = prn_likelihood_size,
	.add = prn_likelihood_add,
	.rate = rate,
	.fade = prn_likelihood_fade,
	.interval = interval,
	.valid = prn_likelihood_valid,
};
