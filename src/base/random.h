/*
 * Seeded random numbers: xoshiro256** (Blackman, Vigna 2018), whose words splitmix64 fills.  The same seed
 * gives the same numbers on every machine.  Copy the struct to fork a stream at the same point.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <math.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 prn_random_wide;

struct prn_random {
	uint64_t words[4];
};

/* A step of splitmix64. */
static inline uint64_t prn_random_mix(uint64_t *counter)
{
	uint64_t z = *counter += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* stream tells apart independent sequences of one seed (one per page, say). */
static inline void prn_random_seed(struct prn_random *random, uint64_t seed, uint64_t stream)
{
	uint64_t mix = seed;

	mix = prn_random_mix(&mix) ^ stream;
	for (int i = 0; i < 4; i++)
		random->words[i] = prn_random_mix(&mix);
}

static inline uint64_t prn_random_bits(struct prn_random *random)
{
	uint64_t *s = random->words;
	uint64_t five = s[1] * 5, result = ((five << 7) | (five >> 57)) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = (s[3] << 45) | (s[3] >> 19);
	return result;
}

/* Uniform in [0, 1). */
static inline double prn_random_unit(struct prn_random *random)
{
	return (double)(prn_random_bits(random) >> 11) * 0x1p-53;
}

/* Uniform in 0 … bound-1; bound > 0.  Multiply-shift: the bias is below bound / 2^64. */
static inline uint64_t prn_random_below(struct prn_random *random, uint64_t bound)
{
	return (uint64_t)(((prn_random_wide)prn_random_bits(random) * bound) >> 64);
}

/* Exponential with the given mean > 0. */
static inline double prn_random_exponential(struct prn_random *random, double mean)
{
	return -mean * log1p(-prn_random_unit(random));
}

#endif
