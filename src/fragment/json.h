/*
 * The text of JSON: its string values, not the names of members.
 */
#ifndef FRAGMENT_JSON_H
#define FRAGMENT_JSON_H

#include "base/buffer.h"

/* Of a page: once read they take some 150 MB. */
#define PRN_JSON_TEXT_VALUES ((size_t)1 << 20)

/*
 * Appends the string values in document order, each ending a word; values of members that are named
 * twice count once (the last).
 *
 * PRN_E_INPUT	not JSON, or nested deeper than 2048, or more than PRN_JSON_TEXT_VALUES values
 * PRN_E_MEMORY
 */
int prn_json_text(const unsigned char *json, size_t length, struct prn_buffer *text);

#endif
