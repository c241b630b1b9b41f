/*
 * Visits every page in proportion to its change rate, whatever its weight: Cho shows this to be worse than
 * uniform for freshness (Cho §5.5), though it comes to mind first.  The scale is the number of changes, by the
 * estimate, that a visit waits for; that of a budget is Σ λ over the budget.
 */
#include "policy/rate.h"

#include <math.h>

static void decide(const void *parameters, const void *state, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct prn_rate_parameters *own = parameters;
	struct prn_curve learned;
	double period = 1;

	if (prn_rate_curve(own, state, &learned))
		period = learned.rate > 0 ? now->threshold / learned.rate : INFINITY;
	prn_bounds_decide(&own->bounds, period, prn_rate_visits(state), now, decision);
}

static int price(const double *rates, const double *weights, size_t n, double budget, double *dial)
{
	double sum = 0;

	(void)weights;
	for (size_t i = 0; i < n; i++)
		sum += rates[i];
	if (!(sum > 0) || !isfinite(sum) || !(budget > 0) || !isfinite(budget))
		return PRN_E_ARGUMENT;
	*dial = sum / budget;
	return 0;
}

static const struct prn_policy_key keys[] = {
	PRN_KEYS_OF_RATE("mle"),
	PRN_KEY_LEARNING(struct prn_rate_parameters, bounds, "none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_proportional = {
	PRN_KIND_OF_RATE,
	.info = { .name = "proportional",
	          .title = "each page as often as it changes, times a factor",
	          .source = "Cho §5.5",
	          .dial = PRN_DIAL_SCALE,
	          .keys = keys,
	          .compared = true },
	.parameters_size = sizeof(struct prn_rate_parameters),
	.decide = decide,
	.price = price,
};
