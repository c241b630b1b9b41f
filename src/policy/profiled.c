#include "policy/profiled.h"

void prn_profiled_sizes(const void *parameters, size_t *slots, size_t *state_size)
{
	const struct prn_profiled_parameters *own = parameters;

	*slots = own->history;
	*state_size = own->head + (own->history + 1) * sizeof(struct prn_profile);
}

size_t prn_profiled_profile(const void *parameters, const void *state, struct prn_point *points)
{
	const struct prn_profiled_parameters *own = parameters;
	const void *profiles = (const char *)state + own->head;

	return prn_profiles_combine(profiles, own->history, points);
}
