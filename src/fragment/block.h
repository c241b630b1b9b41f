/*
 * Reads 64 bytes of text at once: writes them in lower case, and finds which of them may belong to words.
 * There are two implementations; tests/words.c compares them.
 */
#ifndef FRAGMENT_BLOCK_H
#define FRAGMENT_BLOCK_H

#include "fragment/lanes.h"

#include <stddef.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define PRN_BLOCK 64

/* A bit for each byte, the first the lowest. */
struct prn_block {
	uint64_t word; /* an ASCII letter or digit, or not ASCII */
	uint64_t high; /* not ASCII */
};

/* Copies a block, ASCII letters in lower case.  Plain C. */
static inline struct prn_block prn_block_fold_lanes(const unsigned char *text,
                                                    unsigned char *folded)
{
	struct prn_block block = { 0, 0 };

	for (size_t i = 0; i < PRN_BLOCK; i += 8) {
		uint64_t lanes = prn_lanes_load(text + i), high = lanes & PRN_LANES_TOP,
			 seven = lanes & ~PRN_LANES_TOP;
		uint64_t letters = prn_lanes_between(seven | PRN_LANES(0x20u), 'a', 'z') & ~high;
		uint64_t capitals = letters & ~(seven << 2),
			 digits = prn_lanes_between(seven, '0', '9');

		prn_lanes_store(folded + i, lanes | capitals >> 2);
		block.word |= prn_lanes_gather(letters | digits | high) << i;
		block.high |= prn_lanes_gather(high) << i;
	}
	return block;
}

#ifdef __SSE2__
/*
 * Returns 0xff for each byte from low to high and 0 for every other byte.  The comparison is signed: bytes
 * above 0x7f are negative, so they count as others.
 */
static inline __m128i prn_block_between(__m128i bytes, char low, char high)
{
	return _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8((char)(low - 1))),
	                     _mm_cmplt_epi8(bytes, _mm_set1_epi8((char)(high + 1))));
}

/* The same function with the vector instructions that every x86-64 processor has. */
static inline struct prn_block prn_block_fold_sse2(const unsigned char *text, unsigned char *folded)
{
	struct prn_block block = { 0, 0 };

	for (size_t i = 0; i < PRN_BLOCK; i += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
		__m128i capitals = prn_block_between(bytes, 'A', 'Z');
		__m128i lower = _mm_or_si128(bytes, _mm_and_si128(capitals, _mm_set1_epi8(0x20)));
		__m128i word = _mm_or_si128(prn_block_between(lower, 'a', 'z'),
		                            prn_block_between(bytes, '0', '9'));

		_mm_storeu_si128((__m128i *)(void *)(folded + i), lower);
		block.word |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_or_si128(word, bytes)) << i;
		block.high |= (uint64_t)(unsigned)_mm_movemask_epi8(bytes) << i;
	}
	return block;
}
#endif

static inline struct prn_block prn_block_fold(const unsigned char *text, unsigned char *folded)
{
#ifdef __SSE2__
	return prn_block_fold_sse2(text, folded);
#else
	return prn_block_fold_lanes(text, folded);
#endif
}

#endif
