/* Parses the header of a WARC record: its version line and the fields that are used. */
#ifndef ARCHIVE_WARC_HEADER_H
#define ARCHIVE_WARC_HEADER_H

#include "archive/warc.h"

/*
 * Parses length bytes in place; text[length] must be writable.  *record points into text.  Returns NULL, or an
 * error text; then only target_uri of *record is valid, which is NULL or a string, and has_length with block_bytes.
 */
const char *prn_warc_header_parse(struct prn_warc_record *record, char *text, size_t length);

/*
 * Parses a WARC-Date, also as in ClueWeb09: "2009-03-65T08:43:19-0800" is the 65th day of the year.  False: it
 * is invalid.
 */
bool prn_warc_date_parse(const char *text, int64_t *time);

#endif
