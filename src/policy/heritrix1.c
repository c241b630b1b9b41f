/*
 * Heritrix 1's adaptive revisiting: the interval is divided by a factor after a change, else multiplied by one.
 */
#include "policy/adaptive.h"

static int visit(const struct prn_policy *policy, void *bytes, const struct prn_visit *now)
{
	struct prn_adaptive_state *state = bytes;

	switch (prn_adaptive_see(policy, state, now)) {
	case PRN_ADAPTIVE_CHANGED:
		state->interval /= policy->parameters.shrink;
		break;
	case PRN_ADAPTIVE_SAME:
		state->interval *= policy->parameters.stretch;
		break;
	case PRN_ADAPTIVE_NEW:
		break;
	}
	prn_adaptive_clamp(policy, state);
	return 0;
}

static const struct prn_policy_key keys[] = {
	{ "stretch", "1.5", "unchanged: the interval times this" },
	{ "shrink", "1.5", "changed: the interval divided by this" },
	PRN_KEY_START("1"),
	PRN_KEY_SHORTEST("0.0416667"),
	PRN_KEY_LONGEST("28"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_heritrix1 = {
	.info = { "heritrix1", "Heritrix 1's adaptive revisiting", "Heritrix 1, adaptive revisit", PRN_DIAL_SCALE, keys },
	.slots = prn_adaptive_slots,
	.state_size = prn_adaptive_state_size,
	.visit = visit,
	.decide = prn_adaptive_decide,
	.pack = prn_adaptive_pack,
};
