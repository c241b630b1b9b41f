/*
 * Hints as lines: JSON objects, or URLs (hint.h).
 */
#ifndef ARCHIVE_HINT_LINES_H
#define ARCHIVE_HINT_LINES_H

#include "archive/hint_reading.h"

/*
 * Hands out the hint of one line, whose end is cut off; whole is false if more of it is, too.  What the lines are, the first
 * that is not empty tells.  Once the reading is full, nothing happens.
 *
 * As prn_hint_offer
 */
int prn_hint_line(struct prn_hint_reading *reading, const unsigned char *line, size_t length, uint64_t number,
                  bool whole, struct prn_error *error);

#endif
