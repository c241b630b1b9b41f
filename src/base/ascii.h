/*
 * Words of protocols, compared without regard to case.  The library's functions go by the locale of the program that uses it, and in
 * Turkish "I" is not the capital of "i": there a header "location" would not be "LOCATION".
 */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stddef.h>

static inline char prn_ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* As strncasecmp in the locale "C". */
static inline int prn_ascii_compare_n(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char x = (unsigned char)prn_ascii_lower(a[i]), y = (unsigned char)prn_ascii_lower(b[i]);

		if (x != y || !x)
			return x - y;
	}
	return 0;
}

/* As strcasecmp there. */
static inline int prn_ascii_compare(const char *a, const char *b)
{
	return prn_ascii_compare_n(a, b, (size_t)-1);
}

/* Where a text has a word for the first time, or NULL; word is not "". */
const char *prn_ascii_find(const char *text, const char *word);

#endif
