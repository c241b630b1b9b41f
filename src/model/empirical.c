/*
 * The posterior mean of Δ, the mean time between changes, where the prior is how Δ is distributed over the pages of a
 * corpus (GF §4.3): its quantiles are the classes, all alike at first.  The rate is one over that mean.
 */
#include "model/bayes.h"

static double rate(const struct prn_estimator *estimator, const void *state)
{
	double each[PRN_ESTIMATOR_CLASSES], mean = 0;

	prn_bayes_probabilities(estimator, state, each);
	for (size_t i = 0; i < estimator->class_count; i++)
		mean += each[i] * estimator->classes[i];
	return 1 / mean;
}

static const char *const keys[] = { "classes", "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_empirical = {
	.info = { "empirical", "the posterior mean of Δ, a corpus's quantiles being its classes", "GF §4.3", keys },
	.state_size = prn_bayes_size,
	.add = prn_bayes_add,
	.rate = rate,
	.fade = prn_bayes_fade,
	.interval = prn_bayes_interval,
	.valid = prn_bayes_valid,
	.probabilities = prn_bayes_probabilities,
};
