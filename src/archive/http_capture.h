/*
 * What an HTTP response says of a capture: by its head, and by its body without codings.
 */
#ifndef ARCHIVE_HTTP_CAPTURE_H
#define ARCHIVE_HTTP_CAPTURE_H

#include "archive/http.h"
#include "perennial/source.h"

/* Sets what the head says: kind, status, media type, dates, validators; of a redirect its Location.  It points into head. */
void prn_http_capture_head(struct prn_capture *capture, const struct prn_http_head *head);

/*
 * Sets the content of a capture whose head was read, without its codings; one whose transfer was cut short becomes an error.
 *
 * PRN_E_INPUT, PRN_E_UNSUPPORTED	the body cannot be read: the text says why, and the capture is not changed
 * PRN_E_MEMORY
 */
int prn_http_capture_body(struct prn_capture *capture, struct prn_http_decoder *decoder, const struct prn_http_head *head,
                          struct prn_http_body *body, size_t limit, struct prn_error *error);

/*
 * A whole response, as a fetcher wrote it into a file: bytes[length] must be writable.  more: it goes on.  One that is empty
 * is an attempt without an answer.  Errors as above; PRN_E_INPUT also where it has no head.
 */
int prn_http_capture_message(struct prn_capture *capture, struct prn_http_decoder *decoder, unsigned char *bytes,
                             size_t length, bool more, size_t limit, struct prn_error *error);

/* A coded body may be longer than the decoded one: of a message whose body may have limit bytes so many are read. */
size_t prn_http_stored_limit(size_t limit);

/* Why prn_http_head_parse refused a head. */
const char *prn_http_head_fault(int code);

/*
 * Whether a text is one entity tag (RFC 9110 §8.8.3), as it may be sent back: without control characters, of at most
 * PRN_ETAG_BYTES; one without quotes, which many servers send, is one too.  "*" and lists are not: they would match whatever
 * the page has become.
 */
bool prn_http_is_etag(const char *text);

#endif
