/*
 * The references of a page to others, as they are written: what the href of its a and area elements says, and that of base.
 * Who knows the page's URL makes links of them.
 */
#ifndef FRAGMENT_REFERENCES_H
#define FRAGMENT_REFERENCES_H

#include "base/buffer.h"

#include <stdbool.h>
#include <string.h>

/* Of a page that has more the rest is passed over: what it costs to read one is bounded by what a URL may have. */
#define PRN_REFERENCES_MOST 65536

struct prn_references {
	struct prn_buffer text; /* each with its NUL, in the order of the page; a NUL in one is U+FFFD, as the standard has it */
	size_t count;
	struct prn_buffer base; /* the href of the first base element that has one, with its NUL */
	bool has_base;
};

struct prn_extractor;

/* Has an extractor read them too, where a body is HTML, or no more. */
void prn_extractor_read_references(struct prn_extractor *extractor, bool read);

/* Those of the last body; they are valid until the next. */
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
