/*
 * What every summary must be, whatever the bytes: hashes ascend, nothing is counted twice, the m
 * smallest of a small extractor are the first m of one that keeps all, and the two do not diverge.
 */
#ifndef FUZZ_SUMMARY_H
#define FUZZ_SUMMARY_H

#include "perennial/extractor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FEW 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check(int holds)
{
	if (!holds)
		abort();
}

static inline void check_summaries(const uint8_t *data, size_t size, const char *type)
{
	/* Used for every input, as a crawler would: nothing of one page may show in the next. */
	static struct prn_extractor *few, *all;
	struct prn_summary small, whole, smallest;

	if (!few) {
		check(!prn_extractor_guard_memory());
		check(!prn_extractor_open(&few, 3, FEW));
		check(!prn_extractor_open(&all, 3, PRN_SUMMARY_ALL));
	}
	check(!prn_extractor_summary(few, data, size, type, &small));
	check(!prn_extractor_summary(all, data, size, type, &whole));
	check(whole.complete && small.count <= FEW);
	for (size_t i = 1; i < whole.count; i++)
		check(whole.hashes[i] > whole.hashes[i - 1]);
	smallest = prn_summary_smallest(&whole, FEW);
	check(small.count == smallest.count && small.complete == smallest.complete);
	check(!small.count ||
	      !memcmp(small.hashes, smallest.hashes, small.count * sizeof *small.hashes));
	check(prn_summary_divergence(&small, &smallest) <= 0);
}

#endif
