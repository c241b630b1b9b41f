/* Visits every page at multiples of one period from its first visit (OP §3.4, doc/theory.md §7). */
#include "perennial/policy_kind.h"

#include <math.h>

/* A visit within this share of a period before a multiple counts as that multiple, because clocks round. */
#define EARLY 1e-3

struct state {
	double first;
	uint64_t visited;
};

static int visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	struct state *state = bytes;

	(void)parameters;
	if (!state->visited)
		state->first = now->time;
	state->visited = 1;
	return -1;
}

static void decide(const void *parameters, const void *bytes, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct state *state = bytes;
	double period = now->threshold, since = state->visited ? now->time - state->first : 0;

	(void)parameters;
	decision->period = (floor(since / period + EARLY) + 1) * period - since;
	/* So long after the first visit, a period is lost in rounding. */
	if (!(decision->period > 0) || decision->period > (1 + EARLY) * period)
		decision->period = period;
	decision->expected = period;
	decision->reason = PRN_REASON_RULE;
}

/* The first visit is stored exactly: if it were rounded, its multiples would wander. */
static void pack(const void *parameters, void *bytes, struct prn_packing *packing)
{
	struct state *state = bytes;

	(void)parameters;
	prn_packing_exact(packing, &state->first);
	state->visited = 1;
}

static const struct prn_policy_key keys[] = {
	{ .name = "skip-static", .fallback = "no",
	  .help = "leave out pages that never change: \"yes\" as OP's figures, or \"no\"",
	  .type = PRN_KEY_TYPE_SKIP_STATIC },
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_uniform = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "uniform",
	          .title = "every page at one period",
	          .source = "OP §3.4",
	          .dial = PRN_DIAL_PERIOD,
	          .keys = keys,
	          .compared = true },
	.state_size = sizeof(struct state),
	.visit = visit,
	.decide = decide,
	.pack = pack,
};
