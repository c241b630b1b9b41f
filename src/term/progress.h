/*
 * Progress over pages on stderr, when that is a terminal and the work takes longer than a second: pages as
 * they are read tell how far an evaluation is; one under budgets reads them in several passes.
 */
#ifndef TERM_PROGRESS_H
#define TERM_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

#include "perennial/pages.h"

struct term_progress {
	const char *name; /* of the command */
	struct prn_pages inner;
	pthread_mutex_t lock; /* pages are read by several threads */
	size_t read;
	double started, last; /* seconds */
	bool terminal, drawn;
};

/* Puts itself between *pages and whoever reads them: pages->context becomes progress until _end. */
void term_progress_begin(struct term_progress *progress, const char *name, struct prn_pages *pages);

/* Clears the line and gives *pages back as it was. */
void term_progress_end(struct term_progress *progress, struct prn_pages *pages);

#endif
