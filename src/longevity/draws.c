#include "longevity/draws.h"
#include "base/random.h"

#include <string.h>

void prn_draws_make(const struct prn_draws *draws, size_t resample, uint32_t *times)
{
	struct prn_random random;

	memset(times, 0, draws->count * sizeof *times);
	prn_random_seed(&random, draws->seed, resample);
	for (size_t i = 0; i < draws->count; i++)
		times[prn_random_below(&random, draws->count)]++;
}
