/*
 * Integers as they lie in keys and small records: big-endian, so that the order of keys is the order of numbers.
 */
#ifndef STORE_BIG_ENDIAN_H
#define STORE_BIG_ENDIAN_H

#include <stddef.h>
#include <stdint.h>

/* Writes the lowest count bytes of a value, 1 to 8, and moves on. */
static inline void prn_big_put(unsigned char **bytes, size_t count, uint64_t value)
{
	unsigned char *at = *bytes;

	if (count == 8) {
		at[0] = (unsigned char)(value >> 56);
		at[1] = (unsigned char)(value >> 48);
		at[2] = (unsigned char)(value >> 40);
		at[3] = (unsigned char)(value >> 32);
		at[4] = (unsigned char)(value >> 24);
		at[5] = (unsigned char)(value >> 16);
		at[6] = (unsigned char)(value >> 8);
		at[7] = (unsigned char)value;
		*bytes += 8;
		return;
	}
	for (size_t i = count; i--; value >>= 8)
		(*bytes)[i] = (unsigned char)value;
	*bytes += count;
}

/* Reads count bytes and moves on.  Most are 8, which compilers make one load of when they stand in one expression. */
static inline uint64_t prn_big_take(const unsigned char **bytes, size_t count)
{
	const unsigned char *at = *bytes;
	uint64_t value = 0;

	*bytes += count;
	if (count == 8)
		return (uint64_t)at[0] << 56 | (uint64_t)at[1] << 48 | (uint64_t)at[2] << 40 | (uint64_t)at[3] << 32 |
		       (uint64_t)at[4] << 24 | (uint64_t)at[5] << 16 | (uint64_t)at[6] << 8 | at[7];
	while (count--)
		value = value << 8 | *at++;
	return value;
}

/* Times before 1970 are before those after it: the sign is flipped. */
static inline void prn_big_put_time(unsigned char **bytes, int64_t time)
{
	prn_big_put(bytes, 8, (uint64_t)time ^ (uint64_t)1 << 63);
}

static inline int64_t prn_big_take_time(const unsigned char **bytes)
{
	return (int64_t)(prn_big_take(bytes, 8) ^ (uint64_t)1 << 63);
}

#endif
