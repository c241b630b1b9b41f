/*
 * The bootstrap's resamples of clusters, the same for everything that is measured on them: in each, as many
 * clusters as there are, drawn with replacement (as src/evaluate/comparison.c draws them).
 */
#ifndef LONGEVITY_DRAWS_H
#define LONGEVITY_DRAWS_H

#include <stddef.h>
#include <stdint.h>

struct prn_draws {
	size_t clusters, resamples;
	const uint32_t *in_use; /* [count] the clusters that have pages, ascending */
	size_t count;
	uint64_t seed;
};

/* Writes to times[count] how often each cluster of in_use is in a resample. */
void prn_draws_make(const struct prn_draws *draws, size_t resample, uint32_t *times);

#define PRN_DRAWS_CONFIDENCE 0.95

#endif
