#include "base/visible.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE_BYTES 8 /* of the longest, with its NUL */

/* The length of the UTF-8 sequence at text, and its character; 0 if it is none (RFC 3629). */
static size_t decode(const unsigned char *text, int32_t *character)
{
	static const int32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = *text < 0x80 ? 1 : *text < 0xc0 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf8 ? 4 : 0;
	int32_t read = length == 1 ? *text : length ? *text & (0xff >> (length + 1)) : 0;

	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		read = read << 6 | (text[i] & 0x3f);
	}
	if (length > 1 && (read < least[length] || read > 0x10ffff || (read >= 0xd800 && read < 0xe000)))
		return 0;
	*character = read;
	return length;
}

static bool is_escaped(int32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

size_t prn_visible_next(const char *text, int32_t *character)
{
	size_t length = *text ? decode((const unsigned char *)text, character) : 0;

	if (!*text)
		return 0;
	if (!length)
		*character = PRN_NOT_UTF8;
	else if (!is_escaped(*character))
		*character = PRN_IS_SHOWN;
	return length ? length : 1;
}

/* One character as it is shown; returns its length there. */
static size_t show(char out[ESCAPE_BYTES], const char *text, size_t length, int32_t character)
{
	if (character == PRN_IS_SHOWN)
		memcpy(out, text, length);
	else if (character == PRN_NOT_UTF8 || character < 0x80)
		length = (size_t)snprintf(out, ESCAPE_BYTES, "\\x%02x", (unsigned)(unsigned char)*text);
	else
		length = (size_t)snprintf(out, ESCAPE_BYTES, "\\u%04x", (unsigned)character & 0xffffu);
	return length;
}

size_t prn_visible_copy(char *out, size_t capacity, const char *text)
{
	char shown[ESCAPE_BYTES];
	size_t used = 0, length;
	int32_t character;

	for (; (length = prn_visible_next(text, &character)); text += length) {
		size_t added = show(shown, text, length, character);

		if (used + added >= capacity)
			break;
		memcpy(out + used, shown, added);
		used += added;
	}
	if (capacity)
		out[used] = 0;
	return used;
}

char *prn_visible_dup(const char *text)
{
	char shown[ESCAPE_BYTES], *copy;
	size_t room = 1, length;
	int32_t character;

	for (const char *at = text; (length = prn_visible_next(at, &character)); at += length)
		room += show(shown, at, length, character);
	copy = calloc(room, 1);
	if (copy)
		prn_visible_copy(copy, room, text);
	return copy;
}

char *prn_visible_url_dup(const char *url)
{
	char *copy = calloc(strlen(url) + 1, 3), *out = copy;
	int32_t character;

	for (size_t length; copy && (length = prn_visible_next(url, &character)); url += length)
		for (size_t i = 0; i < length; i++)
			out += character == PRN_IS_SHOWN ? (*out = url[i], 1) : sprintf(out, "%%%02X", (unsigned)(unsigned char)url[i]);
	return copy;
}
