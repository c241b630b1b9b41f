/* Recognises URLs that are many to curl. */
#ifndef ARCHIVE_URL_GLOBS_H
#define ARCHIVE_URL_GLOBS_H

#include <stdbool.h>

/* Tells whether a URL has braces or brackets other than those around an address that is its host. */
bool prn_url_has_globs(const char *url);

#endif
