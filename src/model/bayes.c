/*
 * Computes how probable each of a few given rates 1/Δ is by Bayes' rule, from a uniform prior (Cho §6.6).  The
 * state is how far each class's log-likelihood lies below the highest.  The estimate is the mean of 1/Δ (ours).
 */
#include "model/bayes.h"

#include <math.h>

size_t prn_bayes_size(const struct prn_estimator *estimator)
{
	return estimator->class_count * sizeof(double);
}

void prn_bayes_add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit)
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

void prn_bayes_fade(const struct prn_estimator *estimator, void *state, double kept)
{
	double *below = state;

	for (size_t i = 0; i < estimator->class_count; i++)
		below[i] *= kept;
}

size_t prn_bayes_probabilities(const struct prn_estimator *estimator, const void *state, double *each)
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

	prn_bayes_probabilities(estimator, state, each);
	for (size_t i = 0; i < estimator->class_count; i++)
		mean += each[i] / estimator->classes[i];
	return mean;
}

/* The most likely class has 0. */
bool prn_bayes_valid(const struct prn_estimator *estimator, const void *state)
{
	const double *below = state;

	for (size_t i = 0; i < estimator->class_count; i++)
		if (below[i] <= 0)
			return true;
	return false;
}

/* Removes classes from one end as long as they have together no more than the tail. */
static double cut(const struct prn_estimator *estimator, const double *each, double tail, bool lowest)
{
	double edge = lowest ? 0 : INFINITY, passed = 0;

	for (;;) {
		double next = lowest ? INFINITY : 0, share = 0;

		for (size_t i = 0; i < estimator->class_count; i++) {
			double at = 1 / estimator->classes[i];

			if (lowest ? at > edge && at < next : at < edge && at > next)
				next = at;
		}
		for (size_t i = 0; i < estimator->class_count; i++)
			share += fabs(1 / estimator->classes[i] - next) <= 0 ? each[i] : 0;
		edge = next;
		passed += share;
		if (!(passed <= tail) || isinf(edge) || edge <= 0)
			return edge;
	}
}

void prn_bayes_interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low,
                        double *high)
{
	double each[PRN_ESTIMATOR_CLASSES];

	prn_bayes_probabilities(estimator, state, each);
	*low = cut(estimator, each, (1 - confidence) / 2, true);
	*high = cut(estimator, each, (1 - confidence) / 2, false);
	/* At a confidence near 0 both ends pass the middle, which lies between them. */
	if (*low > *high) {
		double swap = *low;

		*low = *high;
		*high = swap;
	}
}

static const char *const keys[] = { "classes", "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_bayes = {
	.info = { "bayes", "the posterior over a few classes of pages", "Cho §6.6", keys },
	.state_size = prn_bayes_size,
	.add = prn_bayes_add,
	.rate = rate,
	.fade = prn_bayes_fade,
	.interval = prn_bayes_interval,
	.valid = prn_bayes_valid,
	.probabilities = prn_bayes_probabilities,
};
