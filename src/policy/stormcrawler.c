/*
 * StormCrawler's AdaptiveScheduler: after a change the interval goes a share of the way to the shortest.
 */
#include "policy/adaptive.h"

#include <math.h>

static int visit(const struct prn_policy *policy, void *bytes, const struct prn_visit *now)
{
	const struct prn_parameters *parameters = &policy->parameters;
	struct prn_adaptive_state *state = bytes;

	switch (prn_adaptive_see(policy, state, now)) {
	case PRN_ADAPTIVE_CHANGED:
		state->interval += parameters->decrease * (parameters->shortest - state->interval);
		break;
	case PRN_ADAPTIVE_SAME:
		state->interval = fmin(state->interval * (1 + parameters->increase), parameters->longest);
		break;
	case PRN_ADAPTIVE_NEW:
		break;
	}
	return 0;
}

static const struct prn_policy_key keys[] = {
	{ "increase", "0.5", "unchanged: the interval times 1 + this" },
	{ "decrease", "0.5", "changed: the share of the way to the shortest interval" },
	PRN_KEY_START("1"),
	PRN_KEY_SHORTEST("0.0416667"),
	PRN_KEY_LONGEST("14"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_stormcrawler = {
	.info = { "stormcrawler", "StormCrawler's adaptive schedule", "Apache StormCrawler, AdaptiveScheduler",
	          PRN_DIAL_SCALE, keys },
	.slots = prn_adaptive_slots,
	.state_size = prn_adaptive_state_size,
	.visit = visit,
	.decide = prn_adaptive_decide,
	.pack = prn_adaptive_pack,
};
