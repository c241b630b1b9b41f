#include "policy/adaptive.h"

#include <math.h>

enum prn_adaptive_seen prn_adaptive_see(const struct prn_adaptive_parameters *parameters, struct prn_adaptive_state *state,
                                        const struct prn_visit *now)
{
	bool visited = state->visited, changed = now->divergence[0] > 0;

	state->visited = 1;
	if (!visited)
		state->interval = parameters->start;
	if (!visited || changed)
		state->modified = now->time;
	if (!visited)
		return PRN_ADAPTIVE_NEW;
	return changed ? PRN_ADAPTIVE_CHANGED : PRN_ADAPTIVE_SAME;
}

void prn_adaptive_clamp(const struct prn_adaptive_parameters *parameters, struct prn_adaptive_state *state)
{
	state->interval = fmin(fmax(state->interval, parameters->shortest), parameters->longest);
}

void prn_adaptive_decide(const void *parameters, const void *bytes, const struct prn_visit *now,
                         struct prn_decision *decision)
{
	const struct prn_adaptive_parameters *own = parameters;
	const struct prn_adaptive_state *state = bytes;
	double days = state->visited ? state->interval - state->lead : own->start;

	prn_bounds_decide(NULL, now->threshold * fmax(days, own->shortest), 1, now, decision);
}

void prn_adaptive_pack(const void *parameters, void *bytes, struct prn_packing *packing)
{
	struct prn_adaptive_state *state = bytes;

	(void)parameters;
	prn_packing_number(packing, &state->interval);
	prn_packing_number(packing, &state->lead);
	prn_packing_ago(packing, &state->modified);
	if (packing->in)
		state->visited = 1;
}
