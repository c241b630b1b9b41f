/* Fills a capture from an HTTP response: from its head, and from its decoded body. */
#ifndef ARCHIVE_HTTP_CAPTURE_H
#define ARCHIVE_HTTP_CAPTURE_H

#include "archive/http.h"
#include "perennial/source.h"

/*
 * Sets kind, status, media type, dates and validators from the head; for a redirect also its Location.  The
 * capture points into head.
 */
void prn_http_capture_head(struct prn_capture *capture, const struct prn_http_head *head);

/*
 * Sets the decoded content of a capture whose head was read; one whose transfer was interrupted becomes an
 * error.
 *
 * PRN_E_INPUT, PRN_E_UNSUPPORTED  the body cannot be decoded: the text says why, and the capture is unchanged
 * PRN_E_MEMORY
 */
int prn_http_capture_body(struct prn_capture *capture, struct prn_http_decoder *decoder, const struct prn_http_head *head,
                          struct prn_http_body *body, size_t limit, struct prn_error *error);

/*
 * Reads a whole response, as a fetcher wrote it to a file: bytes[length] must be writable. more: the file goes
 * on.  An empty response is an attempt without an answer.  Errors as above; PRN_E_INPUT also if it has no head.
 */
int prn_http_capture_message(struct prn_capture *capture, struct prn_http_decoder *decoder, unsigned char *bytes,
                             size_t length, bool more, size_t limit, struct prn_error *error);

/*
 * Returns how many bytes of a message to read if its decoded body may have limit bytes: a coded body may be
 * longer than the decoded one.
 */
size_t prn_http_stored_limit(size_t limit);

/* Returns why prn_http_head_parse refused a head. */
const char *prn_http_head_fault(int code);

/*
 * Tells whether a text is one entity tag (RFC 9110 §8.8.3) that may be sent back: without control characters,
 * of at most PRN_ETAG_BYTES.  A tag without quotes, which many servers send, is accepted.  "*" and lists are
 * not: they would match whatever the page has become.
 */
bool prn_http_is_etag(const char *text);

#endif
