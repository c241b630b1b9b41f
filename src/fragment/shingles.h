/*
 * Makes the m smallest fragment hashes from word hashes.  A fragment is k consecutive words; its hash is
 * XXH3-64 (seed 0) of their hashes as little-endian bytes (doc/theory.md §1).
 *
 * Memory is proportional to what is kept, not to the length of the text: hashes above the m-th smallest so far
 * are dropped at once, and the rest is compacted whenever 2m + 64 have gathered (1024 for small m).
 */
#ifndef FRAGMENT_SHINGLES_H
#define FRAGMENT_SHINGLES_H

#include "perennial/extractor.h"

#define PRN_SHINGLE_BATCH 512 /* words that may be added at once */

struct prn_shingles {
	unsigned k;
	size_t limit;   /* m, or PRN_SUMMARY_ALL */
	uint64_t below; /* hashes above it are not among the m smallest; UINT64_MAX: not known yet */
	bool any;       /* at least one shingle was made, so the text is not shorter than k words */
	bool dropped;   /* there were more fragments than are kept */
	uint64_t *kept, *scratch; /* [capacity] */
	size_t count, capacity;
	uint64_t sum; /* of the hashes of all shingles, with repetitions */
	/* The last words of the batch before, at most k - 1, then this batch; little-endian bytes. */
	size_t words;
	uint64_t word[PRN_SHINGLE_WORDS_MAX + PRN_SHINGLE_BATCH];
};

/* k is 1 … PRN_SHINGLE_WORDS_MAX, limit > 0.  PRN_E_ARGUMENT: they are not; PRN_E_MEMORY */
int prn_shingles_init(struct prn_shingles *shingles, unsigned k, size_t limit);
void prn_shingles_release(struct prn_shingles *shingles);

/* Forgets the words and fragments; keeps the memory. */
void prn_shingles_begin(struct prn_shingles *shingles);

/* Appends the hashes of count <= PRN_SHINGLE_BATCH words.  PRN_E_MEMORY */
int prn_shingles_add(struct prn_shingles *shingles, const uint64_t *words, size_t count);

/* Returns the hash of the fragment that count words make, by their hashes. */
uint64_t prn_shingle_of(const uint64_t *words, size_t count);

/* Ends the text: *summary points to the kept hashes, valid until the next _begin.  PRN_E_MEMORY */
int prn_shingles_end(struct prn_shingles *shingles, struct prn_summary *summary);

#endif
