/* Validates UTF-8 and repairs it.  The fast path is a run of ASCII, 64 bytes at a time. */
#ifndef FRAGMENT_UTF8_H
#define FRAGMENT_UTF8_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_UTF8_INVALID 1u /* not valid UTF-8 somewhere */
#define PRN_UTF8_CONTROL 2u /* a character below U+0020 other than tab, line feed and carriage return */

/* Returns which of the faults above length bytes have. */
unsigned prn_utf8_faults(const void *bytes, size_t length);

static inline bool prn_utf8_is_valid(const void *bytes, size_t length)
{
	return !(prn_utf8_faults(bytes, length) & PRN_UTF8_INVALID);
}

/*
 * Appends a copy without faults: each byte that is part of no valid sequence becomes U+FFFD, each control
 * character a space.  PRN_E_MEMORY
 */
int prn_utf8_append_repaired(struct prn_buffer *buffer, const void *bytes, size_t length);

#define PRN_UTF8_MAX 4 /* bytes of a character */

/* Writes the bytes of a code point, which must be a Unicode scalar value, and returns their number. */
size_t prn_utf8_put(unsigned char *bytes, uint32_t code);

/* Appends the bytes of a code point.  PRN_E_MEMORY */
int prn_utf8_append(struct prn_buffer *buffer, uint32_t code);

/* Returns the code point of a valid sequence and moves past it. */
static inline uint32_t prn_utf8_take(const unsigned char **at)
{
	const unsigned char *p = *at;

	if (p[0] < 0x80) {
		*at = p + 1;
		return p[0];
	}
	if (p[0] < 0xe0) {
		*at = p + 2;
		return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
	}
	if (p[0] < 0xf0) {
		*at = p + 3;
		return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
	}
	*at = p + 4;
	return (p[0] & 0x07u) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
}

#endif
