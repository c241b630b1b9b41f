#include "base/sort.h"

#include <string.h>

#define FEW 24          /* up to here insertion sort wins */
#define BUCKET_BITS 13u /* 32 KiB of counters: what first-level cache and stack bear well */

/* Sorts from into hashes by insertion; from may be hashes itself.  They must be few, or nearly in order already. */
static void sort_by_insertion(uint64_t *hashes, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t hash = from[i];
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
 * How far to shift a distance from the smallest hash so that about one hash falls into each bucket.
 * The range is taken as it is, so hashes that a threshold has cut off to a narrow range still
 * spread.
 */
static unsigned bucket_shift(uint64_t range, size_t count)
{
	unsigned wanted = bits_of(count), have = bits_of(range);

	if (wanted > BUCKET_BITS)
		wanted = BUCKET_BITS;
	return have > wanted ? have - wanted : 0;
}

/* Counts become starts, which the scatter then moves on to ends. */
static void start_buckets(uint32_t *buckets, size_t count)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t here = buckets[i];

		buckets[i] = sum;
		sum += here;
	}
}

void prn_sort_hashes(uint64_t *hashes, uint64_t *scratch, size_t count)
{
	uint32_t ends[(size_t)1 << BUCKET_BITS], start = 0;
	uint64_t low = UINT64_MAX, high = 0;
	size_t buckets;
	unsigned shift;

	if (count <= FEW) {
		sort_by_insertion(hashes, hashes, count);
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
	start_buckets(ends, buckets);
	for (size_t i = 0; i < count; i++)
		scratch[ends[(hashes[i] - low) >> shift]++] = hashes[i];
	/* Each level takes at least four bits off the range, thirteen of many hashes. */
	for (size_t i = 0; shift && i < buckets; start = ends[i++])
		if (ends[i] - start > FEW)
			prn_sort_hashes(scratch + start, hashes + start, ends[i] - start);
	sort_by_insertion(hashes, scratch, count);
}

size_t prn_sort_distinct(uint64_t *hashes, uint64_t *scratch, size_t count)
{
	size_t kept = 0;

	prn_sort_hashes(hashes, scratch, count);
	for (size_t i = 0; i < count; i++) {
		hashes[kept] = hashes[i];
		kept += i + 1 == count || hashes[i] != hashes[i + 1];
	}
	return kept;
}
