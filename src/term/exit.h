/*
 * How a command ends: what all that it calls returns, what is said of it on stderr, and the exit code.
 *
 * A step of a command returns 0 to go on, a negative code with *error, or, above 0, the way in which the command
 * ends after it.  Negative are the PRN_E_* of error.h and TERM_E_USAGE.
 */
#ifndef TERM_EXIT_H
#define TERM_EXIT_H

#include "perennial/error.h"

/* Exit codes, but for the last. */
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

/* Blames what went wrong, of which *error has the text, on the command line.  Returns TERM_E_USAGE. */
int term_usage_blame(struct prn_error *error);

/* Writes what stdout still holds.  PRN_E_IO	it cannot be written, or something before it could not */
int term_stdout_flush(struct prn_error *error);

/*
 * Returns the exit code for what a command returned.  For a negative code it says "perennial NAME: MESSAGE" on stderr,
 * the error's message or, if it has none, the code's, and after a wrong command line how to see a right one.
 */
int term_exit(const char *name, int code, const struct prn_error *error);

#endif
