/*
 * Indexes of archives: the lines of CDX and CDXJ, of which a source of captures without bodies is made.
 */
#ifndef ARCHIVE_INDEX_H
#define ARCHIVE_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#define PRN_INDEX_START 4096 /* bytes by which one is known */

/*
 * Whether a file that begins with these bytes is an index: with the legend of a CDX file (" CDX N b a"), with a line of one
 * (a key, a time of 4 to 14 digits, and more, with blanks between), or with a line that CDXJ has for itself ("!…").
 */
bool prn_index_starts(const unsigned char *bytes, size_t length);

#endif
