#include "base/base64.h"

#include "perennial/error.h"

#include <stdbool.h>

/* The value of a digit, or -1. */
static int value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	return c == '/' || c == '_' ? 63 : -1;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

int prn_base64_decode(const char *text, size_t length, struct prn_buffer *bytes)
{
	unsigned held = 0, digits = 0, padding = 0;
	uint32_t sum = 0;

	if (prn_buffer_reserve(bytes, length / 4 * 3 + 3))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < length; i++) {
		int value = value_of(text[i]);

		if (is_blank(text[i]))
			continue;
		padding += text[i] == '=';
		if (text[i] == '=')
			continue;
		if (value < 0 || padding)
			return PRN_E_INPUT;
		digits++;
		sum = (sum << 6 | (uint32_t)value) & 0xffff;
		held += 6;
		if (held >= 8) {
			held -= 8;
			bytes->data[bytes->length++] = (unsigned char)(sum >> held);
		}
	}
	/* One digit alone is less than a byte; padding fills the last four, or is not there. */
	if (digits % 4 == 1 || (padding && (digits + padding) % 4) || padding > 2)
		return PRN_E_INPUT;
	return 0;
}

void prn_base64_encode(const void *bytes, size_t length, char *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *from = bytes;

	for (size_t i = 0; i < length; i += 3, out += 4) {
		unsigned bits = 0;

		for (size_t j = 0; j < 3; j++)
			bits = bits << 8 | (i + j < length ? from[i + j] : 0);
		for (int j = 0; j < 4; j++)
			out[j] = digits[bits >> (18 - 6 * j) & 63];
		if (i + 2 >= length)
			out[3] = '=';
		if (i + 1 >= length)
			out[2] = '=';
	}
	*out = 0;
}
