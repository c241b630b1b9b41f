#include "archive/gzip_whole.h"

#include <stdlib.h>

bool prn_gzip_starts(const unsigned char *bytes, size_t length)
{
	return length >= 4 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8 && !(bytes[3] & 0xe0);
}

#if HAVE_LIBDEFLATE
#include <libdeflate.h>

#define LEAST_BYTES 18 /* bytes of a member: its header and its trailer */
#define MOST_RATIO 1032 /* the largest ratio of deflate: 258 bytes for two bits */
#define AT_HAND (PRN_INPUT_BYTES / 2) /* bytes requested of a regular file: most members have fewer */

struct prn_gzip_whole {
	struct libdeflate_decompressor *inflate;
	unsigned char bytes[PRN_GZIP_WHOLE_BYTES];
};

struct prn_gzip_whole *prn_gzip_whole_open(void)
{
	struct prn_gzip_whole *whole = malloc(sizeof *whole);

	if (whole && !(whole->inflate = libdeflate_alloc_decompressor())) {
		free(whole);
		return NULL;
	}
	return whole;
}

void prn_gzip_whole_free(struct prn_gzip_whole *whole)
{
	if (whole)
		libdeflate_free_decompressor(whole->inflate);
	free(whole);
}

bool prn_gzip_whole_take(struct prn_gzip_whole *whole, struct prn_input *input, const unsigned char **bytes, size_t *length)
{
	size_t packed;

	/* A read error is not reported here: the next read meets it again and reports it. */
	if (!whole || (input->regular && prn_input_ensure(input, AT_HAND, NULL)))
		return false;
	if (libdeflate_gzip_decompress_ex(whole->inflate, prn_input_at(input), prn_input_left(input), whole->bytes,
	                                  sizeof whole->bytes, &packed, length) != LIBDEFLATE_SUCCESS)
		return false;
	prn_input_skip(input, packed);
	*bytes = whole->bytes;
	return true;
}

static void *ahead_open(void)
{
	return libdeflate_alloc_decompressor();
}

static void ahead_free(void *unpacker)
{
	libdeflate_free_decompressor(unpacker);
}

static bool ahead_unpack(void *unpacker, const unsigned char *bytes, size_t length, unsigned char *out, size_t room, size_t *packed,
                         size_t *unpacked)
{
	return libdeflate_gzip_decompress_ex(unpacker, bytes, length, out, room, packed, unpacked) == LIBDEFLATE_SUCCESS;
}

static const struct prn_ahead_kind ahead = {
	.first = 0x1f,
	.starts = prn_gzip_starts,
	.open = ahead_open,
	.free = ahead_free,
	.unpack = ahead_unpack,
};

const struct prn_ahead_kind *const prn_gzip_ahead = &ahead;

/* Returns the length that a member which ends here states, as far as deflate could reach it; SIZE_MAX: it is impossible. */
static size_t stated_length(const unsigned char *bytes, size_t length)
{
	const unsigned char *end = bytes + length;
	uint32_t stated;

	if (length < LEAST_BYTES)
		return SIZE_MAX;
	stated = end[-4] | (uint32_t)end[-3] << 8 | (uint32_t)end[-2] << 16 | (uint32_t)end[-1] << 24;
	return stated / MOST_RATIO <= length ? stated : SIZE_MAX;
}

bool prn_gunzip_whole(const unsigned char *bytes, size_t length, size_t limit, struct prn_buffer *out)
{
	size_t room = stated_length(bytes, length), used, got;
	struct libdeflate_decompressor *inflate;
	bool whole;

	prn_buffer_clear(out);
	if (room > limit || prn_buffer_reserve(out, room + 1))
		return false;
	inflate = libdeflate_alloc_decompressor();
	if (!inflate)
		return false;
	whole = libdeflate_gzip_decompress_ex(inflate, bytes, length, out->data, room, &used, &got) == LIBDEFLATE_SUCCESS &&
	        used == length;
	libdeflate_free_decompressor(inflate);
	if (whole)
		out->length = got;
	return whole;
}
#else
const struct prn_ahead_kind *const prn_gzip_ahead = NULL;

struct prn_gzip_whole *prn_gzip_whole_open(void)
{
	return NULL;
}

void prn_gzip_whole_free(struct prn_gzip_whole *whole)
{
	(void)whole;
}

bool prn_gzip_whole_take(struct prn_gzip_whole *whole, struct prn_input *input, const unsigned char **bytes, size_t *length)
{
	(void)whole, (void)input, (void)bytes, (void)length;
	return false;
}

bool prn_gunzip_whole(const unsigned char *bytes, size_t length, size_t limit, struct prn_buffer *out)
{
	(void)bytes, (void)length, (void)limit;
	prn_buffer_clear(out);
	return false;
}
#endif
