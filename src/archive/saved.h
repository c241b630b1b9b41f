/*
 * Reads pages saved as one HTML file by SingleFile or monolith, which state in a comment at the start of which
 * URL they are and when they were saved.
 */
#ifndef ARCHIVE_SAVED_H
#define ARCHIVE_SAVED_H

#include "perennial/url.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_SAVED_START ((size_t)32 << 10) /* bytes in which the comment begins and ends */

/* Tells whether bytes begin as HTML does: with a doctype, a comment, or an element that begins a page. */
bool prn_saved_is_html(const unsigned char *bytes, size_t length);

/* The content of the comment. */
struct prn_saved {
	char url[PRN_URL_BYTES + 1]; /* as written; "" if it is too long or missing, or has a zero byte in it */
	int64_t time;                /* or PRN_TIME_UNKNOWN */
};

/* Finds and reads that comment at the start of a page; false: there is none. */
bool prn_saved_read(struct prn_saved *saved, const unsigned char *bytes, size_t length);

#endif
