#include "fragment/utf8.h"
#include "fragment/lanes.h"
#include "perennial/error.h"

#include <string.h>

#define BLOCK 64

static unsigned is_control(unsigned char c)
{
	return (c < 0x20) & (c != '\t') & (c != '\n') & (c != '\r');
}

/* Adds the faults of a block of ASCII; returns false, with nothing added, if it is not all ASCII. */
static bool take_ascii_block(const unsigned char *bytes, unsigned *faults)
{
	unsigned char high = 0, control = 0;

	for (size_t i = 0; i < BLOCK; i++) {
		high |= bytes[i];
		control |= (unsigned char)is_control(bytes[i]);
	}
	if (high & 0x80)
		return false;
	*faults |= control ? PRN_UTF8_CONTROL : 0;
	return true;
}

static bool is_tail(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Returns the length of the valid sequence that starts at bytes < end, or 0. */
static size_t sequence_length(const unsigned char *bytes, const unsigned char *end)
{
	size_t left = (size_t)(end - bytes);
	unsigned char c = bytes[0], second;

	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4 || left < 2 || !is_tail(bytes[1]))
		return 0;
	if (c < 0xe0)
		return 2;
	second = bytes[1];
	/* The second byte rules out overlong forms, surrogates, and code points beyond U+10FFFF. */
	if ((c == 0xe0 && second < 0xa0) || (c == 0xed && second > 0x9f) ||
	    (c == 0xf0 && second < 0x90) || (c == 0xf4 && second > 0x8f))
		return 0;
	if (left < 3 || !is_tail(bytes[2]))
		return 0;
	if (c < 0xf0)
		return 3;
	return left >= 4 && is_tail(bytes[3]) ? 4 : 0;
}

/* Tells whether eight bytes are ASCII without control characters. */
static bool is_plain(const unsigned char *bytes)
{
	uint64_t lanes = prn_lanes_load(bytes);

	return !(lanes & PRN_LANES_TOP) && !prn_lanes_between(lanes, 0, 0x1f);
}

/* Checks sequence by sequence, but eight plain characters at once, until stop <= end is reached or passed. */
static const unsigned char *take_mixed(const unsigned char *at, const unsigned char *stop,
                                       const unsigned char *end, unsigned *faults)
{
	while (at < stop) {
		size_t sequence;

		if (end - at >= 8 && is_plain(at)) {
			at += 8;
			continue;
		}
		sequence = sequence_length(at, end);
		*faults |= sequence ? 0 : PRN_UTF8_INVALID;
		*faults |= is_control(*at) ? PRN_UTF8_CONTROL : 0;
		at += sequence ? sequence : 1;
	}
	return at;
}

unsigned prn_utf8_faults(const void *bytes, size_t length)
{
	const unsigned char *at = bytes, *end = at + length;
	unsigned faults = 0;

	while (end - at >= BLOCK) {
		__builtin_prefetch(at + 2048);
		__builtin_prefetch(at + 6144);
		if (take_ascii_block(at, &faults))
			at += BLOCK;
		else
			at = take_mixed(at, at + BLOCK, end, &faults);
	}
	/* The last eight bytes are looked at together, whether or not some of them were before. */
	take_mixed(at, length >= 8 && is_plain(end - 8) ? end - 8 : end, end, &faults);
	return faults;
}

size_t prn_utf8_put(unsigned char *bytes, uint32_t code)
{
	size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	if (length == 1) {
		bytes[0] = (unsigned char)code;
		return 1;
	}
	for (size_t i = length; --i;) {
		bytes[i] = (unsigned char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	bytes[0] = (unsigned char)((0xf00 >> length & 0xff) | code);
	return length;
}

int prn_utf8_append(struct prn_buffer *buffer, uint32_t code)
{
	unsigned char bytes[PRN_UTF8_MAX];

	return prn_buffer_append(buffer, bytes, prn_utf8_put(bytes, code));
}

int prn_utf8_append_repaired(struct prn_buffer *buffer, const void *bytes, size_t length)
{
	const unsigned char *at = bytes, *end = at + length;

	while (at < end) {
		const unsigned char *from = at;
		size_t sequence;

		while (at < end && !is_control(*at) && (sequence = sequence_length(at, end)) != 0)
			at += sequence;
		if (prn_buffer_append(buffer, from, (size_t)(at - from)))
			return PRN_E_MEMORY;
		if (at < end && prn_utf8_append(buffer, is_control(*at++) ? ' ' : 0xfffd))
			return PRN_E_MEMORY;
	}
	return 0;
}
