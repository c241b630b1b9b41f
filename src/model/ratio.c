/*
 * The share of visits that saw no change is e^(-λI): takes its logarithm, with half a visit added to either
 * side so that it stays finite and its first-order bias in 1/n cancels (Cho §6.4.2).  Irregular visits count as
 * regular ones at their mean interval (ours).
 */
#include "model/confidence.h"
#include "model/estimator_internal.h"

#include <math.h>


static void interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low, double *high)
{
	const struct prn_visit_counts *ratio = state;

	(void)estimator;
	if (ratio->visits > 0)
		prn_confidence_binomial(ratio->changes, ratio->visits, ratio->time / ratio->visits, confidence, low, high);
}

static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct prn_visit_counts *ratio = state;
	double n = ratio->visits;

	(void)estimator;
	return n > 0 ? -log1p(-ratio->changes / (n + 0.5)) * n / ratio->time : 0;
}

static bool valid(const struct prn_estimator *estimator, const void *state)
{
	const struct prn_visit_counts *ratio = state;

	(void)estimator;
	return ratio->changes <= ratio->visits;
}

static const char *const keys[] = { "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_ratio = {
	.info = { "ratio", "from the share of visits without a change; regular visits", "Cho §6.4.2", keys },
	.state_size = prn_visit_counts_size,
	.add = prn_visit_counts_add,
	.rate = rate,
	.fade = prn_visit_counts_fade,
	.interval = interval,
	.valid = valid,
};
