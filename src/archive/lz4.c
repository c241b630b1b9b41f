#include "archive/format.h"

#if HAVE_LZ4

#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>

#define FRAME 0x184d2204u /* LZ4 Frame Format 1.6: the first four bytes, little-endian */

struct lz4 {
	LZ4F_dctx *context;
};

static bool lz4_starts(const unsigned char *bytes, size_t length)
{
	return length >= 4 && (bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24) == FRAME;
}

static int lz4_open(void **out)
{
	struct lz4 *lz4 = calloc(1, sizeof *lz4);

	if (!lz4)
		return PRN_E_MEMORY;
	if (LZ4F_isError(LZ4F_createDecompressionContext(&lz4->context, LZ4F_VERSION))) {
		free(lz4);
		return PRN_E_MEMORY;
	}
	*out = lz4;
	return 0;
}

static void lz4_free(void *decoder)
{
	struct lz4 *lz4 = decoder;

	if (lz4)
		LZ4F_freeDecompressionContext(lz4->context);
	free(lz4);
}

static void lz4_begin(void *decoder)
{
	LZ4F_resetDecompressionContext(((struct lz4 *)decoder)->context);
}

static int lz4_decode(void *decoder, struct prn_input *input, unsigned char *out, size_t capacity, size_t *produced,
                      bool *ended, struct prn_error *error)
{
	struct lz4 *lz4 = decoder;
	size_t hint = 1, made = 0;

	while (hint && !made) {
		size_t used;
		int code = prn_input_ensure(input, 1, error);

		if (code)
			return code;
		used = prn_input_left(input);
		/* The end of a frame stays in the input until all its output has been taken. */
		if (!used)
			return prn_error_set(error, PRN_E_TRUNCATED, "the file ends inside it");
		made = capacity;
		hint = LZ4F_decompress(lz4->context, out, &made, prn_input_at(input), &used, NULL);
		if (LZ4F_isError(hint))
			return prn_error_set(error, PRN_E_INPUT, "%s", LZ4F_getErrorName(hint));
		prn_input_skip(input, used);
	}
	*produced = made;
	*ended = !hint;
	return 0;
}

const struct prn_format prn_format_lz4 = {
	.member = "lz4 frame",
	.suffix = ".lz4",
	/*
	 * A block, at most 4 MiB, yields no byte before all of it was read; a block longer than the input
	 * buffer is not tried.
	 */
	.look_ahead = PRN_INPUT_BYTES,
	.starts = lz4_starts,
	.open = lz4_open,
	.free = lz4_free,
	.begin = lz4_begin,
	.decode = lz4_decode,
};

#else

static bool lz4_starts(const unsigned char *bytes, size_t length)
{
	static const unsigned char magic[] = { 0x04, 0x22, 0x4d, 0x18 };

	for (size_t i = 0; i < sizeof magic; i++)
		if (i >= length || bytes[i] != magic[i])
			return false;
	return true;
}

static int lz4_open(void **out)
{
	(void)out;
	return PRN_E_UNSUPPORTED;
}

static void lz4_free(void *decoder)
{
	(void)decoder;
}

const struct prn_format prn_format_lz4 = {
	.member = "lz4 frame", .suffix = ".lz4", .look_ahead = 4, .starts = lz4_starts, .open = lz4_open, .free = lz4_free,
};

#endif
