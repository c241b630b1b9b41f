#include "base/sort.h"

#include <string.h>

#define FEW 24           /* below this insertion sort wins */
#define BUCKET_BITS 11u  /* 2048 counters stay in the first-level cache */
#define BUCKETS ((size_t)1 << BUCKET_BITS)

static void sort_few(uint64_t *hashes, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		uint64_t hash = hashes[i];
		size_t at = i;

		for (; at && hashes[at - 1] > hash; at--)
			hashes[at] = hashes[at - 1];
		hashes[at] = hash;
	}
}

static unsigned bits_of(uint64_t value)
{
	return value ? 64u - (unsigned)__builtin_clzll(value) : 0;
}

/*
 * How far to shift a distance from the smallest hash so that about one hash falls into each bucket: the
 * range is taken as it is, so hashes that a threshold has cut off to a narrow range still spread.
 */
static unsigned bucket_shift(uint64_t range, size_t count)
{
	unsigned wanted = bits_of(count), have = bits_of(range);

	if (wanted > BUCKET_BITS)
		wanted = BUCKET_BITS;
	return have > wanted ? have - wanted : 0;
}

void prn_sort_hashes(uint64_t *hashes, uint64_t *scratch, size_t count)
{
	size_t ends[BUCKETS], buckets, sum = 0;
	uint64_t low = UINT64_MAX, high = 0;
	unsigned shift;

	if (count <= FEW) {
		sort_few(hashes, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		low = hashes[i] < low ? hashes[i] : low;
		high = hashes[i] > high ? hashes[i] : high;
	}
	if (low == high)
		return;
	shift = bucket_shift(high - low, count);
	buckets = (size_t)((high - low) >> shift) + 1;
	memset(ends, 0, buckets * sizeof *ends);
	for (size_t i = 0; i < count; i++)
		ends[(hashes[i] - low) >> shift]++;
	for (size_t i = 0; i < buckets; i++) {
		size_t here = ends[i];

		ends[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		scratch[ends[(hashes[i] - low) >> shift]++] = hashes[i];
	memcpy(hashes, scratch, count * sizeof *hashes);
	/* A bucket's range is at most half of its parent's, and 1/1024 where there are many: few levels. */
	for (size_t i = 0, start = 0; shift && i < buckets; start = ends[i++])
		if (ends[i] - start > 1)
			prn_sort_hashes(hashes + start, scratch + start, ends[i] - start);
}

size_t prn_sort_distinct(uint64_t *hashes, uint64_t *scratch, size_t count)
{
	size_t kept = 0;

	prn_sort_hashes(hashes, scratch, count);
	for (size_t i = 0; i < count; i++)
		if (!i || hashes[i] != hashes[i - 1])
			hashes[kept++] = hashes[i];
	return kept;
}
