#include "policy/adaptive.h"

#include <math.h>

size_t prn_adaptive_slots(const struct prn_parameters *parameters)
{
	(void)parameters;
	return 1;
}

size_t prn_adaptive_state_size(const struct prn_parameters *parameters)
{
	(void)parameters;
	return sizeof(struct prn_adaptive_state);
}

enum prn_adaptive_seen prn_adaptive_see(const struct prn_policy *policy, struct prn_adaptive_state *state,
                                        const struct prn_visit *now)
{
	bool visited = state->visited, changed = now->divergence[0] > 0;

	state->visited = 1;
	if (!visited)
		state->interval = policy->parameters.start;
	if (!visited || changed)
		state->modified = now->time;
	if (!visited)
		return PRN_ADAPTIVE_NEW;
	return changed ? PRN_ADAPTIVE_CHANGED : PRN_ADAPTIVE_SAME;
}

void prn_adaptive_clamp(const struct prn_policy *policy, struct prn_adaptive_state *state)
{
	state->interval = fmin(fmax(state->interval, policy->parameters.shortest), policy->parameters.longest);
}

void prn_adaptive_decide(const struct prn_policy *policy, const void *bytes, const struct prn_visit *now,
                         struct prn_decision *decision)
{
	const struct prn_adaptive_state *state = bytes;
	double days = state->visited ? state->interval - state->lead : policy->parameters.start;

	prn_policy_bound(policy, now->threshold * fmax(days, policy->parameters.shortest), 1, now, decision);
}

void prn_adaptive_pack(const struct prn_policy *policy, void *bytes, struct prn_packing *packing)
{
	struct prn_adaptive_state *state = bytes;

	(void)policy;
	prn_packing_number(packing, &state->interval);
	prn_packing_number(packing, &state->lead);
	prn_packing_ago(packing, &state->modified);
	if (packing->in)
		state->visited = 1;
}
