/* HTTP heads, and bodies with and without the codings their heads name. */
#include "archive/http.h"
#include "archive/http_unpack.h"
#include "fixture.h"
#include "perennial/error.h"
#include "perennial/time.h"

#include <zstd.h>

#define LIMIT ((size_t)1 << 20)

static struct prn_http_decoder *decoder;

/* Parses a head; the strings of *head stay in a buffer of this function. */
static int parse(const char *text, size_t length, struct prn_http_head *head)
{
	static unsigned char bytes[4096];

	memcpy(bytes, text, length);
	bytes[length] = 0;
	return prn_http_head_parse(head, bytes, length);
}

static void status(const char *line, int want)
{
	struct prn_http_head head;
	char text[256];

	snprintf(text, sizeof text, "%s\r\n\r\n", line);
	ok(parse(text, strlen(text), &head) == (want < 0 ? PRN_E_INPUT : 0) && (want < 0 || head.status == want),
	   want < 0 ? "\"%s\" is no status line" : "\"%s\" has its status", line);
}

static void heads(void)
{
	static const char folded[] = "HTTP/1.1 200 OK\nCONTENT-TYPE :  text/html;\r\n\t charset=utf-8 \r\n"
				     "no field\r\nLocation:/x\nLast-Modified: Thu, 01 Jan 1970 00:00:10 GMT\n"
				     "content-length: 12\r\nLocation: /second\r\n\r\nbody: no field";
	static const char interim[] = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
				      "HTTP/1.1 404 Gone\r\nContent-Type: a/b\r\n\r\nbody";
	struct prn_http_head head;
	size_t length = prn_http_head_length((const unsigned char *)folded, sizeof folded - 1);

	ok(length == sizeof folded - 1 - strlen("body: no field"), "a head with mixed line ends ends at its blank line");
	ok(!parse(folded, length, &head) && head.status == 200, "a head with mixed line ends is parsed");
	same(head.content_type, "text/html;  \t charset=utf-8", "a folded field is joined, its name in any case");
	same(head.location, "/x", "of two fields of one name the first counts");
	same(head.last_modified, "Thu, 01 Jan 1970 00:00:10 GMT", "Last-Modified is kept as it is written");
	ok(head.content_length == 12, "Content-Length is read as a number");
	length = prn_http_head_length((const unsigned char *)interim, sizeof interim - 1);
	ok(length == sizeof interim - 1 - 4, "interim responses before a head are a part of it");
	ok(!parse(interim, length, &head) && head.status == 404, "interim responses before a head are passed over");
	same(head.content_type, "a/b", "the fields of interim responses are passed over");
	ok(prn_http_head_length((const unsigned char *)"HTTP/1.1 200 OK\n\n", 17) == 17,
	   "a head of bare line feeds ends with the last of them");
	ok(!prn_http_head_length((const unsigned char *)interim, 40), "a head that does not end has no length");
	ok(!parse("HTTP/1.1 204 No Content", 23, &head) && head.status == 204,
	   "a head without any line end is parsed");
	status("HTTP/1.1 200 OK", 200);
	status("HTTP/1.0 301", 301);
	status("HTTP/2 503 x", 503);
	status("http/1.1  404 x", 404);
	status("ICY 200 OK", -1);
	status("HTTP/1.1 20 OK", -1);
	status("HTTP/1.1 2000 OK", -1);
	status("HTTP/1.1", -1);
	status("<html>", -1);
	status("", -1);
}

/* Decodes body under a head of these fields; *out is valid until the next call. */
static int decode(const char *fields, const void *bytes, size_t length, bool cut, size_t limit,
                  struct prn_http_body *out, struct prn_error *error)
{
	static struct prn_buffer copy;
	struct prn_http_head head;
	char text[512];

	snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\n%s\r\n", fields);
	must(!parse(text, strlen(text), &head), "parse a head");
	prn_buffer_release(&copy);
	add(&copy, bytes, length);
	*out = (struct prn_http_body){ copy.data, copy.length, cut, false };
	return prn_http_decode(decoder, &head, out, limit, error);
}

static bool is_body(const struct prn_http_body *body, const char *want, bool truncated)
{
	return body->length == strlen(want) && (!body->length || !memcmp(body->bytes, want, body->length)) && body->truncated == truncated;
}

/* How large a body is decoded: "1048576 bytes, cut". */
static const char *size_of(const char *fields, const void *bytes, size_t length, size_t limit)
{
	static char text[80];
	struct prn_http_body body;
	int code = decode(fields, bytes, length, false, limit, &body, NULL);

	snprintf(text, sizeof text, "%zu bytes%s%s", body.length, body.truncated ? ", cut" : "", code ? ", refused" : "");
	return text;
}

static void decodes(const char *fields, const void *bytes, size_t length, const char *want, const char *what)
{
	struct prn_error error = { 0 };
	struct prn_http_body body;
	int code = decode(fields, bytes, length, false, LIMIT, &body, &error);

	if (!ok(!code && is_body(&body, want, false), "%s", what))
		printf("# code %d, %zu bytes \"%.*s\", %s\n", code, body.length, (int)body.length, body.bytes, error.text);
}

static void fails(const char *fields, const void *bytes, size_t length, int want, const char *text, const char *what)
{
	struct prn_error error = { 0 };
	struct prn_http_body body;

	ok(decode(fields, bytes, length, false, LIMIT, &body, &error) == want && HOLDS(error.text, text), "%s: %s", what,
	   text);
}

#define CHUNKED "Transfer-Encoding: chunked\r\n"
#define TEXT(text) (text), sizeof(text) - 1

static void chunks(void)
{
	struct prn_http_body body;

	decodes(CHUNKED, TEXT("4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n"), "Wikipedia", "chunks are joined");
	decodes(CHUNKED, TEXT("004;x=\"y\"\r\nWiki\r\nA \r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"), "Wiki0123456789",
	        "chunks with extensions, spaces, leading zeros and trailers are joined");
	decodes(CHUNKED, TEXT("0\r\n\r\n"), "", "a body of no chunks is empty");
	decodes(CHUNKED, TEXT("<html>already joined</html>"), "<html>already joined</html>",
	        "a body already joined is taken as it is");
	decodes(CHUNKED, TEXT(""), "", "an empty body under chunked is taken as it is");
	decodes(CHUNKED, TEXT("cafe"), "cafe", "a joined body that is a hexadecimal number is taken as it is");
	decodes(CHUNKED, TEXT("add\nthe flour\n"), "add\nthe flour\n",
	"a joined body whose first line is a hexadecimal number is taken as it is");
	decodes(CHUNKED, TEXT("2\r\nabc\r\n0\r\n\r\n"), "2\r\nabc\r\n0\r\n\r\n",
	        "a body in which no line end follows the chunk is taken as it is");
	decodes(CHUNKED, TEXT("a rose\nis a rose"), "a rose\nis a rose",
	        "a joined body whose first word is a hexadecimal number is taken as it is");
	fails(CHUNKED, TEXT("4\r\nWiki\r\n"), PRN_E_TRUNCATED, "last chunk is missing",
	"a body without its last chunk is refused");
	fails(CHUNKED, TEXT("4\r\nWiki\r\n5\r\nped"), PRN_E_TRUNCATED, "last chunk is missing",
	"a body that is cut inside a chunk is refused");
	fails(CHUNKED, TEXT("ffffff\r\nped"), PRN_E_TRUNCATED, "last chunk is missing",
	"a body that is cut inside its first chunk is refused");
	decodes(CHUNKED, TEXT("fffffffffffffffffff\r\nped"), "fffffffffffffffffff\r\nped",
	"a chunk size above 64 bits is no chunk size");
	ok(!decode(CHUNKED, TEXT("4\r\nWiki\r\n5\r\nped"), true, LIMIT, &body, NULL) && is_body(&body, "Wikiped", true),
	   "the chunks that are there of a body cut on purpose are joined");
}

/* A pseudo-random text of letters, the same each time, NUL-terminated. */
static struct prn_buffer letters(size_t length)
{
	struct prn_buffer text = { 0 };
	unsigned state = 7;

	for (size_t i = 0; i < length; i++) {
		char c;

		state = state * 1103515245 + 12345;
		c = (char)('a' + (state >> 16) % 26);
		add(&text, &c, 1);
	}
	must(!prn_buffer_terminate(&text), "allocate");
	return text;
}

/* The text of most of these tests, and what codings make of it. */
struct coded {
	struct prn_buffer text, gzip, zlib, raw;
};

static void coded_init(struct coded *coded)
{
	*coded = (struct coded){ .text = letters(5000) };
	add_gzip(&coded->gzip, coded->text.data, coded->text.length);
	add_deflated(&coded->zlib, coded->text.data, coded->text.length, 15);
	add_deflated(&coded->raw, coded->text.data, coded->text.length, -15);
}

static void coded_release(struct coded *coded)
{
	prn_buffer_release(&coded->text);
	prn_buffer_release(&coded->gzip);
	prn_buffer_release(&coded->zlib);
	prn_buffer_release(&coded->raw);
}

static void codings(struct coded *coded)
{
	const char *want = (char *)coded->text.data;

	decodes("Content-Encoding: gzip\r\n", coded->gzip.data, coded->gzip.length, want, "a body under gzip is unpacked");
	decodes("Content-Encoding: X-GZIP\r\n", coded->gzip.data, coded->gzip.length, want,
	"a body under x-gzip in capitals is unpacked");
	decodes("Content-Encoding: deflate\r\n", coded->zlib.data, coded->zlib.length, want,
	"a body under deflate with a zlib header, as it should be, is unpacked");
	decodes("Content-Encoding: deflate\r\n", coded->raw.data, coded->raw.length, want,
	"a body under raw deflate, as it often is, is unpacked");
	decodes("Transfer-Encoding: gzip\r\n", coded->gzip.data, coded->gzip.length, want,
	"a body under gzip as a transfer coding is unpacked");
}

static void codings_already_undone(struct coded *coded)
{
	const char *want = (char *)coded->text.data;

	decodes("Content-Encoding: gzip\r\n", coded->text.data, coded->text.length, want,
	"a body under gzip that is already unpacked is taken as it is");
	decodes("Content-Encoding: deflate\r\n", coded->text.data, coded->text.length, want,
	"a body under deflate that is already unpacked is taken as it is");
	decodes("Content-Encoding: br\r\n", coded->text.data, coded->text.length, want,
	"a body under br that is already unpacked is taken as it is");
	decodes("Content-Encoding: compress\r\n", coded->text.data, coded->text.length, want,
	"a body already unpacked of a coding not read here is taken as it is");
	decodes("Content-Encoding: identity, UTF-8\r\n", coded->text.data, coded->text.length, want,
	"a body under a coding that is none is taken as it is");
	decodes("Content-Encoding: gzip\r\n", TEXT("\xff\xfe\1a"), "\xff\xfe\1" "a", "a text of UTF-16 under gzip is taken as it is");
	fails("Content-Encoding: gzip\r\n", TEXT("\1\2 no text \3"), PRN_E_INPUT, "damaged, or another", "bytes that no text has are no page under gzip");
	fails("Content-Encoding: zstd\r\n", TEXT("\1\2 no text \3"), PRN_E_INPUT, "damaged, or another", "nor under zstd");
	fails("Content-Encoding: br\r\n", coded->gzip.data, coded->gzip.length, PRN_E_INPUT, "damaged, or another", "nor is a page what is packed by gzip, and is said to be br");
	fails("Content-Type: text/html\r\nContent-Encoding: zstd\r\n", coded->gzip.data, coded->gzip.length, PRN_E_INPUT, "damaged, or another", "or zstd");
	decodes("Content-Type: image/png\r\nContent-Encoding: gzip\r\n", "\x89PNG\r\n\x1a\n", 8, "\x89PNG\r\n\x1a\n", "an image that is unpacked already is taken as it is");
	decodes("Content-Encoding: identity\r\n", "\x89PNG\r\n\x1a\n", 8, "\x89PNG\r\n\x1a\n",
	"a body of bytes that are no text under the coding that is none is taken as it is");
	decodes("Content-Encoding: gzip\r\nContent-Encoding: br\r\n", coded->gzip.data, coded->gzip.length, want,
	"of two Content-Encodings one that was not used is passed over");
	decodes("Content-Encoding: gzip\r\nContent-Length: 100\r\n", coded->text.data, coded->text.length, want,
	        "an unpacked body may be longer than the Content-Length of the packed one");
	decodes("Content-Encoding: gzip\r\nContent-Length: 9000\r\n", coded->text.data, coded->text.length, want,
	        "an unpacked body may be shorter than the Content-Length of the packed one");
}

static void codings_of_codings(struct coded *coded)
{
	struct prn_buffer both = { 0 }, twice = { 0 };
	const char *want = (char *)coded->text.data;

	add_text(&both, "%zx\r\n", coded->gzip.length);
	add(&both, coded->gzip.data, coded->gzip.length);
	add_text(&both, "\r\n0\r\n\r\n");
	decodes("Content-Encoding: gzip\r\n" CHUNKED, both.data, both.length, want,
	"a body under gzip in chunks is joined and unpacked");
	decodes("Content-Encoding: gzip\r\n" CHUNKED, coded->gzip.data, coded->gzip.length, want,
	"a body under gzip whose chunks are already joined is unpacked");
	decodes("Content-Encoding: gzip\r\n" CHUNKED, coded->text.data, coded->text.length, want,
	"a body whose chunks and gzip are already undone is taken as it is");
	add_gzip(&twice, coded->gzip.data, coded->gzip.length);
	decodes("Content-Encoding: gzip, gzip\r\n", twice.data, twice.length, want,
	"a body under gzip twice is unpacked twice");
	prn_buffer_clear(&twice);
	add_gzip(&twice, coded->text.data, 2000);
	add_gzip(&twice, coded->text.data + 2000, coded->text.length - 2000);
	decodes("Content-Encoding: gzip\r\n", twice.data, twice.length, want,
	        "a body of two gzip members, the second of them longer, is unpacked with both");
	add_text(&twice, "junk");
	decodes("Content-Encoding: gzip\r\n", twice.data, twice.length, want,
	"a body of two gzip members and junk is unpacked without the junk");
	prn_buffer_release(&both);
	prn_buffer_release(&twice);
}

/* Damages what is coded. */
static void codings_that_fail(struct coded *coded)
{
	struct prn_http_body body;

	fails("Content-Encoding: compress\r\n", coded->gzip.data, coded->gzip.length, PRN_E_UNSUPPORTED,
	      "\"compress\" is not read: gzip, deflate, br and zstd are", "a body under a coding not read here is refused");
	fails("Content-Encoding: gzip\r\n", coded->gzip.data, coded->gzip.length - 9, PRN_E_TRUNCATED, "ends early",
	"a body under gzip that is cut short is refused");
	fails("Content-Encoding: deflate\r\n", coded->zlib.data, coded->zlib.length / 2, PRN_E_TRUNCATED, "ends early",
	"a body under deflate that is cut short is refused");
	/* The last four bytes of a member are how long its text was. */
	for (int lie = 1; lie <= 3; lie++) {
		unsigned char *end = coded->gzip.data + coded->gzip.length - 4, kept[4];

		memcpy(kept, end, 4);
		memset(end, lie == 1 ? 0 : 0xff, lie == 3 ? 4 : 2);
		fails("Content-Encoding: gzip\r\n", coded->gzip.data, coded->gzip.length, PRN_E_INPUT, "damaged",
		      lie == 1   ? "a body under gzip that says to be empty is refused"
		      : lie == 2 ? "a body under gzip that says to be 64 KiB is refused"
		                 : "a body under gzip that says to be 4 GiB is refused");
		memcpy(end, kept, 4);
	}
	coded->gzip.data[coded->gzip.length / 2] ^= 0x55;
	fails("Content-Encoding: gzip\r\n", coded->gzip.data, coded->gzip.length, PRN_E_INPUT, "damaged",
	"a body under damaged gzip is refused");
	ok(!decode("Content-Encoding: deflate\r\n", coded->zlib.data, coded->zlib.length / 2, true, LIMIT, &body, NULL) && body.truncated,
	   "a packed body cut on purpose is unpacked, and truncated");
	ok(body.length > 1000 && !memcmp(body.bytes, coded->text.data, body.length), "what is there of a packed body cut on purpose is its front");
}

static void add_frames(struct prn_buffer *out, const void *bytes, size_t length, int window_log)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	ZSTD_inBuffer from = { bytes, length, 0 };

	must(!prn_buffer_reserve(out, ZSTD_compressBound(length)), "allocate");
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_contentSizeFlag, 0);
	if (window_log)
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, window_log);
	for (size_t left = 1; left;) {
		ZSTD_outBuffer to = { out->data + out->length, out->capacity - out->length, 0 };

		left = ZSTD_compressStream2(zstd, &to, &from, ZSTD_e_end);
		must(!ZSTD_isError(left), "pack");
		out->length += to.pos;
	}
	ZSTD_freeCCtx(zstd);
}

static void zstd(void)
{
	struct prn_buffer text = letters(5000), packed = { 0 }, two = { 0 }, bomb = { 0 }, zeros = { 0 }, wide = { 0 };
	const char *want = (char *)text.data;
	struct prn_http_body body;

	add_frames(&packed, text.data, text.length, 0);
	decodes("Content-Encoding: zstd\r\n", packed.data, packed.length, want, "a body under zstd is unpacked");
	decodes("Content-Encoding: zstd\r\n", text.data, text.length, want,
	        "a body under zstd that is already unpacked is taken as it is");
	add_frames(&two, text.data, 2000, 0);
	add_frames(&two, text.data + 2000, text.length - 2000, 0);
	decodes("Content-Encoding: zstd\r\n", two.data, two.length, want, "a body of two zstd frames is unpacked");
	prn_buffer_clear(&two);
	add_gzip(&two, packed.data, packed.length);
	decodes("Content-Encoding: zstd, gzip\r\n", two.data, two.length, want,
	        "codings on one another are undone from the last to the first");
	fails("Content-Encoding: gzip, zstd\r\n", packed.data, packed.length - 3, PRN_E_TRUNCATED, "ends early",
	      "a body under zstd that is cut short is refused");
	ok(!decode("Content-Encoding: zstd\r\n", packed.data, packed.length - 3, true, LIMIT, &body, NULL) && body.truncated,
	   "the front of a body under zstd that was cut on purpose is taken");
	packed.data[packed.length / 2] ^= 0x55;
	packed.data[6] ^= 0xff;
	fails("Content-Encoding: zstd\r\n", packed.data, packed.length, PRN_E_INPUT, "damaged",
	      "a body under damaged zstd is refused");
	must(!prn_buffer_reserve(&zeros, (size_t)32 << 20), "allocate");
	memset(zeros.data, 0, (size_t)32 << 20);
	add_frames(&bomb, zeros.data, (size_t)32 << 20, 0);
	same(size_of("Content-Encoding: zstd\r\n", bomb.data, bomb.length, LIMIT), "1048576 bytes, cut", "a zstd body of %zu bytes that unpacks to 32 MiB is cut at the limit",
	     bomb.length);
	same(size_of("Content-Encoding: zstd\r\n", bomb.data, bomb.length, (size_t)32 << 20), "33554432 bytes",
	     "a zstd body that unpacks to just the limit is whole");
	prn_buffer_clear(&packed);
	add_gzip(&packed, bomb.data, bomb.length);
	same(size_of("Content-Encoding: zstd, gzip\r\n", packed.data, packed.length, LIMIT), "1048576 bytes, cut", "a bomb in a bomb is cut at the limit");
	prn_buffer_clear(&packed);
	add_gzip(&packed, zeros.data, (size_t)32 << 20);
	prn_buffer_clear(&two);
	add_gzip(&two, packed.data, packed.length);
	same(size_of("Content-Encoding: gzip, gzip\r\n", two.data, two.length, 10000), "10000 bytes, cut",
	     "what a coding gave is cut at the limit, and then the coding below it ends early on purpose");
	add_frames(&wide, zeros.data, (size_t)32 << 20, 27);
	fails("Content-Encoding: zstd\r\n", wide.data, wide.length, PRN_E_INPUT, "damaged",
	      "a zstd frame that wants a window of 128 MiB is refused");
	prn_buffer_release(&text);
	prn_buffer_release(&packed);
	prn_buffer_release(&two);
	prn_buffer_release(&bomb);
	prn_buffer_release(&zeros);
	prn_buffer_release(&wide);
}

/* "one two three four five six seven", packed by brotli 1.0.9 as one stream. */
static const unsigned char br[] = {
	0x0b, 0x10, 0x80, 0x6f, 0x6e, 0x65, 0x20, 0x74, 0x77, 0x6f, 0x20, 0x74, 0x68, 0x72, 0x65, 0x65, 0x20,
	0x66, 0x6f, 0x75, 0x72, 0x20, 0x66, 0x69, 0x76, 0x65, 0x20, 0x73, 0x69, 0x78, 0x20, 0x73, 0x65, 0x76,
	0x65, 0x6e, 0x03
};
static const char br_text[] = "one two three four five six seven";
/* 64 KiB of zeros. */
static const unsigned char br_bomb[] = {
	0x1b, 0xff, 0xff, 0xf8, 0x27, 0x00, 0xe2, 0xb1, 0x40, 0x20, 0xf7, 0x1e, 0x00
};

static void brotli(void)
{
	struct prn_buffer both = { 0 };

	if (!prn_unpack_knows(PRN_PACKING_BR)) {
		fails("Content-Encoding: br\r\n", br, sizeof br, PRN_E_UNSUPPORTED, "built without brotli",
		      "a body under br is refused by a program without brotli, which says so");
		return;
	}
	decodes("Content-Encoding: br\r\n", br, sizeof br, br_text, "a body under br is unpacked");
	add_gzip(&both, br, sizeof br);
	decodes("Content-Encoding: br, gzip\r\n", both.data, both.length, br_text, "a body under br in gzip is unpacked");
	decodes("Content-Encoding: br\r\n", "<p>x</p>", 8, "<p>x</p>", "short text under br that is already unpacked is taken as it is");
	/* The empty stream of brotli, with text behind it. */
	decodes("Content-Encoding: br\r\n", "; is text", 9, "; is text", "text that begins like a stream of br is taken as it is");
	fails("Content-Encoding: br\r\n", br, sizeof br - 4, PRN_E_TRUNCATED, "ends early", "a body under br that is cut short is refused");
	same(size_of("Content-Encoding: br\r\n", br_bomb, sizeof br_bomb, 5000), "5000 bytes, cut", "a br body of %zu bytes that unpacks to 64 KiB is cut at the limit",
	     sizeof br_bomb);
	same(size_of("Content-Encoding: br\r\n", br_bomb, sizeof br_bomb, 65536), "65536 bytes", "a br body that unpacks to just the limit is whole");
	prn_buffer_release(&both);
}

static void lengths(void)
{
	decodes("Content-Length: 4\r\n", TEXT("abcd"), "abcd",
	"a body of as many bytes as Content-Length says is whole");
	decodes("Content-Length: 2\r\n", TEXT("abcd"), "abcd",
	"a body of more bytes than Content-Length says is whole");
	decodes("Content-Length: 36893488147419103237\r\n", TEXT("abcd"), "abcd",
	"a body whose Content-Length is no number of 64 bits (2^65 + 5) is whole");
	decodes("Content-Length: x\r\n", TEXT("abcd"), "abcd",
	"a body whose Content-Length is no number is whole");
	fails("Content-Length: 5\r\n", TEXT("abcd"), PRN_E_TRUNCATED, "4 of 5 bytes",
	"a body of fewer bytes than Content-Length says is refused as cut short");
	fails("Content-Length: 1\r\n", TEXT(""), PRN_E_TRUNCATED, "0 of 1 bytes",
	"a body of no bytes where Content-Length says one is refused as cut short");
}

static void limits(void)
{
	struct prn_buffer bomb = { 0 }, zeros = { 0 };
	struct prn_http_body body;

	must(!prn_buffer_reserve(&zeros, 40 * LIMIT), "allocate");
	memset(zeros.data, 0, 40 * LIMIT);
	add_gzip(&bomb, zeros.data, 40 * LIMIT);
	same(size_of("Content-Encoding: gzip\r\n", bomb.data, bomb.length, LIMIT), "1048576 bytes, cut", "a body of %zu bytes that inflates to %zu is cut at the limit",
	     bomb.length, 40 * LIMIT);
	same(size_of("Content-Encoding: gzip\r\n", bomb.data, bomb.length, 40 * LIMIT), "41943040 bytes", "a body that inflates to just the limit is whole");
	add_gzip(&bomb, "", 0);
	same(size_of("Content-Encoding: gzip\r\n", bomb.data, bomb.length, 40 * LIMIT), "41943040 bytes",
	     "a body that inflates to just the limit, with a member behind that is empty, is whole");
	same(size_of("", zeros.data, 10, 4), "4 bytes, cut",
	     "a body without a coding is cut at the limit");
	prn_buffer_clear(&bomb);
	prn_buffer_release(&zeros);
	for (int i = 0; i < 100000; i++)
		add_text(&bomb, "1\r\nx\r\n");
	add_text(&bomb, "0\r\n\r\n");
	ok(!decode(CHUNKED, bomb.data, bomb.length, false, LIMIT, &body, NULL) && body.length == 100000,
	   "100000 chunks of one byte are joined");
	prn_buffer_release(&bomb);
}

/* At 2026-01-01T00:00:00Z, as date -ud says it in seconds. */
static void retry_after(void)
{
	const int64_t now = 1767225600;

	ok(prn_http_retry_after("120", now) == 120, "a Retry-After in seconds is so many seconds");
	ok(prn_http_retry_after("Thu, 01 Jan 2026 00:01:00 GMT", now) == 60,
	   "a Retry-After that is a date is the seconds until then");
	ok(prn_http_retry_after("Wed, 31 Dec 2025 23:00:00 GMT", now) == 0,
	   "a Retry-After that is a date gone by is 0 seconds");
	ok(prn_http_retry_after(" 120 ", now) == 120, "blanks around the seconds of a Retry-After are none of it");
	for (int digits = 12; digits < 40; digits += digits < 20 ? 1 : 10) {
		char nines[41];

		memset(nines, '9', (size_t)digits);
		nines[digits] = 0;
		ok(prn_http_retry_after(nines, now) == PRN_TIME_LAST, "a Retry-After of %d digits is as long as one can be", digits);
	}
	ok(prn_http_retry_after("120 s", now) == PRN_TIME_UNKNOWN && prn_http_retry_after("soon", now) == PRN_TIME_UNKNOWN,
	   "a Retry-After that is neither seconds nor a date tells nothing");
}

static void too_many_codings(void)
{
	static const char text[] = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip,gzip,gzip,gzip,gzip\r\n\r\n";
	struct prn_http_head head;

	ok(parse(text, sizeof text - 1, &head) == PRN_E_UNSUPPORTED,
	   "a body with five codings on one another is refused");
}

int main(void)
{
	struct coded coded;

	must(!prn_http_decoder_open(&decoder), "allocate");
	heads();
	chunks();
	coded_init(&coded);
	codings(&coded);
	codings_already_undone(&coded);
	codings_of_codings(&coded);
	codings_that_fail(&coded);
	coded_release(&coded);
	zstd();
	brotli();
	lengths();
	limits();
	too_many_codings();
	retry_after();
	prn_http_decoder_free(decoder);
	return done();
}
