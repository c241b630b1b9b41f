/* Indexes of archives: reads the lines of CDX and CDXJ as a source of captures without bodies. */
#ifndef ARCHIVE_INDEX_H
#define ARCHIVE_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#define PRN_INDEX_START 4096 /* bytes that identify an index */

/*
 * Tells whether a file that begins with these bytes is an index.  It begins with the legend of a CDX file ("
 * CDX N b a"), with a line of one (a key, a time of 4 to 14 digits, and more, separated by blanks), or with a
 * line that only CDXJ has ("!…").
 */
bool prn_index_starts(const unsigned char *bytes, size_t length);

#endif
