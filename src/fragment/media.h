/*
 * What a Content-Type says, and what the first bytes say where it is silent.
 */
#ifndef FRAGMENT_MEDIA_H
#define FRAGMENT_MEDIA_H

#include "perennial/extractor.h"

#include <stdbool.h>

#define PRN_CHARSET_NAME 40 /* room for the longest name taken, with its NUL */

/*
 * Writes the charset parameter of a Content-Type value, in lower case, and returns 1; 0 if there is
 * none that prn_media_label takes.
 */
int prn_media_charset(const char *content_type, char name[PRN_CHARSET_NAME]);

/*
 * Copies a charset's name as a page writes it to name, in lower case; 0, with nothing copied, if it
 * is empty, too long, or has characters that no charset's name has.
 */
int prn_media_label(const char *text, size_t length, char name[PRN_CHARSET_NAME]);

/* Whether a Content-Type value says XHTML; NULL does not. */
bool prn_media_is_xhtml(const char *content_type);

/* Whether length bytes at text are, but for the case of letters, the lower-case word. */
int prn_media_is(const char *text, size_t length, const char *word);

#endif
