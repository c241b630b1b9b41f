/*
 * Lines of a file of text, of any size, in bounded memory.
 */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include "base/buffer.h"
#include "perennial/error.h"

#include <stdio.h>

#define CLI_LINE_BYTES ((size_t)16 << 20) /* of the longest that is kept */
#define CLI_LINE_LONG 2

/* All zero bytes but file to begin with; text is released by who has it. */
struct cli_lines {
	FILE *file;                /* borrowed */
	struct prn_buffer text;
	char *line;                /* the present one in text, without its end, and of the first without a byte order mark */
	unsigned long long number; /* its, from 1 */
};

/*
 * Reads the next line: 1, or CLI_LINE_LONG with its first CLI_LINE_BYTES, the rest of which is passed over, or 0 at the end.
 *
 * PRN_E_IO, with errno alone
 * PRN_E_MEMORY
 */
int cli_lines_next(struct cli_lines *lines);

/* Says of a line that it is too long. */
void cli_lines_tell_long(struct prn_error *why, const char *name, const struct cli_lines *lines);

#endif
