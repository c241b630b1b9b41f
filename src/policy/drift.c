/*
 * Drift, our own policy (doc/theory.md §13): a straight line, its slope the lasting divergence per time,
 * shrunk to the page's whole divergence per time, and that to the corpus.
 */
#include "perennial/policy_kind.h"

#include <math.h>
#include <stdbool.h>

/* Outside any clock; keeps every sum finite. */
#define INTERVAL_MAX 1e100

struct parameters {
	double alpha, beta; /* the prior: mean drift is α/β */
	double kappa;
	double forgetting; /* factor per visit, in (0, 1] */
	struct prn_bounds bounds;
};

struct state {
	double time;                        /* of the last visit */
	double moved, moved_time;           /* Σd, Στ */
	double lasting, lasting_time;       /* Σe, Στ' */
	double last;                        /* d of the last visit */
	uint64_t visits;
};

static double slope(const struct parameters *parameters, const struct state *state)
{
	double pull = parameters->kappa * parameters->beta;
	double all = (state->moved + parameters->alpha) / (state->moved_time + parameters->beta);
	double lasting = (fmax(state->lasting, 0) + pull * all) / (state->lasting_time + pull);

	return fmin(lasting, all);
}

static int curve(const void *parameters, const void *bytes, struct prn_curve *out)
{
	const struct state *state = bytes;

	if (!state->visits)
		return 0;
	*out = prn_curve_line(slope(parameters, state));
	return 1;
}

/* Versions alternate between the two slots: visit i (from 0) is kept in slot i % 2. */
static void learn(const struct parameters *parameters, struct state *state, const struct prn_visit *now)
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

static int visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	struct state *state = bytes;

	if (state->visits)
		learn(parameters, state, now);
	state->time = now->time;
	return (int)(state->visits++ % 2);
}

static void decide(const void *parameters, const void *bytes, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct parameters *own = parameters;
	struct prn_curve line = prn_curve_line(slope(own, bytes));

	prn_bounds_decide_curve(&own->bounds, &line, 1, now, decision);
}

/* Beyond two visits only the parity of their number matters, and that the page is known. */
#define VISITS_TOLD 126

static void pack(const void *parameters, void *bytes, struct prn_packing *packing)
{
	struct state *state = bytes;
	uint32_t visits = (uint32_t)(state->visits > VISITS_TOLD ? VISITS_TOLD + state->visits % 2 : state->visits);

	(void)parameters;
	prn_packing_count(packing, &visits, VISITS_TOLD + 1);
	prn_packing_ago(packing, &state->time);
	prn_packing_number(packing, &state->moved);
	prn_packing_number(packing, &state->moved_time);
	prn_packing_signed(packing, &state->lasting);
	prn_packing_number(packing, &state->lasting_time);
	prn_packing_number(packing, &state->last);
	prn_packing_require(packing, visits);
	if (packing->in)
		state->visits = visits;
}

static const struct prn_policy_key keys[] = {
	PRN_KEY_ALPHA(struct parameters, alpha),
	PRN_KEY_BETA(struct parameters, beta),
	{ .name = "kappa", .fallback = "2", .help = "how strongly lasting drift is shrunk to drift, κ",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, kappa), .above = true },
	{ .name = "forgetting", .fallback = "0.9", .help = "factor on older visits, per visit",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, forgetting), .above = true, .most = 1 },
	PRN_KEY_RISK(struct parameters, bounds, "none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_drift = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "drift",
	          .title = "lasting divergence per time, shrunk to the corpus",
	          .source = "this project",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys,
	          .knows_weights = true,
	          .compared = true },
	.parameters_size = sizeof(struct parameters),
	.slots = 2,
	.state_size = sizeof(struct state),
	.visit = visit,
	.decide = decide,
	.pack = pack,
	.curve = curve,
};
