/*
 * What holds for every summary, whatever the bytes: hashes ascend, nothing is counted twice, the m hashes of a small
 * extractor are the m smallest of one that keeps all, and the two summaries do not diverge.
 */
#ifndef FUZZ_SUMMARY_H
#define FUZZ_SUMMARY_H

#include "base/sort.h"
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

/* A text that is read word by word has the fragments of the summary, and its words are within its text. */
static inline void check_reading(struct prn_extractor *all, const uint8_t *data, size_t size, const char *type)
{
	struct prn_wording wording;
	struct prn_summary whole;
	uint64_t *fragments;
	size_t count, end = 0;

	check(!prn_extractor_read(all, data, size, type, &wording));
	for (size_t i = 0; i < wording.word_count; i++) {
		check(wording.words[i].from >= end && wording.words[i].from < wording.words[i].to);
		end = wording.words[i].to;
	}
	check(end <= wording.length);
	count = wording.fragment_count;
	fragments = calloc(2 * count + 1, sizeof *fragments);
	check(fragments != NULL);
	memcpy(fragments, wording.fragments, count * sizeof *fragments);
	count = prn_sort_distinct(fragments, fragments + count, count);
	check(!prn_extractor_summary(all, data, size, type, &whole));
	check(count == whole.count && (!count || !memcmp(fragments, whole.hashes, count * sizeof *fragments)));
	free(fragments);
}

static inline void check_summaries(const uint8_t *data, size_t size, const char *type)
{
	/* The same extractor reads every input, as in a crawler: nothing of one page may show in the next. */
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
	check_reading(all, data, size, type);
}

#endif
