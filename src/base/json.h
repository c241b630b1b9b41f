/*
 * Reads JSON safely when memory runs out, and when a text was made to need much of it: a value may take two bytes of text, and fifty
 * times as many once it is read.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define PRN_JSON_LINE_VALUES 10000 /* the most values in a line about one thing, which has a dozen */

/*
 * Whether a text has more values than a limit.  They are counted by commas, opening brackets and braces, without parsing, so an
 * empty array or object counts as two.  In a text that is not JSON, at least the values before the fault are counted.
 */
bool prn_json_exceeds(const char *text, size_t length, size_t values);

/*
 * Reads a text as json_loadb does, and writes the value to *root, or to *why what is wrong.  The first call wraps jansson's allocation
 * functions, so that memory which jansson was refused is an error whatever it makes of that.
 *
 * PRN_E_INPUT	not JSON
 * PRN_E_LIMIT	more values than the limit
 * PRN_E_MEMORY	*why says nothing of use
 */
int prn_json_load(const char *text, size_t length, size_t flags, size_t values, json_t **root, json_error_t *why);

/* What a message says before why->text: "not JSON", or "too much JSON" for PRN_E_LIMIT.  Static. */
const char *prn_json_fault(int code);

#endif
