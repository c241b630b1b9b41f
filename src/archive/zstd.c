#include "archive/format.h"
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/*
 * IIPC "Zstandard compression for WARC": a file may begin with a skippable frame of this magic that contains
 * the dictionary of all frames after it, raw or compressed as one frame.  A second one, as in files joined with
 * cat, replaces the first.
 */
#define DICTIONARY_FRAME 0x184d2a5du
#define SKIPPABLE_FIRST 0x184d2a50u
#define SKIPPABLE_LAST 0x184d2a5fu
#define FRAME 0xfd2fb528u
#define DICTIONARY 0xec30a437u

#define FRAME_START 5 /* magic and the byte that gives the length of the header */
#define DICTIONARY_BYTES ((size_t)32 << 20) /* stored and decoded: far more than is useful */

struct zstd {
	ZSTD_DCtx *context;
	size_t hint;   /* bytes that the next call takes: at most a block, so that damage in it does not hide earlier ones */
	bool flushing; /* out was filled: there may be more without new input */
};

static uint32_t u32(const unsigned char *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool is_skippable(uint32_t magic)
{
	return magic >= SKIPPABLE_FIRST && magic <= SKIPPABLE_LAST;
}

static bool zstd_starts(const unsigned char *bytes, size_t length)
{
	return length >= 4 && (u32(bytes) == FRAME || is_skippable(u32(bytes)));
}

static int zstd_open(void **out)
{
	struct zstd *zstd = calloc(1, sizeof *zstd);

	if (!zstd)
		return PRN_E_MEMORY;
	zstd->context = ZSTD_createDCtx();
	if (!zstd->context) {
		free(zstd);
		return PRN_E_MEMORY;
	}
	*out = zstd;
	return 0;
}

static void zstd_free(void *decoder)
{
	struct zstd *zstd = decoder;

	if (zstd)
		ZSTD_freeDCtx(zstd->context);
	free(zstd);
}

/* The dictionary stays. */
static void zstd_begin(void *decoder)
{
	struct zstd *zstd = decoder;

	ZSTD_DCtx_reset(zstd->context, ZSTD_reset_session_only);
	zstd->hint = FRAME_START;
	zstd->flushing = false;
}

/* Skips length bytes, which go to *kept unless it is NULL. */
static int take_frame(struct prn_input *input, uint64_t length, struct prn_buffer *kept, struct prn_error *error)
{
	while (length) {
		size_t left;
		int code = prn_input_ensure(input, 1, error);

		if (code)
			return code;
		left = prn_input_left(input);
		if (!left)
			return prn_error_set(error, PRN_E_TRUNCATED, "the file ends inside a skippable frame");
		if (left > length)
			left = (size_t)length;
		if (kept && prn_buffer_append(kept, prn_input_at(input), left))
			return prn_error_memory(error);
		prn_input_skip(input, left);
		length -= left;
	}
	return 0;
}

static int unpack(const struct prn_buffer *packed, struct prn_buffer *dictionary, struct prn_error *error)
{
	unsigned long long size = ZSTD_getFrameContentSize(packed->data, packed->length);
	size_t got;

	/* The frame may omit its size: then there is room for the largest. */
	if (size == ZSTD_CONTENTSIZE_UNKNOWN)
		size = DICTIONARY_BYTES;
	if (size > DICTIONARY_BYTES)
		return prn_error_set(error, PRN_E_INPUT, "the dictionary is damaged or above %zu bytes",
		                     DICTIONARY_BYTES);
	if (prn_buffer_reserve(dictionary, (size_t)size + 1))
		return prn_error_memory(error);
	got = ZSTD_decompress(dictionary->data, (size_t)size, packed->data, packed->length);
	if (ZSTD_isError(got))
		return prn_error_set(error, PRN_E_INPUT, "the dictionary is damaged: %s", ZSTD_getErrorName(got));
	dictionary->length = got;
	return 0;
}

static int load_dictionary(struct zstd *zstd, const struct prn_buffer *stored, struct prn_error *error)
{
	struct prn_buffer unpacked = { 0 };
	const struct prn_buffer *dictionary = stored;
	uint32_t magic = stored->length >= 4 ? u32(stored->data) : 0;
	int code = 0;
	size_t result;

	if (magic == FRAME) {
		code = unpack(stored, &unpacked, error);
		dictionary = &unpacked;
		magic = dictionary->length >= 4 ? u32(dictionary->data) : 0;
	}
	if (!code && magic != DICTIONARY)
		code = prn_error_set(error, PRN_E_INPUT, "the dictionary frame holds no zstd dictionary");
	if (code)
		goto out;
	result = ZSTD_DCtx_loadDictionary(zstd->context, dictionary->data, dictionary->length);
	if (ZSTD_isError(result))
		code = prn_error_set(error, PRN_E_INPUT, "the dictionary is damaged: %s",
		                     ZSTD_getErrorName(result));
out:
	prn_buffer_release(&unpacked);
	return code;
}

static int take_dictionary(struct zstd *zstd, struct prn_input *input, uint32_t length,
                           struct prn_error *error)
{
	struct prn_buffer stored = { 0 };
	int code;

	if (length > DICTIONARY_BYTES)
		return prn_error_set(error, PRN_E_INPUT, "the dictionary is damaged or above %zu bytes",
		                     DICTIONARY_BYTES);
	code = take_frame(input, length, &stored, error);
	if (!code)
		code = load_dictionary(zstd, &stored, error);
	prn_buffer_release(&stored);
	return code;
}

static int zstd_prepare(void *decoder, struct prn_input *input, struct prn_error *error)
{
	for (;;) {
		uint32_t magic, length;
		int code = prn_input_ensure(input, 8, error);

		if (code || prn_input_left(input) < 4)
			return code;
		magic = u32(prn_input_at(input));
		if (!is_skippable(magic))
			return 0;
		if (prn_input_left(input) < 8)
			return prn_error_set(error, PRN_E_TRUNCATED, "the file ends inside a skippable frame");
		length = u32(prn_input_at(input) + 4);
		prn_input_skip(input, 8);
		if (magic == DICTIONARY_FRAME)
			code = take_dictionary(decoder, input, length, error);
		else
			code = take_frame(input, length, NULL, error);
		if (code)
			return code;
	}
}

static int zstd_decode(void *decoder, struct prn_input *input, unsigned char *out, size_t capacity,
                       size_t *produced, bool *ended, struct prn_error *error)
{
	ZSTD_outBuffer to = { out, capacity, 0 };
	struct zstd *zstd = decoder;

	while (zstd->hint && !to.pos) {
		ZSTD_inBuffer from;
		int code = prn_input_ensure(input, 1, error);

		if (code)
			return code;
		if (!prn_input_left(input) && !zstd->flushing)
			return prn_error_set(error, PRN_E_TRUNCATED, "the file ends inside it");
		from = (ZSTD_inBuffer){ prn_input_at(input), prn_input_left(input), 0 };
		if (from.size > zstd->hint)
			from.size = zstd->hint;
		zstd->hint = ZSTD_decompressStream(zstd->context, &to, &from);
		if (ZSTD_isError(zstd->hint))
			return prn_error_set(error, PRN_E_INPUT, "%s", ZSTD_getErrorName(zstd->hint));
		prn_input_skip(input, from.pos);
		zstd->flushing = to.pos == to.size;
	}
	*produced = to.pos;
	*ended = !zstd->hint;
	return 0;
}

const struct prn_format prn_format_zstd = {
	.member = "zstd frame",
	.suffix = ".zst",
	/* A block, at most 128 KiB, yields no byte before all of it was read. */
	.look_ahead = ((size_t)128 << 10) + 64,
	.starts = zstd_starts,
	.open = zstd_open,
	.free = zstd_free,
	.prepare = zstd_prepare,
	.begin = zstd_begin,
	.decode = zstd_decode,
};
