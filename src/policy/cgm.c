/*
 * Cho and Garcia-Molina's holistic policy as OP run it: a visit sees only whether the page changed, and
 * the curve is 1 - e^(-λt) with the estimated λ (theory.md 9; OP §4.2 for the learning phase).
 */
#include "model/estimator.h"
#include "policy/kind.h"

struct state {
	double time; /* of the last visit */
	uint64_t visits;
	double learned[]; /* the estimator's state */
};

static size_t slots(const struct prn_parameters *parameters)
{
	(void)parameters;
	return 1;
}

static size_t state_size(const struct prn_parameters *parameters)
{
	return sizeof(struct state) + prn_estimator_state_size(&parameters->estimator);
}

/* At the first visit only an estimator with a prior has something to say. */
static int curve(const struct prn_policy *policy, const void *bytes, struct prn_curve *out)
{
	const struct state *state = bytes;
	double rate = prn_estimator_rate(&policy->parameters.estimator, state->learned);

	if (state->visits < 2 && rate <= 0)
		return 0;
	*out = prn_curve_churn(1, rate);
	return 1;
}

static void visit(const struct prn_policy *policy, void *bytes, const struct prn_visit *now,
                  struct prn_decision *decision)
{
	struct state *state = bytes;
	struct prn_estimator_visit seen = { now->time - state->time, now->divergence[0] > 0,
		                            now->since_modified };
	struct prn_curve learned;

	if (state->visits)
		prn_estimator_add(&policy->parameters.estimator, state->learned, &seen);
	state->time = now->time;
	state->visits += state->visits < UINT32_MAX;
	prn_policy_apply(policy, curve(policy, state, &learned) ? &learned : NULL, (uint32_t)state->visits, now,
	                 decision);
	decision->keep = 0;
}

/* On seven real corpora l = T and 2T measured alike, 4T and more worse; a fixed l cannot reach low costs. */
static const struct prn_policy_key keys[] = {
	{ "estimator", "mle",
	  "of the change rate: naive, ratio, mle, last-modified, bayes, prior-mle, mm, lln or sa" },
	PRN_KEY_LENGTHS,
	PRN_KEY_CLASSES,
	PRN_KEY_PRIOR_CHANGED,
	PRN_KEY_PRIOR_UNCHANGED,
	PRN_KEY_VISIT_RATE,
	PRN_KEY_DAMPING,
	PRN_KEY_EXPONENT,
	PRN_KEY_LEARNING("2T"),
	PRN_KEY_RISK("none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_cgm = {
	.info = { "cgm", "holistic change rate, optimal period", "Cho ch. 5-6; OP §4.2", PRN_DIAL_THRESHOLD, keys },
	.slots = slots,
	.state_size = state_size,
	.visit = visit,
	.curve = curve,
};
