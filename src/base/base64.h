/*
 * Base64 (RFC 4648 §4 and §5).  Both alphabets are read, padding may be missing, and white space is passed over.  What is
 * written has the alphabet of §4, and padding.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/buffer.h"

#include <stdbool.h>

/* The value of a digit of either alphabet, or -1. */
int prn_base64_digit(char c);

/* Text that comes in pieces, as far as it has been read; it begins as zero bytes. */
struct prn_base64 {
	uint32_t sum;
	unsigned held, digits, padding;
};

/*
 * Appends the bytes that the next length characters complete.
 *
 * PRN_E_INPUT	another character, or one after padding; bytes before it may have been appended
 * PRN_E_MEMORY
 */
int prn_base64_add(struct prn_base64 *text, const char *piece, size_t length, struct prn_buffer *bytes);

/* Whether text may end here: with padding that fills the last four digits, or with none, and not within a byte. */
bool prn_base64_may_end(const struct prn_base64 *text);

/* Whether what came so far is of whole fours, padded where the last one needs it: text that ends elsewhere was cut, or not padded. */
bool prn_base64_is_filled(const struct prn_base64 *text);

/*
 * Appends the bytes that length characters of text stand for.
 *
 * PRN_E_INPUT	another character, padding inside, or a digit too many; bytes before it may have been appended
 * PRN_E_MEMORY
 */
int prn_base64_decode(const char *text, size_t length, struct prn_buffer *bytes);

/* Writes length bytes as text and a NUL to out. */
#define PRN_BASE64_BYTES(length) (((length) + 2) / 3 * 4 + 1)
void prn_base64_encode(const void *bytes, size_t length, char *out);

#endif
