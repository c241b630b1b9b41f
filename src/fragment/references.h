/*
 * The references of a page to other pages as they are written: the href of its a and area elements, and of
 * base.  The caller, who knows the page's URL, turns them into links.
 */
#ifndef FRAGMENT_REFERENCES_H
#define FRAGMENT_REFERENCES_H

#include "base/buffer.h"

#include <stdbool.h>
#include <string.h>

/* References beyond this number are ignored; the length of each is bounded by that of a URL. */
#define PRN_REFERENCES_MOST 65536

struct prn_references {
	struct prn_buffer text; /* each with its NUL, in the order of the page; a NUL inside one is U+FFFD, as the standard has it */
	size_t count;
	struct prn_buffer base; /* the href of the first base element that has one, with its NUL */
	bool has_base;
};

struct prn_extractor;

/* Makes an extractor read the references of HTML bodies too, or stops it. */
void prn_extractor_read_references(struct prn_extractor *extractor, bool read);

/* Returns the references of the last body; they are valid until the next one. */
const struct prn_references *prn_extractor_references(const struct prn_extractor *extractor);

static inline void prn_references_clear(struct prn_references *references)
{
	prn_buffer_clear(&references->text);
	prn_buffer_clear(&references->base);
	references->count = 0;
	references->has_base = false;
}

static inline void prn_references_release(struct prn_references *references)
{
	prn_buffer_release(&references->text);
	prn_buffer_release(&references->base);
	prn_references_clear(references);
}

#endif
