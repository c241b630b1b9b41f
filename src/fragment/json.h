/*
 * The text of JSON: its values, not the names of members.
 */
#ifndef FRAGMENT_JSON_H
#define FRAGMENT_JSON_H

#include "base/buffer.h"

#define PRN_JSON_DEPTH 2048 /* arrays and objects in one another */

/*
 * Appends the values of json, UTF-8, in the order of the text, each ending a word: strings, and numbers, true and false as
 * they are written; null says nothing.  It is read as it goes (RFC 8259), in memory for nothing but the text; numbers may be of
 * any size, and half a pair of surrogates is U+FFFD.
 *
 * PRN_E_INPUT	not JSON, or nested deeper than PRN_JSON_DEPTH; *text is as it was
 * PRN_E_MEMORY
 */
int prn_json_text(const unsigned char *json, size_t length, struct prn_buffer *text);

#endif
