/*
 * Pages saved as one HTML file by SingleFile or monolith, which say in a comment before all else of which URL they are and when
 * they were saved.
 */
#ifndef ARCHIVE_SAVED_H
#define ARCHIVE_SAVED_H

#include "perennial/url.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_SAVED_START ((size_t)32 << 10) /* bytes among which the comment begins and ends */

/* Whether bytes begin as HTML does: with a doctype, a comment, or an element that a page begins with. */
bool prn_saved_is_html(const unsigned char *bytes, size_t length);

/* What a comment says. */
struct prn_saved {
	char url[PRN_URL_BYTES + 1]; /* as it is written; "" where it is too long or missing */
	int64_t time;                /* or PRN_TIME_UNKNOWN */
};

/* Finds and reads that comment at the start of a page; false: there is none. */
bool prn_saved_read(struct prn_saved *saved, const unsigned char *bytes, size_t length);

#endif
