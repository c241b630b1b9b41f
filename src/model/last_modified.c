/*
 * From the time since the last change, which the server tells (Cho §6.5.2): X'/T, where T sums that time at a
 * visit that found a change and the interval at one that did not, and X' is the number of changes less
 * its bias.  A change without its time is taken to be as old as it can be, the whole interval (ours).
 */
#include "model/estimator_internal.h"
#include "model/likelihood.h"

#include <math.h>

struct last_modified {
	double visits, changes, time;
	double first; /* the first interval */
};

static size_t state_size(const struct prn_estimator *estimator)
{
	(void)estimator;
	return sizeof(struct last_modified);
}

static void add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit)
{
	struct last_modified *seen = state;

	(void)estimator;
	if (seen->visits < 1)
		seen->first = visit->interval;
	seen->visits++;
	seen->changes += visit->changed;
	seen->time += visit->changed ? visit->since_modified : visit->interval;
}

/* X' = (X - 1) - X/(n log(1 - X/n)), by its limits at both ends. */
static double unbiased_changes(double x, double n)
{
	if (x <= 0)
		return 0;
	return x < n ? (x - 1) - x / (n * log1p(-x / n)) : n - 1;
}

/* One visit that found a change has X' = 0, which would say that the page never changes: GF's edge instead. */
static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct last_modified *seen = state;

	(void)estimator;
	if (seen->changes <= 0)
		return 0;
	if (seen->visits <= 1)
		return prn_likelihood_edge(1, 0, seen->first);
	return unbiased_changes(seen->changes, seen->visits) / seen->time;
}

static const char *const keys[] = { NULL };

const struct prn_estimator_kind prn_estimator_last_modified = {
	.info = { "last-modified", "from the times since the last change, bias reduced", "Cho §6.5.2", keys },
	.state_size = state_size,
	.add = add,
	.rate = rate,
};
