/* Every page at multiples of one period from its first visit (OP §3.4, doc/theory.md §7). */
#include "policy/kind.h"

#include <math.h>

/* A visit this share of a period before a multiple is that multiple's: clocks round. */
#define EARLY 1e-3

struct state {
	double first;
	uint64_t visited;
};

static size_t slots(const struct prn_parameters *parameters)
{
	(void)parameters;
	return 0;
}

static size_t state_size(const struct prn_parameters *parameters)
{
	(void)parameters;
	return sizeof(struct state);
}

static int visit(const struct prn_policy *policy, void *bytes, const struct prn_visit *now)
{
	struct state *state = bytes;

	(void)policy;
	if (!state->visited)
		state->first = now->time;
	state->visited = 1;
	return -1;
}

static void decide(const struct prn_policy *policy, const void *bytes, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct state *state = bytes;
	double period = now->threshold, since = state->visited ? now->time - state->first : 0;

	(void)policy;
	decision->period = (floor(since / period + EARLY) + 1) * period - since;
	/* So long after the first visit that a period is lost in rounding. */
	if (!(decision->period > 0) || decision->period > (1 + EARLY) * period)
		decision->period = period;
	decision->expected = period;
	decision->reason = PRN_REASON_RULE;
}

/* The first visit as it is: rounded, its multiples would wander. */
static void pack(const struct prn_policy *policy, void *bytes, struct prn_packing *packing)
{
	struct state *state = bytes;

	(void)policy;
	prn_packing_exact(packing, &state->first);
	state->visited = 1;
}

static const struct prn_policy_key keys[] = {
	{ "skip-static", "no", "leave out pages that never change: \"yes\" as OP's figures, or \"no\"" },
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_uniform = {
	.info = { "uniform", "every page at one period", "OP §3.4", PRN_DIAL_PERIOD, keys },
	.slots = slots,
	.state_size = state_size,
	.visit = visit,
	.decide = decide,
	.pack = pack,
};
