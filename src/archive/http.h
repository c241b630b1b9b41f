/*
 * An HTTP response as a WARC block contains it: the head, and the body without its transfer and content codings
 * (RFC 9112, RFC 9110).  Writers of WARC differ in which codings they leave in the body: a body that is not
 * coded as its head says is taken as it is.
 */
#ifndef ARCHIVE_HTTP_H
#define ARCHIVE_HTTP_H

#include "base/buffer.h"
#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_HTTP_HEAD_BYTES ((size_t)64 << 10) /* bytes of the longest head that is read */
#define PRN_HTTP_CODINGS 4                     /* codings of one body, at most */
#define PRN_HTTP_LENGTH_UNKNOWN UINT64_MAX

enum prn_http_coding {
	PRN_HTTP_CHUNKED,
	PRN_HTTP_GZIP,
	PRN_HTTP_DEFLATE,
	PRN_HTTP_BR,
	PRN_HTTP_ZSTD,
	PRN_HTTP_UNKNOWN_CODING,
};

/* Strings point into the bytes that were parsed; NULL if the field is missing. */
struct prn_http_head {
	int status;
	const char *content_type;
	const char *location;
	const char *last_modified;
	const char *etag;
	const char *retry_after;
	uint64_t content_length; /* or PRN_HTTP_LENGTH_UNKNOWN */
	size_t coding_count;
	enum prn_http_coding codings[PRN_HTTP_CODINGS]; /* in the order they were applied */
	const char *unknown_coding;                     /* the field that names an unknown coding, or NULL */
};

/* Returns the length of the head at the start of a block, including interim responses (1xx); 0 if it does not end here. */
size_t prn_http_head_length(const unsigned char *bytes, size_t length);

/*
 * Parses a head in place: bytes are changed, and bytes[length] must be writable.
 *
 * PRN_E_INPUT	it does not begin with an HTTP status line, or is one of a redirect with a Location and, anywhere, a zero byte
 * PRN_E_UNSUPPORTED	more than PRN_HTTP_CODINGS codings
 */
int prn_http_head_parse(struct prn_http_head *head, unsigned char *bytes, size_t length);

/*
 * Reads a Retry-After field (RFC 9110 10.2.3): returns the seconds after time, at most PRN_TIME_LAST. 0 for a
 * date in the past; PRN_TIME_UNKNOWN if it is neither seconds nor a date, and for a date if time is
 * PRN_TIME_UNKNOWN.
 */
int64_t prn_http_retry_after(const char *value, int64_t time);

/*
 * Adds the codings that a Content-Encoding or Transfer-Encoding field names to those of head, in their order.
 * The value is borrowed as long as head is used.
 *
 * PRN_E_UNSUPPORTED	more than PRN_HTTP_CODINGS
 */
int prn_http_head_add_codings(struct prn_http_head *head, const char *value);

/* Memory that is reused from body to body. */
struct prn_http_decoder;

int prn_http_decoder_open(struct prn_http_decoder **out);
void prn_http_decoder_free(struct prn_http_decoder *decoder);

/*
 * A body before and after decoding. cut says that the caller truncated it on purpose (a limit, WARC-Truncated),
 * so that its early end is no error.  A body without codings that is as long as Content-Length says is complete
 * nevertheless, and ends there.
 */
struct prn_http_body {
	unsigned char *bytes; /* first the caller's; after decoding possibly the decoder's, valid until its next call */
	size_t length;
	bool cut;
	bool truncated; /* output: the end is missing, because of cut or limit */
};

/*
 * Undoes the codings of head; a body that is not in one of them, but may be what was in it, is taken as it is.  At most limit bytes result, and memory stays below a small multiple of limit and
 * the length given.
 *
 * PRN_E_TRUNCATED	the transfer was interrupted: fewer bytes than Content-Length, or a chunk or the compressed
 * data does not end
 * PRN_E_INPUT	the compressed data are damaged, or what should be a page (head->content_type) is neither in its coding nor text
 * PRN_E_UNSUPPORTED	an unknown coding
 * PRN_E_MEMORY
 */
int prn_http_decode(struct prn_http_decoder *decoder, const struct prn_http_head *head, struct prn_http_body *body,
                    size_t limit, struct prn_error *error);

#endif
