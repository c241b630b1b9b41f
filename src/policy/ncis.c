/*
 * The greedy rule under noisy change-indicating signals (BF, GREEDY-NCIS), for freshness: a page is fresh or it
 * is not.  BF assume that a page's change rate and the value of its signals are known; here the rate is
 * estimated as in cgm, and trust in the source gives the rest (doc/theory.md §15).
 *
 * The value of a crawl is derived here from their model, by renewal and reward, and tests/ncis.c compares it
 * with random draws of the model.  Only the abstract of the paper was available: its terms, its approximations
 * of the sums, and its rule for late signals may differ.
 */
#include "policy/rate.h"

#include <math.h>

/* No signal is quite certain, and no source reports everything, so the value of a signal stays finite. */
#define FALSE_MIN 1e-3
#define UNSIGNALLED_MIN 1e-3

/*
 * A page that has not changed gives signals at the rate ν of the false ones, any page at γ.  So each signal
 * leaves the page fresh with probability ν/γ, and a time t of unsignalled changes, at rate α, with e^-αt: n
 * signals are worth n β of time, β = -log(ν/γ)/α.  In the terms of hints.h this is another trust φ', with φ'/(γ
 * (1 - φ')) = β, on the curve of rate α/(1 - φ').
 */
static struct prn_curve weigh_signals(double rate, struct prn_hints *hints)
{
	double signalled = fmin(hints->trust, 1 - UNSIGNALLED_MIN) * rate, unsignalled = rate - signalled;
	double false_share = fmax(1 - signalled / hints->rate, FALSE_MIN);
	double worth = -log(false_share) / unsignalled;

	hints->trust = hints->rate * worth / (1 + hints->rate * worth);
	return prn_curve_churn(1, unsignalled / (1 - hints->trust));
}

static void decide(const void *parameters, const void *state, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct prn_rate_parameters *own = parameters;
	struct prn_visit visit = *now;
	struct prn_curve learned;
	bool known = prn_rate_curve(own, state, &learned);

	if (known && prn_hints_count(&now->hints) && learned.rate > 0)
		learned = weigh_signals(learned.rate, &visit.hints);
	prn_bounds_decide_curve(&own->bounds, known ? &learned : NULL, prn_rate_visits(state), &visit, decision);
}

static const struct prn_policy_key keys[] = {
	PRN_KEYS_OF_RATE("mle"),
	PRN_KEY_LEARNING(struct prn_rate_parameters, bounds, "2T"),
	PRN_KEY_RISK(struct prn_rate_parameters, bounds, "none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_ncis = {
	PRN_KIND_OF_RATE,
	.info = { .name = "ncis",
	          .title = "holistic change rate, noisy signals of changes",
	          .source = "BF; Cho ch. 6",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys,
	          .knows_weights = true },
	.parameters_size = sizeof(struct prn_rate_parameters),
	.decide = decide,
	.price = prn_rate_price_freshness,
};
