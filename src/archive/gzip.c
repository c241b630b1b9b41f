#include "archive/format.h"
#include "archive/gzip_whole.h"

#include <stdlib.h>
#include <zlib.h>

struct gzip {
	z_stream zlib;
	struct prn_gzip_whole *whole; /* or NULL */
	struct prn_ahead *ahead;      /* or NULL */
	bool looked_ahead;            /* opening ahead was tried */
};

static int gzip_open(void **out)
{
	struct gzip *gzip = calloc(1, sizeof *gzip);

	if (!gzip)
		return PRN_E_MEMORY;
	/* 16: a gzip header and trailer, whose CRC and length zlib checks. */
	if (inflateInit2(&gzip->zlib, 16 + MAX_WBITS) != Z_OK) {
		free(gzip);
		return PRN_E_MEMORY;
	}
	gzip->whole = prn_gzip_whole_open();
	*out = gzip;
	return 0;
}

static void gzip_free(void *decoder)
{
	struct gzip *gzip = decoder;

	if (!gzip)
		return;
	prn_ahead_free(gzip->ahead);
	prn_gzip_whole_free(gzip->whole);
	inflateEnd(&gzip->zlib);
	free(gzip);
}

static void gzip_begin(void *decoder)
{
	struct gzip *gzip = decoder;

	inflateReset(&gzip->zlib);
}

/* Takes the member at the current input position, if other threads have decoded it, and skips it in the input. */
static bool take_ahead(struct gzip *gzip, struct prn_input *input, const unsigned char **bytes, size_t *length)
{
	size_t packed;

	if (!gzip->looked_ahead && prn_gzip_ahead && input->spare && input->regular)
		gzip->ahead = prn_ahead_open(prn_gzip_ahead, input->file, input->spare);
	gzip->looked_ahead = true;
	if (!gzip->ahead || !prn_ahead_take(gzip->ahead, input->offset, &packed, bytes, length))
		return false;
	/* A read error is not reported here: the next read meets it again and reports it. */
	if (prn_input_ensure(input, packed, NULL) || prn_input_left(input) < packed)
		return false;
	prn_input_skip(input, packed);
	return true;
}

static bool gzip_whole(void *decoder, struct prn_input *input, const unsigned char **bytes, size_t *length)
{
	struct gzip *gzip = decoder;

	return take_ahead(gzip, input, bytes, length) || prn_gzip_whole_take(gzip->whole, input, bytes, length);
}

static int gzip_decode(void *decoder, struct prn_input *input, unsigned char *out, size_t capacity,
                       size_t *produced, bool *ended, struct prn_error *error)
{
	z_stream *zlib = &((struct gzip *)decoder)->zlib;
	int result = Z_OK;

	zlib->next_out = out;
	zlib->avail_out = (uInt)capacity;
	while (result == Z_OK && zlib->avail_out == capacity) {
		int code = prn_input_ensure(input, 1, error);

		if (code)
			return code;
		if (!prn_input_left(input))
			return prn_error_set(error, PRN_E_TRUNCATED, "the file ends inside it");
		zlib->next_in = (z_const Bytef *)prn_input_at(input);
		zlib->avail_in = (uInt)prn_input_left(input);
		result = inflate(zlib, Z_NO_FLUSH);
		prn_input_skip(input, prn_input_left(input) - zlib->avail_in);
	}
	if (result == Z_MEM_ERROR)
		return prn_error_memory(error);
	/* Bytes decoded before the damage are returned first: zlib reports the error again at the next call. */
	if (result != Z_OK && result != Z_STREAM_END && zlib->avail_out == capacity)
		return prn_error_set(error, PRN_E_INPUT, "%s", zlib->msg ? zlib->msg : "damaged");
	*produced = capacity - zlib->avail_out;
	*ended = result == Z_STREAM_END;
	return 0;
}

const struct prn_format prn_format_gzip = {
	.member = "gzip member",
	.suffix = ".gz",
	.look_ahead = 4096,
	.starts = prn_gzip_starts,
	.open = gzip_open,
	.free = gzip_free,
	.zeros = true,
	.begin = gzip_begin,
	.whole = gzip_whole,
	.decode = gzip_decode,
};
