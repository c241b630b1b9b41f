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
	for (size_t i = count; i--; value >>= 8)
		(*bytes)[i] = (unsigned char)value;
	*bytes += count;
}

/* Reads count bytes and moves on. */
static inline uint64_t prn_big_take(const unsigned char **bytes, size_t count)
{
	uint64_t value = 0;

	while (count--)
		value = value << 8 | *(*bytes)++;
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
