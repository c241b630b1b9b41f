/*
 * What is killed: a writer that acknowledges what it made durable, and a reader that prints what is stored afterwards.  The
 * writer is fed numbered lines; the number of a page only grows.
 */
#ifndef SOAK_SUBJECT_H
#define SOAK_SUBJECT_H

#include "base/buffer.h"

#include <stdbool.h>

struct subject {
	const char *name;

	/* Commands of the shell, in which $STORE is the store's path and $PAGES the number of pages. */
	const char *make;  /* makes the store */
	const char *write; /* reads lines, prints acknowledgements; with exec, so that it is what is killed */
	const char *read;  /* prints a line for each page in the store */
	const char *check; /* exits with 0 when all indexes agree */

	double longest_ms; /* how long it lives on an idle machine; 0: it ends by itself, and its life is measured */
	unsigned takes;    /* the most pages that a round takes away, 0: none; there are enough for all rounds */

	/* Appends the line with this number for a page; NULL: it is not fed, and all numbers are 1. */
	void (*line)(unsigned page, unsigned number, struct prn_buffer *out);

	/* Reads a line of the writer or of the reader; false: it is not about a page. */
	bool (*acknowledged)(const char *line, unsigned *page, unsigned *number);
	bool (*found)(const char *line, unsigned *page, unsigned *number);
};

/* Returns the subject of that index; NULL past the last. */
const struct subject *subject_at(unsigned index);

#endif
