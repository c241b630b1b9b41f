/*
 * Lines of a file of text, of any size, in bounded memory.
 */
#ifndef BASE_TEXT_LINES_H
#define BASE_TEXT_LINES_H

#include "base/buffer.h"
#include "perennial/error.h"

#include <stdio.h>

#define PRN_TEXT_LINE_BYTES ((size_t)16 << 20) /* the longest line that is kept */
#define PRN_TEXT_LINE_LONG 2
#define PRN_TEXT_LINE_ZERO 3 /* it has a zero byte, at which it would be cut */

/* Begins as zero bytes except file and name; the caller releases text. */
struct prn_text_lines {
	FILE *file;                /* borrowed */
	const char *name;          /* of the file, for errors; borrowed */
	struct prn_buffer text;
	char *line;                /* the present one, in text, without its end and, if it is the first, without a byte order mark */
	size_t length;             /* its bytes */
	unsigned long long number; /* its number, from 1 */
	uint64_t at;               /* bytes of the file that were read, with the ends of lines */
};

/*
 * Reads the next line.  Returns 1; PRN_TEXT_LINE_LONG with its first PRN_TEXT_LINE_BYTES, if it is longer, and passes over the rest;
 * PRN_TEXT_LINE_ZERO; or 0 at the end.
 *
 * PRN_E_IO	errno says why
 * PRN_E_MEMORY
 */
int prn_text_lines_next(struct prn_text_lines *lines);

/*
 * Fills *why from a result of prn_text_lines_next: it names the file and, if a line is too long or is no text, the line.  Returns the
 * error's code; 0, and leaves *why alone, if nothing is wrong.
 */
int prn_text_lines_wrong(const struct prn_text_lines *lines, int got, struct prn_error *why);

/* As prn_text_lines_next, but a line that is too long or is no text is an error: returns 1, 0 at the end, or the code of *error (also PRN_E_INPUT). */
int prn_text_lines_need(struct prn_text_lines *lines, struct prn_error *error);

#endif
