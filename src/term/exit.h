/*
 * How a command ends: the exit codes that all commands share, and what is said when one fails.
 */
#ifndef TERM_EXIT_H
#define TERM_EXIT_H

#include "perennial/error.h"

enum {
	TERM_DONE = 0,
	TERM_SKIPPED = 1, /* done, but something was skipped: counted on stderr */
	TERM_USAGE = 2,
	TERM_FAILED = 3,
};

/* "perennial NAME: MESSAGE" on stderr, the error's or, if it has none, the code's; returns TERM_FAILED. */
int term_fail(const char *name, int code, const struct prn_error *error);

#endif
