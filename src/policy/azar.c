/*
 * Azar and others: visits at the times of Poisson processes, with the rates that maximise the expected
 * freshness within a budget (AZ; doc/theory.md §11).  All that a page needs to know of the others is the
 * multiplier η of the budget, the value of the last visit.  It is the threshold, as W U(1/f) = T is where
 * visits come at equal intervals.
 */
#include "policy/rate.h"

static void decide(const void *parameters, const void *state, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	prn_rate_decide_at_random(PRN_OBJECTIVE_BINARY, parameters, state, now, decision);
}

static int price(const double *rates, const double *weights, size_t n, double budget, double *dial)
{
	return prn_rate_multiplier(PRN_OBJECTIVE_BINARY, rates, weights, n, budget, dial);
}

/* A page of λ > W/η gets no visits.  The learning bound keeps a page that only seemed so at first from being lost. */
static const struct prn_policy_key keys[] = {
	PRN_KEYS_OF_RATE("mle"),
	PRN_KEY_SEED,
	PRN_KEY_LEARNING(struct prn_rate_parameters, bounds, "2T"),
	PRN_KEY_RISK(struct prn_rate_parameters, bounds, "none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_azar = {
	PRN_KIND_OF_RATE,
	.info = { .name = "azar",
	          .title = "random visits that keep most copies fresh",
	          .source = "AZ",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys,
	          .knows_weights = true,
	          .compared = true },
	.parameters_size = sizeof(struct prn_rate_parameters),
	.decide = decide,
	.price = price,
};
