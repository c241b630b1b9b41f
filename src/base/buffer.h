/*
 * A growable run of bytes.  data is NULL until the first byte and is owned by the buffer; it moves when
 * the buffer grows.  Clearing keeps the memory for the next use.
 */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "perennial/error.h"

struct prn_buffer {
	unsigned char *data;
	size_t length, capacity;
};

static inline void prn_buffer_init(struct prn_buffer *buffer)
{
	*buffer = (struct prn_buffer){ 0 };
}

void prn_buffer_release(struct prn_buffer *buffer);

static inline void prn_buffer_clear(struct prn_buffer *buffer)
{
	buffer->length = 0;
}

/* Makes room for length more bytes; after it, data + length may be written.  PRN_E_MEMORY */
int prn_buffer_reserve(struct prn_buffer *buffer, size_t length);

/* PRN_E_MEMORY, and then the buffer is as before. */
int prn_buffer_append(struct prn_buffer *buffer, const void *bytes, size_t length);

/* Appends what printf prints, without its NUL.  PRN_E_MEMORY, and then the buffer is as before. */
int prn_buffer_printf(struct prn_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends a NUL that is not counted in length, so that data can be read as a string.  PRN_E_MEMORY */
int prn_buffer_terminate(struct prn_buffer *buffer);

/*
 * Our files have integers in two forms: little-endian of fixed width, and LEB128 of variable width.  prn_little_put writes the lowest
 * count bytes of a value, at most 8; prn_little_put_two writes two values: what is hashed is the same on all machines then.  prn_varint_put writes at most PRN_VARINT_BYTES, and returns where they end.
 */
#define PRN_VARINT_BYTES 10

static inline void prn_little_put(unsigned char *bytes, size_t count, uint64_t value)
{
	for (size_t i = 0; i < count; i++, value >>= 8)
		bytes[i] = (unsigned char)value;
}

static inline void prn_little_put_two(unsigned char bytes[16], uint64_t first, uint64_t second)
{
	prn_little_put(bytes, 8, first);
	prn_little_put(bytes + 8, 8, second);
}

static inline unsigned char *prn_varint_put(unsigned char *bytes, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		*bytes++ = (unsigned char)(value | 0x80);
	*bytes++ = (unsigned char)value;
	return bytes;
}

int prn_buffer_append_u32(struct prn_buffer *buffer, uint32_t value);
int prn_buffer_append_u64(struct prn_buffer *buffer, uint64_t value);
int prn_buffer_append_varint(struct prn_buffer *buffer, uint64_t value);

/*
 * A bounded reader over bytes that somebody else owns: every read either yields a value that was wholly
 * there, or fails and leaves the cursor as it was.
 */
struct prn_cursor {
	const unsigned char *data;
	size_t length, at;
};

/* PRN_E_TRUNCATED when the bytes are not all there; varint also PRN_E_INPUT above 64 bits. */
int prn_cursor_bytes(struct prn_cursor *cursor, size_t length, const unsigned char **bytes);

static inline int prn_cursor_u32(struct prn_cursor *cursor, uint32_t *value)
{
	if (cursor->length - cursor->at < sizeof *value)
		return PRN_E_TRUNCATED;
	memcpy(value, cursor->data + cursor->at, sizeof *value);
	*value = le32toh(*value);
	cursor->at += sizeof *value;
	return 0;
}

static inline int prn_cursor_u64(struct prn_cursor *cursor, uint64_t *value)
{
	if (cursor->length - cursor->at < sizeof *value)
		return PRN_E_TRUNCATED;
	memcpy(value, cursor->data + cursor->at, sizeof *value);
	*value = le64toh(*value);
	cursor->at += sizeof *value;
	return 0;
}

static inline int prn_cursor_i64(struct prn_cursor *cursor, int64_t *value)
{
	uint64_t bits;
	int code = prn_cursor_u64(cursor, &bits);

	if (!code)
		*value = (int64_t)bits;
	return code;
}

int prn_cursor_varint(struct prn_cursor *cursor, uint64_t *value);

/*
 * Grows an array of count elements of size bytes to at least wanted, doubling.  Returns the array (perhaps
 * moved) and updates *capacity, or NULL without memory or on overflow, the old array still valid.
 */
void *prn_array_grow(void *array, size_t *capacity, size_t wanted, size_t size);

#endif
