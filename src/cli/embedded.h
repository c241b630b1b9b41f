/*
 * The files of src/cli/report/ as the build puts them into the program: text, NUL-terminated.
 */
#ifndef CLI_EMBEDDED_H
#define CLI_EMBEDDED_H

struct cli_embedded {
	const char *name; /* "staleness.gp" */
	const char *text;
};

extern const struct cli_embedded cli_embedded[]; /* ends with a NULL name */

#endif
