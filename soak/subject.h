/*
 * What is killed: a writer that takes lines and acknowledges each when it is durable, and a reader that tells what is
 * there afterwards.  Lines are numbered; a page's number only grows.
 */
#ifndef SOAK_SUBJECT_H
#define SOAK_SUBJECT_H

#include "base/buffer.h"

#include <stdbool.h>

#define SUBJECT_WORDS 16

struct subject {
	const char *name;
	const char *make[SUBJECT_WORDS];  /* the command that makes the store; STORE stands for its path */
	const char *write[SUBJECT_WORDS]; /* reads lines, prints acknowledgements */
	const char *read[SUBJECT_WORDS];  /* prints a line for each page that is there */
	const char *check[SUBJECT_WORDS]; /* exits with 0 when all indexes agree */

	double longest_ms; /* that it lives */

	/* Appends the line with this number for a page. */
	void (*line)(unsigned page, unsigned number, struct prn_buffer *out);

	/* What a line of the writer, or of the reader, says; false: nothing of a page. */
	bool (*acknowledged)(const char *line, unsigned *page, unsigned *number);
	bool (*found)(const char *line, unsigned *page, unsigned *number);
};

/* By index; NULL past the last. */
const struct subject *subject_at(unsigned index);

#endif
