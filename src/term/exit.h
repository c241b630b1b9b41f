/*
 * How a command ends: the values that its steps return, messages on stderr, and exit codes.
 *
 * A step of a command returns 0 to go on, a negative code with *error, or a value above 0 that says how the command ends
 * after it.  Negative are the PRN_E_* of error.h and TERM_E_USAGE.
 */
#ifndef TERM_EXIT_H
#define TERM_EXIT_H

#include "perennial/error.h"

/* Exit codes, except for the last. */
enum {
	TERM_DONE = 0,
	TERM_SKIPPED = 1, /* done, but something was skipped: counted on stderr */
	TERM_USAGE = 2,
	TERM_FAILED = 3,
	TERM_HELPED = 4,  /* --help was printed, and nothing else is to be done: exits with TERM_DONE */
};

#define TERM_E_USAGE (-100) /* the command line is wrong: the text names the option and says what it takes */

/* Fills *error and returns TERM_E_USAGE. */
int term_usage_error(struct prn_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes a usage error of an error, whose text stays in *error, unless memory is what was missing.  Returns its code. */
int term_usage_blame(struct prn_error *error);

/* Flushes stdout.  PRN_E_IO	it cannot be written, or something before could not */
int term_stdout_flush(struct prn_error *error);

/*
 * Returns the exit code for what a command returned.  For a negative code it says "perennial NAME: MESSAGE" on stderr, with
 * the message of the error, or if it has none that of the code; after a usage error also where help is found.
 */
int term_exit(const char *name, int code, const struct prn_error *error);

#endif
