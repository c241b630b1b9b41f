/*
 * A table of options: one line for each says how it is written, where its value goes and what --help prints, so that parsing
 * and help agree.
 */
#ifndef TERM_OPTIONS_H
#define TERM_OPTIONS_H

#include "term/exit.h"
#include "term/option.h"

struct term_usage {
	const char *name;       /* "import" */
	const char *synopsis;   /* "-o X.trace [OPTION]… SRC…" */
	const char *about;      /* a few lines */
	const struct term_option *options; /* ends with TERM_OPTION_END; --help and -h are added */
};

/*
 * Parses argv (argv[0] is the command).  Options and operands may be mixed; "--" ends options.  Operands are moved to the
 * end, and *first is the index of the first one.  Configuration files are read first, so that options take precedence.
 *
 * Returns 0 to go on; TERM_HELPED if --help, or the command's part of a script for a shell (completions.h), was printed to
 * stdout instead; or
 *
 * TERM_E_USAGE	an option is unknown, or its value is not what it takes; a file of options is wrong, or cannot be read; an
 * 		output (TERM_OPTION_OUTPUT) is a file that is read (outputs.h)
 * PRN_E_MEMORY
 */
int term_options_parse(const struct term_usage *usage, int argc, char **argv, int *first, struct prn_error *error);

#endif
