/*
 * An HTTP response as a WARC block holds it: the head, and the body without its transfer and content codings
 * (RFC 9112, RFC 9110).  Writers of WARC differ in what they leave of these: a body that is not coded as
 * its head says is taken as it is.
 */
#ifndef ARCHIVE_HTTP_H
#define ARCHIVE_HTTP_H

#include "base/buffer.h"
#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_HTTP_HEAD_BYTES ((size_t)64 << 10) /* of the longest head that is read */
#define PRN_HTTP_CODINGS 4                     /* the most that one body has */
#define PRN_HTTP_LENGTH_UNKNOWN UINT64_MAX

enum prn_http_coding {
	PRN_HTTP_CHUNKED,
	PRN_HTTP_GZIP,
	PRN_HTTP_DEFLATE,
	PRN_HTTP_BR,
	PRN_HTTP_ZSTD,
	PRN_HTTP_UNKNOWN_CODING,
};

/* Strings point into the bytes that were parsed; NULL where the field is missing. */
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
	const char *unknown_coding;                     /* the field that names a coding not read here, or NULL */
};

/* The length of the head at the start of a block, interim responses (1xx) included; 0 if it does not end here. */
size_t prn_http_head_length(const unsigned char *bytes, size_t length);

/*
 * Parses a head in place: bytes are changed, and bytes[length] must be writable.
 *
 * PRN_E_INPUT		it does not begin with an HTTP status line
 * PRN_E_UNSUPPORTED	more than PRN_HTTP_CODINGS codings
 */
int prn_http_head_parse(struct prn_http_head *head, unsigned char *bytes, size_t length);

/*
 * What a Retry-After field asks for (RFC 9110 10.2.3), in seconds after time, at most PRN_TIME_LAST: 0 for a date gone by, PRN_TIME_UNKNOWN for
 * what is neither seconds nor a date, and for a date if time is PRN_TIME_UNKNOWN.
 */
int64_t prn_http_retry_after(const char *value, int64_t time);

/*
 * Adds the codings that a Content-Encoding or Transfer-Encoding field names to those of head, in their order.  The value
 * is borrowed as long as head.
 *
 * PRN_E_UNSUPPORTED	more than PRN_HTTP_CODINGS
 */
int prn_http_head_add_codings(struct prn_http_head *head, const char *value);

/* What is kept from body to body: memory. */
struct prn_http_decoder;

int prn_http_decoder_open(struct prn_http_decoder **out);
void prn_http_decoder_free(struct prn_http_decoder *decoder);

/*
 * A body before and after decoding.  cut says that the caller has not got all of it, on purpose (a limit,
 * WARC-Truncated): that it ends early is no fault then.  One without codings that is as long as Content-Length says is whole all the
 * same, and ends there.
 */
struct prn_http_body {
	unsigned char *bytes; /* the caller's, changed; afterwards perhaps the decoder's, valid until its next call */
	size_t length;
	bool cut;
	bool truncated; /* out: something is missing at its end, because of cut or limit */
};

/*
 * Undoes the codings of head.  No more than limit bytes come out, and memory stays below a small multiple of
 * limit and the length given.
 *
 * PRN_E_TRUNCATED	the transfer was cut short: fewer bytes than Content-Length, a chunk or the packing
 *			does not end
 * PRN_E_INPUT		the packing is damaged
 * PRN_E_UNSUPPORTED	a coding that is not read here
 * PRN_E_MEMORY
 */
int prn_http_decode(struct prn_http_decoder *decoder, const struct prn_http_head *head, struct prn_http_body *body,
                    size_t limit, struct prn_error *error);

#endif
