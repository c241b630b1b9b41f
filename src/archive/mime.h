/*
 * Reads a message of MIME parts (RFC 2046) as a stream: returns its parts that are not multiparts, one after
 * another, in memory that does not grow with their number, length or depth.
 */
#ifndef ARCHIVE_MIME_H
#define ARCHIVE_MIME_H

#include "archive/mime_header.h"
#include "archive/stream.h"
#include "base/buffer.h"

#define PRN_MIME_HEADER_BYTES ((size_t)64 << 10) /* bytes of the longest header that is read */
#define PRN_MIME_DEPTH 8                         /* nested multiparts: deeper ones are skipped */

struct prn_mime;

/* Tells whether a stream at its first member begins like such a message: with a header that mentions MIME. */
bool prn_mime_is(struct prn_stream *stream);

/*
 * Reads the message's own header.  The stream is borrowed and must be at its first member.  *error names
 * neither file nor place.
 *
 * PRN_E_INPUT	it has no readable header, or one with a zero byte, or is a multipart without a boundary of 1 to PRN_MIME_BOUNDARY bytes
 * PRN_E_TRUNCATED	the file ends within the header
 * PRN_E_MEMORY, and as prn_stream_peek
 */
int prn_mime_open(struct prn_mime **out, struct prn_stream *stream, struct prn_error *error);
void prn_mime_free(struct prn_mime *mime);

/* Returns the message's own header, valid as long as the message. */
const struct prn_mime_header *prn_mime_message(const struct prn_mime *mime);

/*
 * Moves to the next part from anywhere in the current one: 1 with *part, whose strings are valid until the next
 * call; 0 at the end.  A message that is not a multipart is one part, with the message's header.
 *
 * PRN_E_INPUT	a part that cannot be read: its header is too long or has a zero byte, it is nested too deep, a multipart without
 * a boundary, or it stands before the first boundary; the next call continues behind it.  Or the file is damaged, and the next call returns 0
 * PRN_E_TRUNCATED	the file ends before the last boundary
 * PRN_E_MEMORY, and as prn_stream_peek
 */
int prn_mime_next(struct prn_mime *mime, const struct prn_mime_header **part, struct prn_error *error);

/* Returns the number of the current part, from 1; unreadable parts and multiparts are counted too. */
uint64_t prn_mime_number(const struct prn_mime *mime);

/*
 * Appends the part's content without its transfer encoding to *body, which is empty, up to limit bytes; *more:
 * there is more.
 *
 * PRN_E_INPUT	it is not encoded as its header says, or in an unknown way
 * PRN_E_TRUNCATED	the file ends within it; *body has what precedes that
 * PRN_E_MEMORY, and as prn_stream_peek
 */
int prn_mime_body(struct prn_mime *mime, struct prn_buffer *body, size_t limit, bool *more, struct prn_error *error);

#endif
