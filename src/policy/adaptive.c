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
                                        const struct prn_visit *now, struct prn_decision *decision)
{
	bool visited = state->visited, changed = now->divergence[0] > 0;

	decision->keep = 0;
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

void prn_adaptive_wait(const struct prn_policy *policy, double days, const struct prn_visit *now,
                       struct prn_decision *decision)
{
	prn_policy_bound(policy, now->threshold * fmax(days, policy->parameters.shortest), 1, now, decision);
}
