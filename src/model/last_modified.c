/*
 * Estimates from the time since the last change, which the server reports (Cho §6.5.2): X'/T, where T sums that
 * time at visits that found a change and the interval at those that did not, and X' is the number of changes
 * less its bias.  A change without a time is taken to be as old as possible, the whole interval (ours).
 */
#include "model/last_modified.h"

#include "model/confidence.h"
#include "model/likelihood.h"

#include <math.h>

size_t prn_last_modified_size(const struct prn_estimator *estimator)
{
	(void)estimator;
	return sizeof(struct prn_last_modified);
}

void prn_last_modified_add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit)
{
	struct prn_last_modified *seen = state;

	(void)estimator;
	if (!(seen->visits > 0))
		seen->first = visit->interval;
	seen->visits++;
	seen->changes += visit->changed;
	seen->time += visit->changed ? visit->since_modified : visit->interval;
}

void prn_last_modified_fade(const struct prn_estimator *estimator, void *state, double kept)
{
	struct prn_last_modified *seen = state;

	(void)estimator;
	seen->visits *= kept;
	seen->changes *= kept;
	seen->time *= kept;
}

static double log_likelihood(const void *context, double rate)
{
	const struct prn_last_modified *seen = context;

	return (seen->changes > 0 ? seen->changes * log(rate) : 0) - rate * seen->time;
}

void prn_last_modified_interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low,
                                double *high)
{
	const struct prn_last_modified *seen = state;

	(void)estimator;
	if (seen->visits > 0)
		prn_confidence_find(log_likelihood, seen, seen->changes / seen->time, 1 / seen->time,
		                    prn_confidence_z(confidence), low, high);
}

/* For shares below this the first terms of the series are more accurate than the formula, which suffers from rounding. */
#define SMALL_SHARE 1e-5

/*
 * X' = (X - 1) - X/(n log(1 - X/n)), with its limits at both ends: forgetting may leave an X so small that X -
 * 1 has none of its digits.
 */
static double unbiased_changes(double x, double n)
{
	double u = x / n;

	if (x <= 0)
		return 0;
	if (u < SMALL_SHARE)
		return fmax(x - u / 2 - u * u / 12, 0);
	return x < n ? (x - 1) - x / (n * log1p(-u)) : n - 1;
}

/* One visit that found a change has X' = 0, which would mean that the page never changes; GF's edge is used instead. */
static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct prn_last_modified *seen = state;

	(void)estimator;
	if (seen->changes <= 0)
		return 0;
	if (seen->visits <= 1)
		return prn_likelihood_edge(1, 0, seen->first);
	return unbiased_changes(seen->changes, seen->visits) / seen->time;
}

static const char *const keys[] = { "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_last_modified = {
	.info = { "last-modified", "from the times since the last change, bias reduced", "Cho §6.5.2", keys },
	.state_size = prn_last_modified_size,
	.add = prn_last_modified_add,
	.rate = rate,
	.fade = prn_last_modified_fade,
	.interval = prn_last_modified_interval,
};
