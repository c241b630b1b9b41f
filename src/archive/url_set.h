/* Sets of ASCII characters, named as in the URL standard, and escapes. */
#ifndef ARCHIVE_URL_SET_H
#define ARCHIVE_URL_SET_H

#include "base/hex.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bit c % 64 of word c / 64: c is in it. */
struct prn_url_set {
	uint64_t words[2];
};

/* The characters before and after "@", 64, as the two halves of a set. */
#define PRN_URL_LOW(c) ((uint64_t)1 << (c))
#define PRN_URL_HIGH(c) ((uint64_t)1 << ((c) - 64))
#define PRN_URL_CONTROLS ((uint64_t)0xffffffff) /* 0 … 31 */

/* Bytes of non-ASCII characters are in no set. */
static inline bool prn_url_in(const struct prn_url_set *set, char c)
{
	unsigned char byte = (unsigned char)c;

	return byte < 128 && set->words[byte >> 6] >> (byte & 63) & 1;
}

/* Returns the byte that the escape at text stands for, or -1. */
static inline int prn_url_unescape(const char *text, size_t length)
{
	int high = length > 2 && text[0] == '%' ? prn_hex_digit(text[1]) : -1, low = high < 0 ? -1 : prn_hex_digit(text[2]);

	return low < 0 ? -1 : high * 16 + low;
}

/* RFC 3986 §2.3: letters, digits, "-._~" */
static inline bool prn_url_is_unreserved(int byte)
{
	static const struct prn_url_set unreserved = { {
		PRN_URL_LOW('-') | PRN_URL_LOW('.') | (uint64_t)0x3ff << '0',
		(uint64_t)0x3ffffff << 1 | (uint64_t)0x3ffffff << 33 | PRN_URL_HIGH('_') | PRN_URL_HIGH('~'),
	} };

	return byte >= 0 && prn_url_in(&unreserved, (char)byte);
}

#endif
