/*
 * Finds the end of a run of bytes that are none of three given ones.  There are two implementations;
 * tests/html_tokens.c compares them.
 */
#ifndef FRAGMENT_RUN_H
#define FRAGMENT_RUN_H

#include "fragment/lanes.h"

#include <stddef.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline const unsigned char *prn_run_bytewise(const unsigned char *at, const unsigned char *end, unsigned char a,
                                                    unsigned char b, unsigned char c)
{
	while (at < end && *at != a && *at != b && *at != c)
		at++;
	return at;
}

/* Returns the top bit of the first lane that is 0; the bits of later lanes may be set too. 0 if no lane is 0. */
static inline uint64_t prn_run_first_zero(uint64_t lanes)
{
	return (lanes - PRN_LANES(1u)) & ~lanes & PRN_LANES_TOP;
}

/* Plain C. */
static inline const unsigned char *prn_run_lanes(const unsigned char *at, const unsigned char *end, unsigned char a,
                                                 unsigned char b, unsigned char c)
{
	for (; end - at >= 8; at += 8) {
		uint64_t lanes = prn_lanes_load(at), found = prn_run_first_zero(lanes ^ PRN_LANES(a)) |
		                                             prn_run_first_zero(lanes ^ PRN_LANES(b)) |
		                                             prn_run_first_zero(lanes ^ PRN_LANES(c));

		if (found)
			return at + __builtin_ctzll(found) / 8;
	}
	return prn_run_bytewise(at, end, a, b, c);
}

#ifdef __SSE2__
/* The same function with the vector instructions that every x86-64 processor has. */
static inline const unsigned char *prn_run_sse2(const unsigned char *at, const unsigned char *end, unsigned char a,
                                                unsigned char b, unsigned char c)
{
	const __m128i as = _mm_set1_epi8((char)a), bs = _mm_set1_epi8((char)b), cs = _mm_set1_epi8((char)c);

	for (; end - at >= 16; at += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i equal = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, as), _mm_cmpeq_epi8(bytes, bs)),
		                             _mm_cmpeq_epi8(bytes, cs));
		unsigned found = (unsigned)_mm_movemask_epi8(equal);

		if (found)
			return at + __builtin_ctz(found);
	}
	return prn_run_lanes(at, end, a, b, c);
}
#endif

/* Returns the first byte in [at, end) that is a, b or c, or end. */
static inline const unsigned char *prn_run_to(const unsigned char *at, const unsigned char *end, unsigned char a,
                                              unsigned char b, unsigned char c)
{
#ifdef __SSE2__
	return prn_run_sse2(at, end, a, b, c);
#else
	return prn_run_lanes(at, end, a, b, c);
#endif
}

#endif
