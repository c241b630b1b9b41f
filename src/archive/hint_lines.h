/* Reads hints from lines: JSON objects, or URLs (hint.h). */
#ifndef ARCHIVE_HINT_LINES_H
#define ARCHIVE_HINT_LINES_H

#include "archive/hint_reading.h"

/*
 * Delivers the hint of one line, without its end, to the reading; whole is false if more of the line is
 * missing.  The first line that is not empty determines the format of all.  Does nothing once the reading is
 * full.
 *
 * As prn_hint_offer
 */
int prn_hint_line(struct prn_hint_reading *reading, const unsigned char *line, size_t length, uint64_t number,
                  bool whole, struct prn_error *error);

#endif
