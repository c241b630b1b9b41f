/*
 * JSON that is read while memory may run out.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>

/*
 * Reads a text as json_loadb does, and writes what it is to *root, or why it is none.
 *
 * PRN_E_INPUT	not JSON
 * PRN_E_MEMORY
 */
int prn_json_load(const char *text, size_t length, size_t flags, json_t **root, json_error_t *why);

#endif
