/*
 * LambdaCrawl: visits at the times of Poisson processes, with the rates of least harmonic penalty, 1/1 + 1/2 +
 * … for the changes that the copy misses (KO; doc/theory.md §11).  Every page that changes gets some.  The
 * threshold is the multiplier η of the budget, as in azar.
 */
#include "policy/rate.h"

static void decide(const void *parameters, const void *state, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	prn_rate_decide_at_random(PRN_OBJECTIVE_HARMONIC, parameters, state, now, decision);
}

static int price(const double *rates, const double *weights, size_t n, double budget, double *dial)
{
	return prn_rate_multiplier(PRN_OBJECTIVE_HARMONIC, rates, weights, n, budget, dial);
}

static const struct prn_policy_key keys[] = {
	PRN_KEYS_OF_RATE("mle"),
	PRN_KEY_SEED,
	PRN_KEY_LEARNING(struct prn_rate_parameters, bounds, "2T"),
	PRN_KEY_RISK(struct prn_rate_parameters, bounds, "none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_lambdacrawl = {
	PRN_KIND_OF_RATE,
	.info = { .name = "lambdacrawl",
	          .title = "random visits that miss few changes in a row",
	          .source = "KO",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys,
	          .knows_weights = true,
	          .compared = true },
	.parameters_size = sizeof(struct prn_rate_parameters),
	.decide = decide,
	.price = price,
};
