#include "archive/payload.h"

#include "base/base64.h"
#include "base/hex.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LABEL_BYTES 16 /* room for the longest name of an algorithm that is compared */

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* "SHA-1" equals "sha1". */
static bool read_label(const char *text, size_t length, char label[LABEL_BYTES])
{
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '-' || text[i] == '_' || text[i] == '/')
			continue;
		if (n == LABEL_BYTES - 1)
			return false;
		label[n++] = lower(text[i]);
	}
	label[n] = 0;
	return n > 0;
}

/* RFC 4648 §6, in either case. */
static int base32_digit(char c)
{
	c = lower(c);
	if (c >= '2' && c <= '7')
		return c - '2' + 26;
	return c >= 'a' && c <= 'z' ? c - 'a' : -1;
}

/* Decodes count digits of so many bits into bytes, which they fill; bits left over at the end are dropped. */
static bool decode(const char *text, size_t count, unsigned bits, int (*digit)(char), unsigned char *bytes)
{
	unsigned held = 0, sum = 0;

	for (size_t i = 0; i < count; i++) {
		int value = digit(text[i]);

		if (value < 0)
			return false;
		sum = (sum << bits | (unsigned)value) & 0x3fff;
		held += bits;
		if (held >= 8) {
			held -= 8;
			*bytes++ = (unsigned char)(sum >> held);
		}
	}
	return true;
}

const struct prn_message_kind *prn_payload_decode(const char *text, unsigned char bytes[PRN_MESSAGE_BYTES])
{
	static const struct {
		unsigned bits;
		int (*digit)(char);
	} bases[] = { { 4, prn_hex_digit }, { 5, base32_digit }, { 6, prn_base64_digit } };
	const char *colon = strchr(text, ':');
	const struct prn_message_kind *kind;
	char label[LABEL_BYTES];
	size_t length;

	if (!colon || !read_label(text, (size_t)(colon - text), label))
		return NULL;
	kind = prn_message_kind_find(label);
	length = strcspn(colon + 1, "=");
	for (size_t i = 0; kind && i < sizeof bases / sizeof *bases; i++)
		if (length == (8 * kind->bytes + bases[i].bits - 1) / bases[i].bits)
			return decode(colon + 1, length, bases[i].bits, bases[i].digit, bytes) ? kind : NULL;
	return NULL;
}

bool prn_payload_digest(const char *text, struct prn_digest *digest)
{
	const char *colon = strchr(text, ':');
	char label[LABEL_BYTES], canonical[LABEL_BYTES + 2 * PRN_MESSAGE_BYTES + 2];
	unsigned char bytes[PRN_MESSAGE_BYTES];
	const struct prn_message_kind *kind;
	int at;

	if (!colon || !colon[1] || !read_label(text, (size_t)(colon - text), label))
		return false;
	kind = prn_payload_decode(text, bytes);
	if (!kind) {
		*digest = prn_digest_bytes(text, strlen(text));
		return true;
	}
	at = snprintf(canonical, sizeof canonical, "%s:", kind->name);
	for (size_t i = 0; i < kind->bytes; i++)
		at += snprintf(canonical + at, sizeof canonical - (size_t)at, "%02x", bytes[i]);
	*digest = prn_digest_bytes(canonical, (size_t)at);
	return true;
}
