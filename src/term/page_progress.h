/*
 * Progress over pages: the number of pages that were read shows how far an evaluation is.  One under budgets reads them in
 * several passes.
 */
#ifndef TERM_PAGE_PROGRESS_H
#define TERM_PAGE_PROGRESS_H

#include <stdatomic.h>

#include "perennial/pages.h"
#include "term/progress.h"

struct term_page_progress {
	struct term_progress line;
	struct prn_pages inner;
	atomic_size_t read; /* pages are read by several threads */
};

/* Replaces the reader of *pages by one that counts: pages->context is progress until _end. */
void term_page_progress_begin(struct term_page_progress *progress, const char *name, struct prn_pages *pages);

/* Clears the line and restores *pages. */
void term_page_progress_end(struct term_page_progress *progress, struct prn_pages *pages);

#endif
