/*
 * Header fields as WARC and HTTP write them: "Name: value" lines up to a blank one, CRLF or LF, folded lines
 * joined by spaces.
 */
#ifndef ARCHIVE_FIELDS_H
#define ARCHIVE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of a header with the blank line that ends it, or 0 if these bytes do not contain that line. */
size_t prn_fields_end(const unsigned char *bytes, size_t length);

/* Text that is parsed in place: at … end-1 remains, and *end must be writable. */
struct prn_fields {
	char *at, *end;
};

/*
 * Takes the next line without its end; folded lines are joined.  The line is NUL-terminated in place.  False at
 * the blank line or the end.
 */
bool prn_fields_line(struct prn_fields *fields, char **line);

/* Takes the next line that is a field and skips other lines.  Name and value are trimmed. */
bool prn_fields_next(struct prn_fields *fields, char **name, char **value);

#endif
