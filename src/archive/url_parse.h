/* Parses and serialises URLs by the WHATWG standard (url.h). */
#ifndef ARCHIVE_URL_PARSE_H
#define ARCHIVE_URL_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/url.h"

/*
 * Writes the URL text[length], resolved against base (a serialisation or a normal form; NULL: none), to out: in
 * normal form, or as the standard serialises it.
 *
 * PRN_E_INPUT	the standard refuses it, or it is neither http nor https
 * PRN_E_LIMIT	longer than PRN_URL_BYTES
 * PRN_E_MEMORY
 */
int prn_url_parse(const char *text, size_t length, const char *base, bool normal, char out[PRN_URL_BYTES + 1]);

/* Tell whether a text begins with a scheme, and whether with one that no page has: "javascript:", "mailto:". */
bool prn_url_has_scheme(const char *text);
bool prn_url_has_other_scheme(const char *text);

/*
 * Tells whether a text that is not a URL would be one with "http://" in front, as people write them:
 * "example.com/x".  Its host must have a dot, which excludes file names in folders and other schemes.
 */
bool prn_url_lacks_scheme(const char *text);

#endif
