#include "archive/http.h"
#include "archive/http_unpack.h"
#include "base/hex.h"
#include "perennial/extractor.h"

#include <stdlib.h>
#include <string.h>
#include <unistr.h>

#define CHUNK_LINE_BYTES 1024 /* bytes of the longest line with a chunk's size, including extensions */
#define LOOKED_AT 1024        /* bytes that distinguish text from compressed data */

struct prn_http_decoder {
	struct prn_buffer out, spare; /* output of the last coding; output of the one before */
};

int prn_http_decoder_open(struct prn_http_decoder **out)
{
	struct prn_http_decoder *decoder = calloc(1, sizeof *decoder);

	if (!decoder)
		return PRN_E_MEMORY;
	*out = decoder;
	return 0;
}

void prn_http_decoder_free(struct prn_http_decoder *decoder)
{
	if (!decoder)
		return;
	prn_buffer_release(&decoder->out);
	prn_buffer_release(&decoder->spare);
	free(decoder);
}

/* Tells whether the bytes are already text, so that the coding that is named has been undone. */
static bool is_text(const struct prn_http_body *body)
{
	size_t length = body->length < LOOKED_AT ? body->length : LOOKED_AT;
	const uint8_t *fault;

	for (size_t i = 0; i < length; i++)
		if ((body->bytes[i] < ' ' && !strchr("\t\n\r\f", body->bytes[i])) || !body->bytes[i])
			return false;
	fault = u8_check(body->bytes, length);
	/* The last character may be cut by the limit of the check. */
	return !fault || (length < body->length && fault + 4 > body->bytes + length);
}

enum chunk_end {
	CHUNKS_DONE,  /* the chunk of size 0 was found */
	CHUNKS_SHORT, /* the bytes end inside a chunk, or before another one */
	CHUNKS_NOT,   /* these are not chunks */
};

/* Reads "1a2b; extension CRLF": 1 with *size and *used, 0 if the bytes end inside it, -1 if it is not such a line. */
static int chunk_line(const unsigned char *bytes, size_t length, uint64_t *size, size_t *used)
{
	size_t n = 0, end;
	uint64_t sum = 0;
	int digit;

	for (; n < length && (digit = prn_hex_digit((char)bytes[n])) >= 0; n++) {
		if (n == 15)
			return -1;
		sum = sum * 16 + (uint64_t)digit;
	}
	if (n == length)
		return 0;
	if (!n || !memchr("; \t\r", bytes[n], 4))
		return -1;
	for (end = n; end < length && bytes[end] != '\n'; end++)
		if (end == CHUNK_LINE_BYTES)
			return -1;
	if (end == length)
		return 0;
	/* A lone line feed occurs in text; the lines of chunks end in CRLF. */
	if (bytes[end - 1] != '\r')
		return -1;
	*size = sum;
	*used = end + 1;
	return 1;
}

/*
 * Joins the chunks at the front of bytes: *joined is their length.  If write is false it only checks, so that a
 * body that turns out not to be chunked stays unchanged.
 */
static enum chunk_end join_chunks(unsigned char *bytes, size_t length, bool write, size_t *joined)
{
	size_t at = 0, kept = 0, used;
	uint64_t size;

	for (;;) {
		int line = chunk_line(bytes + at, length - at, &size, &used);

		*joined = kept;
		/* A line of hexadecimal digits may be the whole body. */
		if (line < 0 || (!line && !at))
			return CHUNKS_NOT;
		if (!line)
			return CHUNKS_SHORT;
		at += used;
		if (!size)
			return CHUNKS_DONE;
		used = size < length - at ? (size_t)size : length - at;
		if (write)
			memmove(bytes + kept, bytes + at, used);
		kept += used;
		at += used;
		*joined = kept;
		if (length - at < 2)
			return used == size && at < length && bytes[at] != '\r' ? CHUNKS_NOT : CHUNKS_SHORT;
		if (bytes[at] != '\r' || bytes[at + 1] != '\n')
			return CHUNKS_NOT;
		at += 2;
	}
}

static int decode_chunks(struct prn_http_body *body, struct prn_error *error)
{
	size_t joined;
	enum chunk_end end;

	if (!body->length)
		return 0;
	end = join_chunks(body->bytes, body->length, false, &joined);
	if (end == CHUNKS_NOT)
		return 0;
	join_chunks(body->bytes, body->length, true, &joined);
	body->length = joined;
	if (end == CHUNKS_DONE)
		return 0;
	body->truncated = true;
	return body->cut ? 0 : prn_error_set(error, PRN_E_TRUNCATED, "its last chunk is missing");
}

static bool is_gzip(const struct prn_http_body *body)
{
	return body->length >= 3 && body->bytes[0] == 0x1f && body->bytes[1] == 0x8b && body->bytes[2] == 8;
}

/* RFC 1950 2.2: method 8, and a check over both bytes. */
static bool is_zlib(const struct prn_http_body *body)
{
	return body->length >= 2 && (body->bytes[0] & 0x8f) == 8 && (body->bytes[0] << 8 | body->bytes[1]) % 31 == 0;
}

static bool is_zstd(const struct prn_http_body *body)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

	return body->length >= sizeof magic && !memcmp(body->bytes, magic, sizeof magic);
}

/* RFC 3629 and 2781: the mark of UTF-16, most of whose bytes may be control characters. */
static bool is_utf16(const struct prn_http_body *body)
{
	return body->length >= 2 && (!memcmp(body->bytes, "\xff\xfe", 2) || !memcmp(body->bytes, "\xfe\xff", 2));
}

/* A body that is not text and looks like no other format is not accepted as it is. */
static bool is_rubbish(const struct prn_http_body *body)
{
	size_t length = body->length < LOOKED_AT ? body->length : LOOKED_AT, i = 0;

	if (is_utf16(body))
		return false;

	/* No text contains these control characters, in any charset except UTF-16. */
	while (i < length && body->bytes[i] && (body->bytes[i] >= ' ' || strchr("\t\n\r\f\33", body->bytes[i])))
		i++;
	return i < length && !is_gzip(body) && !is_zstd(body);
}

/*
 * Deflate and br have no magic number: data that are not compressed at all are recognised by being text, or by
 * yielding nothing.  Short text may look compressed, and short compressed data may look like text: data count
 * as text if they cannot be decoded.
 */
static bool was_not_packed(const struct prn_http_decoder *decoder, enum prn_packing packing, enum prn_unpacked outcome,
                           const struct prn_http_body *body)
{
	if (outcome == PRN_UNPACKED_WHOLE || outcome == PRN_UNPACKED_FULL || outcome == PRN_UNPACKED_STARVED)
		return false;
	if (packing == PRN_PACKING_RAW)
		return outcome == PRN_UNPACKED_DAMAGED && !is_rubbish(body);
	return packing == PRN_PACKING_BR &&
	       (is_text(body) || (outcome == PRN_UNPACKED_DAMAGED && !decoder->out.length && !is_rubbish(body)));
}

static int unpack(struct prn_http_decoder *decoder, struct prn_http_body *body, enum prn_packing packing, size_t limit,
                  struct prn_error *error)
{
	struct prn_buffer swap = decoder->spare;
	enum prn_unpacked outcome;

	/* body may be the output of the previous coding, which is in out: it must stay while the new one is written. */
	decoder->spare = decoder->out;
	decoder->out = swap;
	/* One byte more distinguishes a body that is too long from one that just fits. */
	outcome = prn_unpack(packing, body->bytes, body->length, limit < SIZE_MAX ? limit + 1 : limit, &decoder->out);
	if (was_not_packed(decoder, packing, outcome, body))
		return 0;
	if (outcome == PRN_UNPACKED_STARVED)
		return prn_error_memory(error);
	if (outcome == PRN_UNPACKED_DAMAGED)
		return prn_error_set(error, PRN_E_INPUT, "its Content-Encoding is damaged");
	/* A body that was cut, here or where it was captured, ends early on purpose. */
	if (outcome == PRN_UNPACKED_SHORT && !body->truncated)
		return prn_error_set(error, PRN_E_TRUNCATED, "its Content-Encoding ends early");
	body->truncated |= outcome != PRN_UNPACKED_WHOLE;
	body->bytes = decoder->out.data;
	body->length = decoder->out.length;
	return 0;
}

static int undo(struct prn_http_decoder *decoder, enum prn_http_coding coding, struct prn_http_body *body, size_t limit,
                const struct prn_http_head *head, struct prn_error *error)
{
	switch (coding) {
	case PRN_HTTP_CHUNKED:
		return decode_chunks(body, error);
	case PRN_HTTP_GZIP:
		return is_gzip(body) ? unpack(decoder, body, PRN_PACKING_GZIP, limit, error) : 0;
	case PRN_HTTP_DEFLATE:
		if (is_text(body))
			return 0;
		return unpack(decoder, body, is_zlib(body) ? PRN_PACKING_ZLIB : PRN_PACKING_RAW, limit, error);
	case PRN_HTTP_ZSTD:
		return is_zstd(body) ? unpack(decoder, body, PRN_PACKING_ZSTD, limit, error) : 0;
	case PRN_HTTP_BR:
		if (prn_unpack_knows(PRN_PACKING_BR))
			return body->length ? unpack(decoder, body, PRN_PACKING_BR, limit, error) : 0;
		break;
	case PRN_HTTP_UNKNOWN_CODING:
		break;
	}
	if (is_text(body))
		return 0;
	if (coding == PRN_HTTP_BR)
		return prn_error_set(error, PRN_E_UNSUPPORTED,
		                     "its encoding \"br\" is not read: this program was built without brotli (libbrotlidec)");
	return prn_error_set(error, PRN_E_UNSUPPORTED, "its encoding \"%.40s\" is not read: gzip, deflate, br and zstd are",
	                     head->unknown_coding);
}

/* Content-Length counts the bytes transferred: it does not apply to a body whose codings have been undone. */
static bool is_short(const struct prn_http_head *head, const struct prn_http_body *body)
{
	if (head->content_length == PRN_HTTP_LENGTH_UNKNOWN || body->length >= head->content_length)
		return false;
	for (size_t i = 0; i < head->coding_count; i++)
		if (head->codings[i] == PRN_HTTP_CHUNKED || (head->codings[i] == PRN_HTTP_GZIP && !is_gzip(body)) ||
		    (head->codings[i] == PRN_HTTP_ZSTD && !is_zstd(body)))
			return false;
	return !head->coding_count || !is_text(body);
}

/* Tells whether the body is complete according to its head, whatever was to follow it. */
static bool is_whole(const struct prn_http_head *head, const struct prn_http_body *body)
{
	return !head->coding_count && head->content_length != PRN_HTTP_LENGTH_UNKNOWN && body->length >= head->content_length;
}

/*
 * Some writers undo a coding and leave its name, so a body that is not in one is taken as it is; but no text has these bytes, and of a page
 * they would become words.
 */
static int check_text(const struct prn_http_head *head, const struct prn_http_body *body, struct prn_error *error)
{
	bool is_page = !head->content_type || prn_media_is_page(head->content_type);

	return is_page && (is_rubbish(body) || is_gzip(body) || is_zstd(body))
	               ? prn_error_set(error, PRN_E_INPUT, "its Content-Encoding is damaged, or another than its head says")
	               : 0;
}

int prn_http_decode(struct prn_http_decoder *decoder, const struct prn_http_head *head, struct prn_http_body *body,
                    size_t limit, struct prn_error *error)
{
	bool passed = false; /* a coding was not undone */

	if (body->cut && is_whole(head, body)) {
		body->length = (size_t)head->content_length;
		body->cut = false;
	}
	body->truncated = body->cut;
	if (!body->cut && is_short(head, body))
		return prn_error_set(error, PRN_E_TRUNCATED, "it has %zu of %llu bytes", body->length,
		                     (unsigned long long)head->content_length);
	for (size_t i = head->coding_count; i--;) {
		const unsigned char *before = body->bytes;
		int code = undo(decoder, head->codings[i], body, limit, head, error);

		if (code)
			return code;
		passed |= head->codings[i] != PRN_HTTP_CHUNKED && body->bytes == before;
	}
	if (passed && check_text(head, body, error))
		return PRN_E_INPUT;
	if (body->length > limit) {
		body->length = limit;
		body->truncated = true;
	}
	return 0;
}
