/*
 * The line that begins a record of an ARC file (Internet Archive, "ARC File Format", 1996): URL, IP address,
 * date, media type and length, separated by blanks; version 2 also has the status, checksum, location, offset
 * and file name before the length.
 */
#ifndef ARCHIVE_ARC_HEADER_H
#define ARCHIVE_ARC_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_ARC_LINE_BYTES ((size_t)16 << 10) /* bytes of the longest line that is read */
#define PRN_ARC_LINE_PASSED ((size_t)8 << 20) /* … and of the longest that is looked through for its length */

struct prn_arc_header {
	const char *url; /* may contain blanks, as crawlers wrote them */
	const char *address;
	int64_t time;
	const char *media; /* NULL: "no-type" */
	uint64_t length;   /* bytes that follow the line */
};

/*
 * Parses length bytes of a line without its '\n', in place; line[length] must be writable.  *header points into it.  False: it is
 * not such a line; so is one with a zero byte or a '\r' within it, before which a URL could bring an address, a date and a length of its own.
 */
bool prn_arc_header_parse(struct prn_arc_header *header, char *line, size_t length);

/*
 * Finds what a line claims to hold that cannot be parsed otherwise: it begins with a scheme, and ends with three fields or more
 * of which the last is a number.
 */
bool prn_arc_header_claims(const unsigned char *line, size_t length, uint64_t *bytes);

/* Tells whether bytes may begin such a line: with a scheme and its colon. */
bool prn_arc_header_starts(const unsigned char *bytes, size_t length);

#endif
