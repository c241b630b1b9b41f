/*
 * What is killed: a writer that acknowledges what it made durable, and a reader that tells what is there afterwards.
 * What it is fed are numbered lines; a page's number only grows.
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
	const char *read;  /* prints a line for each page that is there */
	const char *check; /* exits with 0 when all indexes agree */

	double longest_ms; /* that it lives, on a machine that is not busy; 0: it ends by itself, and its life is measured */
	unsigned takes;    /* pages that a round takes away at most, 0: none; there are enough for all rounds */

	/* Appends the line with this number for a page; NULL: nothing is fed to it, and all numbers are 1. */
	void (*line)(unsigned page, unsigned number, struct prn_buffer *out);

	/* What a line of the writer, or of the reader, says; false: nothing of a page. */
	bool (*acknowledged)(const char *line, unsigned *page, unsigned *number);
	bool (*found)(const char *line, unsigned *page, unsigned *number);
};

/* By index; NULL past the last. */
const struct subject *subject_at(unsigned index);

#endif
