/*
 * Parses the header of a MIME entity (RFC 2045, 2046) and of a message (RFC 5322), as far as pages saved as
 * MHTML (RFC 2557) need it.
 */
#ifndef ARCHIVE_MIME_HEADER_H
#define ARCHIVE_MIME_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#define PRN_MIME_BOUNDARY 200 /* bytes of the longest boundary that is read; the standard allows 70 */

enum prn_mime_encoding {
	PRN_MIME_AS_IT_IS, /* 7bit, 8bit, binary, or not given */
	PRN_MIME_QUOTED,   /* quoted-printable */
	PRN_MIME_BASE64,
	PRN_MIME_OTHER,    /* an unknown one */
};

/* Strings point into the text that was parsed; NULL if the field is missing or empty. */
struct prn_mime_header {
	const char *content_type;
	const char *location; /* Content-Location, without the white space of folding */
	const char *snapshot; /* Snapshot-Content-Location, likewise: the page's URL, as Chromium writes it */
	const char *date;
	enum prn_mime_encoding encoding;
	bool is_mime;         /* it has MIME-Version, or is a multipart */
	bool is_multipart;
};

/* Parses a header in place; text[length] must be writable. */
void prn_mime_header_parse(struct prn_mime_header *header, char *text, size_t length);

/* Reads the boundary of a multipart's Content-Type; false if it has none, or one that is longer than PRN_MIME_BOUNDARY. */
bool prn_mime_boundary(const char *content_type, char boundary[PRN_MIME_BOUNDARY + 1]);

/* Tells whether bytes may begin a header: with the name of a field, as far as they go. */
bool prn_mime_header_starts(const unsigned char *bytes, size_t length);

#endif
