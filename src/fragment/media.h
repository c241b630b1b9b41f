/* Finds the media type of a body from its Content-Type, or from its first bytes where that says nothing. */
#ifndef FRAGMENT_MEDIA_H
#define FRAGMENT_MEDIA_H

#include "perennial/extractor.h"

#include <stdbool.h>

#define PRN_CHARSET_NAME 40 /* room for the longest name that is accepted, with its NUL */

/*
 * Writes the charset parameter of a Content-Type value, in lower case, and returns 1; returns 0 if there is
 * none that prn_media_label accepts.
 */
int prn_media_charset(const char *content_type, char name[PRN_CHARSET_NAME]);

/*
 * Copies the name of a charset as a page writes it to name, in lower case.  Returns 0, with nothing copied, if
 * it is empty, too long, or has characters that no charset's name has.
 */
int prn_media_label(const char *text, size_t length, char name[PRN_CHARSET_NAME]);

/* Tells whether a Content-Type value is that of XHTML; NULL is not. */
bool prn_media_is_xhtml(const char *content_type);

/* Tells whether length bytes at text equal the lower-case word, ignoring the case of letters. */
int prn_media_is(const char *text, size_t length, const char *word);

#endif
