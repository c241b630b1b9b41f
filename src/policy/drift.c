/*
 * Drift, our own policy (theory.md 13): a straight line, its slope the lasting divergence per time,
 * shrunk to the page's whole divergence per time, and that to the corpus.
 */
#include "policy/kind.h"

#include <math.h>
#include <stdbool.h>

/* Outside any clock; keeps every sum finite. */
#define INTERVAL_MAX 1e100

struct state {
	double time;                        /* of the last visit */
	double moved, moved_time;           /* Σd, Στ */
	double lasting, lasting_time;       /* Σe, Στ' */
	double last;                        /* d of the last visit */
	uint64_t visits;
};

static size_t slots(const struct prn_parameters *parameters)
{
	(void)parameters;
	return 2;
}

static size_t state_size(const struct prn_parameters *parameters)
{
	(void)parameters;
	return sizeof(struct state);
}

static double slope(const struct prn_parameters *parameters, const struct state *state)
{
	double pull = parameters->kappa * parameters->beta;
	double all = (state->moved + parameters->alpha) / (state->moved_time + parameters->beta);
	double lasting = (fmax(state->lasting, 0) + pull * all) / (state->lasting_time + pull);

	return fmin(lasting, all);
}

static int curve(const struct prn_policy *policy, const void *bytes, struct prn_curve *out)
{
	const struct state *state = bytes;

	if (!state->visits)
		return 0;
	*out = prn_curve_line(slope(&policy->parameters, state));
	return 1;
}

/* Versions alternate between the two slots: visit i (from 0) is kept in slot i % 2. */
static void learn(const struct prn_parameters *parameters, struct state *state, const struct prn_visit *now)
{
	double fade = parameters->forgetting, interval = fmin(fmax(now->time - state->time, 0), INTERVAL_MAX);
	double last = now->divergence[(state->visits + 1) % 2];

	state->moved = fade * state->moved + last;
	state->moved_time = fade * state->moved_time + interval;
	if (state->visits >= 2) {
		double before = now->divergence[state->visits % 2];

		state->lasting = fade * state->lasting + (before - state->last);
		state->lasting_time = fade * state->lasting_time + interval;
	}
	state->last = last;
}

static void visit(const struct prn_policy *policy, void *bytes, const struct prn_visit *now,
                  struct prn_decision *decision)
{
	struct state *state = bytes;
	struct prn_curve line;

	if (state->visits)
		learn(&policy->parameters, state, now);
	decision->keep = (int)(state->visits % 2);
	state->visits++;
	state->time = now->time;
	line = prn_curve_line(slope(&policy->parameters, state));
	prn_policy_apply(policy, &line, 1, now, decision);
}

static const struct prn_policy_key keys[] = {
	PRN_KEY_ALPHA,
	PRN_KEY_BETA,
	{ "kappa", "2", "how strongly lasting drift is shrunk to drift, κ" },
	{ "forgetting", "0.9", "factor on older visits, per visit" },
	PRN_KEY_RISK("none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_drift = {
	.info = { "drift", "lasting divergence per time, shrunk to the corpus", "this project", PRN_DIAL_THRESHOLD, keys },
	.slots = slots,
	.state_size = state_size,
	.visit = visit,
	.curve = curve,
};
