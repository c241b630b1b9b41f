/*
 * Ford, Grimes and Tassone: the interval of least cost, where a page costs C_s for each unit of time that its
 * copy is stale and C_c for each crawl; the rate is learned with two pseudo-intervals as prior.  They want
 * Pr[stale for longer than s] bounded too, but give no formula: ours is in doc/theory.md §9.  C_s is the page's
 * weight, C_c the threshold.
 */
#include "policy/rate.h"

#include "model/posterior.h"

#include <math.h>

/*
 * The longest wait after which the page is stale for longer than s with a probability of at most ε, by all
 * that is known.
 */
static double longest_wait(const struct prn_parameters *parameters, const struct prn_rate_state *state)
{
	struct prn_posterior posterior;

	prn_posterior_make(&posterior, (const struct prn_likelihood *)state->learned,
	                   parameters->estimator.prior_changed, parameters->estimator.prior_unchanged,
	                   parameters->most);
	return parameters->very_stale + prn_posterior_until(&posterior, parameters->epsilon);
}

/* e^r = (1 + r) / (1 - C_c/(C_s Δ)), r = t/Δ, is U(t) = C_c/C_s on the holistic curve. */
static void decide(const struct prn_policy *policy, const void *state, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct prn_parameters *parameters = &policy->parameters;
	struct prn_curve learned;
	double period;

	prn_rate_curve(policy, state, &learned); /* the prior has one from the first visit on */
	if (prn_curve_period(&learned, now->weight, now->threshold, &period))
		period = INFINITY;
	if (isfinite(parameters->very_stale))
		period = fmin(period, longest_wait(parameters, state));
	prn_policy_bound(policy, period, prn_rate_visits(state), now, decision);
}

static int price(const double *rates, const double *weights, size_t n, double budget, double *dial)
{
	return prn_rate_multiplier(PRN_OBJECTIVE_FRESHNESS, rates, weights, n, budget, dial);
}

static const struct prn_policy_key keys[] = {
	{ "very-stale", "optimum", "s: longer is very stale; \"optimum\": as long as the period, so no bound" },
	{ "epsilon", "0.05", "how probable that may be, ε" },
	{ "most", "1000", "the largest mean time between changes held possible, for ε" },
	PRN_KEY_PRIOR_CHANGED,
	PRN_KEY_PRIOR_UNCHANGED,
	PRN_KEY_LENGTHS,
	PRN_KEY_LEARNING("2T"),
	PRN_KEY_RISK("none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_fgt = {
	.info = { "fgt", "least cost of crawls and stale time, with a prior", "FGT; GF §4.4", PRN_DIAL_THRESHOLD, keys },
	.slots = prn_rate_slots,
	.state_size = prn_rate_state_size,
	.visit = prn_rate_visit,
	.decide = decide,
	.pack = prn_rate_pack,
	.curve = prn_rate_curve,
	.price = price,
	.estimator = "prior-mle",
};
