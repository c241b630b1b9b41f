/*
 * JSON that is read while memory may run out, and that may be made to need much of it: a value takes two bytes of text, and fifty
 * times as many once it is read.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define PRN_JSON_LINE_VALUES 10000 /* of a line that says one thing, which has a dozen */

/*
 * Whether a text has more than so many values, an empty array or object being two, counted without reading it: each stands behind
 * a comma or an opening bracket or brace.  What is no JSON has at least as many as would be read before the fault.
 */
bool prn_json_exceeds(const char *text, size_t length, size_t values);

/*
 * Reads a text as json_loadb does, and writes what it is to *root, or why it is none.  So that memory that jansson is refused is an
 * error whatever it makes of that, its functions for memory are replaced at the first call by some that call those.
 *
 * PRN_E_INPUT	not JSON
 * PRN_E_LIMIT	more than so many values
 * PRN_E_MEMORY	and *why says nothing of use
 */
int prn_json_load(const char *text, size_t length, size_t flags, size_t values, json_t **root, json_error_t *why);

/* What to tell of such a text in front of why->text: "not JSON", or "too much JSON" for PRN_E_LIMIT.  Static. */
const char *prn_json_fault(int code);

#endif
