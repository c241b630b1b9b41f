/*
 * Cho and Garcia-Molina's holistic policy as OP run it: a visit only sees whether the page changed, and the
 * curve is 1 - e^(-λt) with the estimated λ (doc/theory.md §9; OP §4.2 for the learning phase).
 */
#include "policy/rate.h"

static void decide(const void *parameters, const void *state, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct prn_rate_parameters *own = parameters;
	struct prn_curve learned;

	prn_bounds_decide_curve(&own->bounds, prn_rate_curve(own, state, &learned) ? &learned : NULL,
	                        prn_rate_visits(state), now, decision);
}

/* W U(1/f) is the marginal freshness of f visits per unit (doc/theory.md §11). */
/* On seven real corpora l = T and 2T gave the same results, 4T and more worse ones; a fixed l cannot reach low costs. */
static const struct prn_policy_key keys[] = {
	PRN_KEYS_OF_RATE("mle"),
	PRN_KEY_LEARNING(struct prn_rate_parameters, bounds, "2T"),
	PRN_KEY_RISK(struct prn_rate_parameters, bounds, "none"),
	PRN_KEY_HINTS(struct prn_rate_parameters, bounds),
	PRN_KEY_PRICE(struct prn_rate_parameters, bounds),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_cgm = {
	PRN_KIND_OF_RATE,
	.info = { .name = "cgm",
	          .title = "holistic change rate, optimal period",
	          .source = "Cho ch. 5-6; OP §4.2",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys,
	          .knows_weights = true,
	          .compared = true },
	.parameters_size = sizeof(struct prn_rate_parameters),
	.decide = decide,
	.price = prn_rate_price_freshness,
};
