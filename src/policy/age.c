/*
 * For users who care how old a copy is, and not for how much of the time or the text it is out of date.  The
 * rate is learned as in cgm, and the period is the one of least mean age for it (Cho §5.5.4): W [t²/2 - (1 -
 * e^(-λt)(1 + λt))/λ²] = T²/2.  So T is the period of a page that changes all the time, in clock units like
 * other thresholds.  No page is given up, however often it changes.
 */
#include "policy/rate.h"

#include <math.h>

static void decide(const void *parameters, const void *state, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct prn_rate_parameters *own = parameters;
	struct prn_curve learned;
	double frequency;

	if (!prn_rate_curve(own, state, &learned)) {
		prn_bounds_decide_curve(&own->bounds, NULL, prn_rate_visits(state), now, decision);
		return;
	}
	frequency = prn_allocate_one(PRN_OBJECTIVE_AGE, learned.rate, now->weight, now->threshold * now->threshold / 2);
	prn_bounds_decide(&own->bounds, frequency > 0 ? 1 / frequency : INFINITY, prn_rate_visits(state), now, decision);
}

static int price(const double *rates, const double *weights, size_t n, double budget, double *dial)
{
	double multiplier;
	int code = prn_rate_multiplier(PRN_OBJECTIVE_AGE, rates, weights, n, budget, &multiplier);

	if (!code)
		*dial = sqrt(2 * multiplier);
	return code;
}

/* For a page that was never seen to change, mle assumes one change in the time it was watched, so no bound is needed. */
static const struct prn_policy_key keys[] = {
	PRN_KEYS_OF_RATE("mle"),
	PRN_KEY_LEARNING(struct prn_rate_parameters, bounds, "none"),
	PRN_KEY_RISK(struct prn_rate_parameters, bounds, "none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_age = {
	PRN_KIND_OF_RATE,
	.info = { .name = "age",
	          .title = "holistic change rate, period of least age",
	          .source = "Cho §5.5.4",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys },
	.parameters_size = sizeof(struct prn_rate_parameters),
	.decide = decide,
	.price = price,
};
