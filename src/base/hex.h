/*
 * Hexadecimal digits.
 */
#ifndef BASE_HEX_H
#define BASE_HEX_H

/* The value of a digit, of either case, or -1. */
static inline int prn_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
