#include "base/buffer.h"
#include "perennial/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *prn_array_grow(void *array, size_t *capacity, size_t wanted, size_t size)
{
	size_t larger = *capacity ? *capacity : 16;
	void *moved;

	if (wanted <= *capacity && array)
		return array;
	while (larger < wanted) {
		if (larger > SIZE_MAX / 2)
			return NULL;
		larger *= 2;
	}
	if (larger > SIZE_MAX / size)
		return NULL;
	moved = realloc(array, larger * size);
	if (moved)
		*capacity = larger;
	return moved;
}

void prn_buffer_release(struct prn_buffer *buffer)
{
	free(buffer->data);
	prn_buffer_init(buffer);
}

int prn_buffer_reserve(struct prn_buffer *buffer, size_t length)
{
	unsigned char *data;

	if (length > SIZE_MAX - buffer->length)
		return PRN_E_MEMORY;
	data = prn_array_grow(buffer->data, &buffer->capacity, buffer->length + length, 1);
	if (!data)
		return PRN_E_MEMORY;
	buffer->data = data;
	return 0;
}

int prn_buffer_append(struct prn_buffer *buffer, const void *bytes, size_t length)
{
	if (!length)
		return 0;
	if (prn_buffer_reserve(buffer, length))
		return PRN_E_MEMORY;
	memcpy(buffer->data + buffer->length, bytes, length);
	buffer->length += length;
	return 0;
}

int prn_buffer_printf(struct prn_buffer *buffer, const char *format, ...)
{
	va_list list, again;
	int length;

	va_start(list, format);
	va_copy(again, list);
	length = vsnprintf(NULL, 0, format, list);
	va_end(list);
	/* vsnprintf wants room for its NUL. */
	if (length < 0 || prn_buffer_reserve(buffer, (size_t)length + 1)) {
		va_end(again);
		return PRN_E_MEMORY;
	}
	vsnprintf((char *)buffer->data + buffer->length, (size_t)length + 1, format, again);
	va_end(again);
	buffer->length += (size_t)length;
	return 0;
}

int prn_buffer_terminate(struct prn_buffer *buffer)
{
	if (prn_buffer_reserve(buffer, 1))
		return PRN_E_MEMORY;
	buffer->data[buffer->length] = 0;
	return 0;
}

static int append_little_endian(struct prn_buffer *buffer, uint64_t value, size_t width)
{
	unsigned char bytes[8];

	prn_little_put(bytes, width, value);
	return prn_buffer_append(buffer, bytes, width);
}

int prn_buffer_append_u32(struct prn_buffer *buffer, uint32_t value)
{
	return append_little_endian(buffer, value, 4);
}

int prn_buffer_append_u64(struct prn_buffer *buffer, uint64_t value)
{
	return append_little_endian(buffer, value, 8);
}

int prn_buffer_append_varint(struct prn_buffer *buffer, uint64_t value)
{
	unsigned char bytes[PRN_VARINT_BYTES];

	return prn_buffer_append(buffer, bytes, (size_t)(prn_varint_put(bytes, value) - bytes));
}

int prn_cursor_bytes(struct prn_cursor *cursor, size_t length, const unsigned char **bytes)
{
	if (length > cursor->length - cursor->at)
		return PRN_E_TRUNCATED;
	*bytes = cursor->data + cursor->at;
	cursor->at += length;
	return 0;
}

int prn_cursor_varint(struct prn_cursor *cursor, uint64_t *value)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < 10; i++) {
		unsigned char byte;

		if (cursor->at + i >= cursor->length)
			return PRN_E_TRUNCATED;
		byte = cursor->data[cursor->at + i];
		if (i == 9 && byte > 1)
			return PRN_E_INPUT;
		sum |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte & 0x80)
			continue;
		*value = sum;
		cursor->at += i + 1;
		return 0;
	}
	return PRN_E_INPUT;
}
