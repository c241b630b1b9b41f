#include "archive/payload.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* "SHA-1" is "sha1". */
static bool read_label(const char *text, size_t length, char label[PRN_PAYLOAD_LABEL])
{
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '-')
			continue;
		if (n == PRN_PAYLOAD_LABEL - 1)
			return false;
		label[n++] = lower(text[i]);
	}
	label[n] = 0;
	return n > 0;
}

static size_t digest_bytes(const char *label)
{
	static const struct {
		const char *label;
		size_t bytes;
	} sizes[] = { { "md5", 16 }, { "sha1", 20 }, { "sha256", 32 }, { "sha512", 64 } };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (!strcmp(sizes[i].label, label))
			return sizes[i].bytes;
	return 0;
}

/* RFC 4648: the value of a digit of base 16 (4 bits) or base 32 (5 bits), or -1. */
static int digit(char c, unsigned bits)
{
	c = lower(c);
	if (bits == 4 && c >= '0' && c <= '9')
		return c - '0';
	if (bits == 4)
		return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
	if (c >= '2' && c <= '7')
		return c - '2' + 26;
	return c >= 'a' && c <= 'z' ? c - 'a' : -1;
}

/* Decodes count digits into bytes; bits left over at the end are dropped. */
static bool decode(const char *text, size_t count, unsigned bits, unsigned char bytes[PRN_PAYLOAD_BYTES])
{
	unsigned held = 0, sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		int value = digit(text[i], bits);

		if (value < 0)
			return false;
		sum = (sum << bits | (unsigned)value) & 0xfff;
		held += bits;
		if (held >= 8) {
			held -= 8;
			bytes[n++] = (unsigned char)(sum >> held);
		}
	}
	return true;
}

size_t prn_payload_decode(const char *text, char label[PRN_PAYLOAD_LABEL], unsigned char bytes[PRN_PAYLOAD_BYTES])
{
	const char *colon = strchr(text, ':');
	size_t size, length;

	if (!colon || !read_label(text, (size_t)(colon - text), label))
		return 0;
	size = digest_bytes(label);
	length = strcspn(colon + 1, "=");
	if (!(size && length == 2 * size && decode(colon + 1, length, 4, bytes)) &&
	    !(size && length == (8 * size + 4) / 5 && decode(colon + 1, length, 5, bytes)))
		return 0;
	return size;
}

bool prn_payload_digest(const char *text, struct prn_digest *digest)
{
	const char *colon = strchr(text, ':');
	char label[PRN_PAYLOAD_LABEL], canonical[PRN_PAYLOAD_LABEL + 2 * PRN_PAYLOAD_BYTES + 2];
	unsigned char bytes[PRN_PAYLOAD_BYTES];
	size_t size;
	int at;

	if (!colon || !colon[1] || !read_label(text, (size_t)(colon - text), label))
		return false;
	size = prn_payload_decode(text, label, bytes);
	if (!size) {
		*digest = prn_digest_bytes(text, strlen(text));
		return true;
	}
	at = snprintf(canonical, sizeof canonical, "%s:", label);
	for (size_t i = 0; i < size; i++)
		at += snprintf(canonical + at, sizeof canonical - (size_t)at, "%02x", bytes[i]);
	*digest = prn_digest_bytes(canonical, (size_t)at);
	return true;
}
