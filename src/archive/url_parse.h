/*
 * URLs as the WHATWG's standard parses and serialises them (url.h).
 */
#ifndef ARCHIVE_URL_PARSE_H
#define ARCHIVE_URL_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/url.h"

/*
 * Writes the URL that text[length] is, or names from base (a serialisation or a normal form; NULL: none), to out: in
 * normal form, or as the standard serialises it.
 *
 * PRN_E_INPUT	the standard refuses it, or it is neither http nor https
 * PRN_E_LIMIT	longer than PRN_URL_BYTES
 * PRN_E_MEMORY
 */
int prn_url_parse(const char *text, size_t length, const char *base, bool normal, char out[PRN_URL_BYTES + 1]);

/* Whether a text begins with a scheme, and whether with one that no page has: "javascript:", "mailto:". */
bool prn_url_has_scheme(const char *text);
bool prn_url_has_other_scheme(const char *text);

/*
 * Whether a text that is no URL would be one with "http://" in front, as people write them: "example.com/x".  Its host has
 * a dot, so that names of files in folders and other schemes are none.
 */
bool prn_url_lacks_scheme(const char *text);

#endif
