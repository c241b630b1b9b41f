/* A part of a URL's text, which is read from its front. */
#ifndef ARCHIVE_URL_PART_H
#define ARCHIVE_URL_PART_H

#include <stddef.h>

struct prn_url_part {
	const char *at;
	size_t length;
};

/* Takes length bytes off the front of *text, which has at least as many. */
static inline struct prn_url_part prn_url_take(struct prn_url_part *text, size_t length)
{
	struct prn_url_part front = { text->at, length };

	text->at += length, text->length -= length;
	return front;
}

#endif
