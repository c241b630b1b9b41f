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

struct prn_arc_header {
	const char *url; /* may contain blanks, as crawlers wrote them */
	const char *address;
	int64_t time;
	const char *media; /* NULL: "no-type" */
	uint64_t length;   /* bytes that follow the line */
};

/* Parses a line without its end, in place; *header points into it.  False: it is not such a line. */
bool prn_arc_header_parse(struct prn_arc_header *header, char *line);

/* Tells whether bytes may begin such a line: with a scheme and its colon. */
bool prn_arc_header_starts(const unsigned char *bytes, size_t length);

#endif
