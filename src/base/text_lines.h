/*
 * Lines of a file of text, of any size, in bounded memory.
 */
#ifndef BASE_TEXT_LINES_H
#define BASE_TEXT_LINES_H

#include "base/buffer.h"
#include "perennial/error.h"

#include <stdio.h>

#define PRN_TEXT_LINE_BYTES ((size_t)16 << 20) /* of the longest that is kept */
#define PRN_TEXT_LINE_LONG 2
#define PRN_TEXT_LINE_ZERO 3 /* it has a zero byte, at which it would be cut */

/* All zero bytes but file and name to begin with; text is released by who has it. */
struct prn_text_lines {
	FILE *file;                /* borrowed */
	const char *name;          /* of the file, for errors; borrowed */
	struct prn_buffer text;
	char *line;                /* the present one in text, without its end, and of the first without a byte order mark */
	size_t length;             /* bytes of it */
	unsigned long long number; /* its, from 1 */
	uint64_t at;               /* bytes of the file that were read, ends of lines and all */
};

/*
 * Reads the next line: 1, or PRN_TEXT_LINE_LONG with its first PRN_TEXT_LINE_BYTES, the rest of which is passed over, or
 * PRN_TEXT_LINE_ZERO, or 0 at the end.
 *
 * PRN_E_IO, with errno alone
 * PRN_E_MEMORY
 */
int prn_text_lines_next(struct prn_text_lines *lines);

/*
 * Says what is wrong where prn_text_lines_next gave neither 1 nor 0: of a line that is too long which, and how long one may be;
 * of one that is no text which.
 * Returns the error's code; 0, and says nothing, where nothing is wrong.
 */
int prn_text_lines_wrong(const struct prn_text_lines *lines, int got, struct prn_error *why);

/* The same, of which a line that is too long, or is no text, is an error: 1, or 0 at the end, or the code of an error that is told, PRN_E_INPUT too. */
int prn_text_lines_need(struct prn_text_lines *lines, struct prn_error *error);

#endif
