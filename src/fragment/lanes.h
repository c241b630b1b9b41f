/*
 * Handles eight bytes at once as the lanes of a 64-bit number.  The lowest lane is the first byte of the text
 * on any machine.  It is plain C that is fast without the processor's vector instructions.
 */
#ifndef FRAGMENT_LANES_H
#define FRAGMENT_LANES_H

#include <stdint.h>
#include <string.h>

#define PRN_LANES(byte) ((uint64_t)0x0101010101010101u * (byte))
#define PRN_LANES_TOP PRN_LANES(0x80u) /* the top bit of each lane, where results stand */

static inline uint64_t prn_lanes_load(const unsigned char *bytes)
{
	uint64_t lanes;

	memcpy(&lanes, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	lanes = __builtin_bswap64(lanes);
#endif
	return lanes;
}

static inline void prn_lanes_store(unsigned char *bytes, uint64_t lanes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	lanes = __builtin_bswap64(lanes);
#endif
	memcpy(bytes, &lanes, 8);
}

/* Sets the top bit of each lane whose value is from low to high; all values are below 0x80. */
static inline uint64_t prn_lanes_between(uint64_t lanes, unsigned char low, unsigned char high)
{
	return (lanes + PRN_LANES(0x80u - low)) & ~(lanes + PRN_LANES(0x7fu - high)) &
	       PRN_LANES_TOP;
}

/* Packs the top bits into eight bits, the first lane's the lowest: the product moves each to the last lane. */
static inline uint64_t prn_lanes_gather(uint64_t top_bits)
{
	return ((top_bits >> 7) * 0x0102040810204080u) >> 56;
}

#endif
