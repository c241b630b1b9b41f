/*
 * Progress over pages: how many of them have been read tells how far an evaluation is; one under budgets reads them in
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

/* Puts itself between *pages and whoever reads them: pages->context becomes progress until _end. */
void term_page_progress_begin(struct term_page_progress *progress, const char *name, struct prn_pages *pages);

/* Clears the line and gives *pages back as it was. */
void term_page_progress_end(struct term_page_progress *progress, struct prn_pages *pages);

#endif
