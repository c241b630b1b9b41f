/*
 * The text of JSON: its string values, not the names of members.
 */
#ifndef FRAGMENT_JSON_H
#define FRAGMENT_JSON_H

#include "base/buffer.h"

/*
 * Appends the string values in document order, each ending a word; values of members that are named
 * twice count once (the last).
 *
 * PRN_E_INPUT	not JSON (or nested deeper than 2048)
 * PRN_E_MEMORY
 */
int prn_json_text(const unsigned char *json, size_t length, struct prn_buffer *text);

#endif
