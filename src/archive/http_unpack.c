#include "archive/gzip_whole.h"
#include "archive/http_unpack.h"

#include <stdint.h>
#include <zlib.h>
#include <zstd.h>
#if HAVE_BROTLI
#include <brotli/decode.h>
#endif

#define FIRST_BYTES 1024
#define ZSTD_WINDOW_LOG 23 /* RFC 9659 */

/* Doubles the room for output: 0 bytes at the limit.  False: no memory. */
static bool make_room(struct prn_buffer *out, size_t packed, size_t limit, size_t *room)
{
	*room = out->length ? out->length : 2 * packed + FIRST_BYTES;
	if (*room > limit - out->length)
		*room = limit - out->length;
	if (*room > UINT32_MAX)
		*room = UINT32_MAX;
	return !prn_buffer_reserve(out, *room);
}

static enum prn_unpacked zlib_outcome(int result)
{
	switch (result) {
	case Z_STREAM_END:
		return PRN_UNPACKED_WHOLE;
	case Z_OK:
		return PRN_UNPACKED_FULL;
	case Z_BUF_ERROR:
		return PRN_UNPACKED_SHORT;
	case Z_MEM_ERROR:
		return PRN_UNPACKED_STARVED;
	default:
		return PRN_UNPACKED_DAMAGED;
	}
}

static enum prn_unpacked inflate_all(int window_bits, const unsigned char *bytes, size_t length, size_t limit,
                                     struct prn_buffer *out)
{
	z_stream zlib = { .next_in = (z_const Bytef *)bytes, .avail_in = (uInt)length };
	int result = inflateInit2(&zlib, window_bits);

	if (result != Z_OK)
		return PRN_UNPACKED_STARVED;
	while (result == Z_OK && out->length < limit) {
		size_t room;

		if (!make_room(out, length, limit, &room)) {
			result = Z_MEM_ERROR;
			break;
		}
		zlib.next_out = out->data + out->length;
		zlib.avail_out = (uInt)room;
		result = inflate(&zlib, Z_NO_FLUSH);
		out->length += room - zlib.avail_out;
		/* Another member follows: gzip allows several. */
		if (result == Z_STREAM_END && zlib.avail_in > 2 && zlib.next_in[0] == 0x1f && zlib.next_in[1] == 0x8b)
			result = inflateReset(&zlib);
	}
	inflateEnd(&zlib);
	return zlib_outcome(result);
}

static enum prn_unpacked unpack_zstd(const unsigned char *bytes, size_t length, size_t limit, struct prn_buffer *out)
{
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	ZSTD_inBuffer from = { bytes, length, 0 };
	enum prn_unpacked outcome = PRN_UNPACKED_FULL;
	size_t hint = 1;

	if (!zstd || ZSTD_isError(ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG))) {
		ZSTD_freeDCtx(zstd);
		return PRN_UNPACKED_STARVED;
	}
	while (outcome == PRN_UNPACKED_FULL && out->length < limit) {
		ZSTD_outBuffer to = { 0 };
		size_t before = from.pos;

		if (!make_room(out, length, limit, &to.size)) {
			outcome = PRN_UNPACKED_STARVED;
			break;
		}
		to.dst = out->data + out->length;
		hint = ZSTD_decompressStream(zstd, &to, &from);
		out->length += to.pos;
		if (ZSTD_isError(hint))
			outcome = PRN_UNPACKED_DAMAGED;
		else if (!hint && from.pos == from.size)
			outcome = PRN_UNPACKED_WHOLE;
		else if (from.pos == before && !to.pos)
			outcome = PRN_UNPACKED_SHORT;
	}
	ZSTD_freeDCtx(zstd);
	return outcome;
}

#if HAVE_BROTLI
static enum prn_unpacked brotli_outcome(BrotliDecoderResult result, const BrotliDecoderState *brotli)
{
	int code = BrotliDecoderGetErrorCode(brotli);

	switch (result) {
	case BROTLI_DECODER_RESULT_SUCCESS:
		return PRN_UNPACKED_WHOLE;
	case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
		return PRN_UNPACKED_FULL;
	case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
		return PRN_UNPACKED_SHORT;
	default:
		return code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES && code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES
		               ? PRN_UNPACKED_STARVED
		               : PRN_UNPACKED_DAMAGED;
	}
}

static enum prn_unpacked unpack_brotli(const unsigned char *bytes, size_t length, size_t limit, struct prn_buffer *out)
{
	BrotliDecoderState *brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	enum prn_unpacked outcome = PRN_UNPACKED_FULL;

	if (!brotli)
		return PRN_UNPACKED_STARVED;
	while (outcome == PRN_UNPACKED_FULL && out->length < limit) {
		uint8_t *to;
		size_t room, left;

		if (!make_room(out, length, limit, &room)) {
			outcome = PRN_UNPACKED_STARVED;
			break;
		}
		to = out->data + out->length;
		left = room;
		outcome = brotli_outcome(BrotliDecoderDecompressStream(brotli, &length, &bytes, &left, &to, NULL), brotli);
		out->length += room - left;
	}
	/* Bytes that follow the end mean that it was another format. */
	if (outcome == PRN_UNPACKED_WHOLE && length)
		outcome = PRN_UNPACKED_DAMAGED;
	BrotliDecoderDestroyInstance(brotli);
	return outcome;
}
#endif

bool prn_unpack_knows(enum prn_packing packing)
{
#if HAVE_BROTLI
	(void)packing;
	return true;
#else
	return packing != PRN_PACKING_BR;
#endif
}

enum prn_unpacked prn_unpack(enum prn_packing packing, const unsigned char *bytes, size_t length, size_t limit,
                             struct prn_buffer *out)
{
	prn_buffer_clear(out);
	/* A body is at most a few times --max-body, far below the range of uInt. */
	if (length > UINT32_MAX)
		length = UINT32_MAX;
	switch (packing) {
	case PRN_PACKING_GZIP:
		if (prn_gunzip_whole(bytes, length, limit, out))
			return PRN_UNPACKED_WHOLE;
		return inflate_all(16 + MAX_WBITS, bytes, length, limit, out);
	case PRN_PACKING_ZLIB:
		return inflate_all(MAX_WBITS, bytes, length, limit, out);
	case PRN_PACKING_RAW:
		return inflate_all(-MAX_WBITS, bytes, length, limit, out);
	case PRN_PACKING_ZSTD:
		return unpack_zstd(bytes, length, limit, out);
	case PRN_PACKING_BR:
#if HAVE_BROTLI
		return unpack_brotli(bytes, length, limit, out);
#else
		break;
#endif
	}
	return PRN_UNPACKED_DAMAGED;
}
