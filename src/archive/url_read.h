/* URLs that a person, a program or a file gives, and what is wrong with them in words. */
#ifndef ARCHIVE_URL_READ_H
#define ARCHIVE_URL_READ_H

#include "perennial/error.h"
#include "perennial/url.h"

/*
 * Writes the normal form of a URL.  The text names what is none, and says what may have been meant where only the scheme is missing.
 *
 * PRN_E_INPUT, PRN_E_LIMIT	it is no URL, or none that is short enough
 * PRN_E_MEMORY			nothing is wrong with it
 */
int prn_url_read(const char *url, char normal[PRN_URL_BYTES + 1], struct prn_error *error);

#endif
