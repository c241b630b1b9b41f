/*
 * Word hashes in, the m smallest fragment hashes out.  A fragment is k consecutive words; its hash is
 * XXH3-64 (seed 0) of their hashes laid out as little-endian bytes (theory.md 1; design.md "Words").
 *
 * Memory is what is kept, not the length of the text: hashes above the m-th smallest so far are dropped at
 * once, the rest is compacted whenever 2m + 64 have gathered.
 */
#ifndef FRAGMENT_SHINGLES_H
#define FRAGMENT_SHINGLES_H

#include "perennial/extractor.h"

#define PRN_SHINGLE_BATCH 512 /* words that are gathered before their shingles are hashed */

struct prn_shingles {
	unsigned k;
	size_t limit;   /* m, or PRN_SUMMARY_ALL */
	uint64_t below; /* hashes >= this one are not among the m smallest; UINT64_MAX: unknown yet */
	bool any;       /* some shingle was made, so no text shorter than k words */
	bool dropped;   /* there were more fragments than are kept */
	uint64_t *kept, *scratch; /* [capacity] */
	size_t count, capacity;
	size_t words; /* how many in word */
	/* The last k - 1 words of the batch before, then this batch; each in little-endian bytes. */
	uint64_t word[PRN_SHINGLE_WORDS_MAX + PRN_SHINGLE_BATCH];
};

/* PRN_E_RANGE (k of 1 … PRN_SHINGLE_WORDS_MAX, limit > 0), PRN_E_MEMORY */
int prn_shingles_init(struct prn_shingles *shingles, unsigned k, size_t limit);
void prn_shingles_release(struct prn_shingles *shingles);

/* Forgets the words and fragments; keeps the memory. */
void prn_shingles_begin(struct prn_shingles *shingles);

/* Hashes the shingles that are complete and makes room for PRN_SHINGLE_BATCH words.  PRN_E_MEMORY */
int prn_shingles_flush(struct prn_shingles *shingles);

/* Appends a word by its hash.  PRN_E_MEMORY */
static inline int prn_shingles_add(struct prn_shingles *shingles, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	shingles->word[shingles->words++] = word;
	if (shingles->words < sizeof shingles->word / sizeof *shingles->word)
		return 0;
	return prn_shingles_flush(shingles);
}

/* Ends the text: *summary points to what is kept, until the next _begin.  PRN_E_MEMORY */
int prn_shingles_end(struct prn_shingles *shingles, struct prn_summary *summary);

#endif
