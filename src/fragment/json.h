/* Extracts the text of JSON: its values, not the names of members. */
#ifndef FRAGMENT_JSON_H
#define FRAGMENT_JSON_H

#include "base/buffer.h"

#define PRN_JSON_DEPTH 2048 /* nested arrays and objects */

/*
 * Appends the values of json, UTF-8, in the order of the text, each ending a word: strings, numbers, true and
 * false as they are written; null adds nothing.  The text is parsed in one pass (RFC 8259) that takes memory
 * for the output only.  Numbers may have any size, and an unpaired surrogate is U+FFFD.
 *
 * PRN_E_INPUT	not JSON, or nested deeper than PRN_JSON_DEPTH; *text is unchanged
 * PRN_E_MEMORY
 */
int prn_json_text(const unsigned char *json, size_t length, struct prn_buffer *text);

#endif
