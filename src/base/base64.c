#include "base/base64.h"

#include "perennial/error.h"

int prn_base64_digit(char c)
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

int prn_base64_add(struct prn_base64 *text, const char *piece, size_t length, struct prn_buffer *bytes)
{
	if (prn_buffer_reserve(bytes, length / 4 * 3 + 3))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < length; i++) {
		int value = prn_base64_digit(piece[i]);

		if (piece[i] == ' ' || (piece[i] >= '\t' && piece[i] <= '\r'))
			continue;
		text->padding += piece[i] == '=';
		if (piece[i] == '=')
			continue;
		if (value < 0 || text->padding)
			return PRN_E_INPUT;
		text->digits = (text->digits + 1) % 4;
		text->sum = (text->sum << 6 | (uint32_t)value) & 0xffff;
		text->held += 6;
		if (text->held >= 8) {
			text->held -= 8;
			bytes->data[bytes->length++] = (unsigned char)(text->sum >> text->held);
		}
	}
	return 0;
}

bool prn_base64_may_end(const struct prn_base64 *text)
{
	/* One digit alone is less than a byte; padding fills the last four, or is not there. */
	return text->digits != 1 && !(text->padding && (text->digits + text->padding) % 4) && text->padding <= 2;
}

bool prn_base64_is_filled(const struct prn_base64 *text)
{
	return prn_base64_may_end(text) && (text->digits + text->padding) % 4 == 0;
}

int prn_base64_decode(const char *text, size_t length, struct prn_buffer *bytes)
{
	struct prn_base64 whole = { 0 };
	int code = prn_base64_add(&whole, text, length, bytes);

	return code ? code : prn_base64_may_end(&whole) ? 0 : PRN_E_INPUT;
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
