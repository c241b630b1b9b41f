/*
 * How probable each of a few given rates 1/Δ is by Bayes' rule, all alike at first (Cho §6.6).  The state is
 * how far each class's log-likelihood lies below the highest.  The one rate is the mean of 1/Δ (ours).
 */
#include "model/estimator_internal.h"

#include <math.h>

static size_t state_size(const struct prn_estimator *estimator)
{
	return estimator->class_count * sizeof(double);
}

static void add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit)
{
	double *below = state, least = INFINITY;

	for (size_t i = 0; i < estimator->class_count; i++) {
		double r = visit->interval / estimator->classes[i];

		below[i] += visit->changed ? -log(-expm1(-r)) : r;
		least = fmin(least, below[i]);
	}
	for (size_t i = 0; i < estimator->class_count; i++)
		below[i] -= least;
}

static size_t probabilities(const struct prn_estimator *estimator, const void *state, double *each)
{
	const double *below = state;
	double sum = 0;

	for (size_t i = 0; i < estimator->class_count; i++)
		sum += exp(-below[i]);
	for (size_t i = 0; i < estimator->class_count; i++)
		each[i] = exp(-below[i]) / sum;
	return estimator->class_count;
}

static double rate(const struct prn_estimator *estimator, const void *state)
{
	double each[PRN_ESTIMATOR_CLASSES], mean = 0;

	probabilities(estimator, state, each);
	for (size_t i = 0; i < estimator->class_count; i++)
		mean += each[i] / estimator->classes[i];
	return mean;
}

/* The likeliest class has 0. */
static bool valid(const struct prn_estimator *estimator, const void *state)
{
	const double *below = state;

	for (size_t i = 0; i < estimator->class_count; i++)
		if (below[i] <= 0)
			return true;
	return false;
}

static const char *const keys[] = { "classes", NULL };

const struct prn_estimator_kind prn_estimator_bayes = {
	.info = { "bayes", "the posterior over a few classes of pages", "Cho §6.6", keys },
	.state_size = state_size,
	.add = add,
	.rate = rate,
	.valid = valid,
	.probabilities = probabilities,
};
