/*
 * The pages that stand out of a corpus: for each of a few reasons, those that have most of it.
 */
#ifndef CLI_STANDOUTS_H
#define CLI_STANDOUTS_H

#include "perennial/study.h"

#define CLI_STANDOUT_REASONS 6
#define CLI_STANDOUT_PAGES 3 /* for each reason */

struct cli_standouts {
	struct cli_standout {
		double value;
		char *url; /* owned; NULL: there is none */
	} pages[CLI_STANDOUT_REASONS][CLI_STANDOUT_PAGES]; /* largest value first */
};

/* Looks at one page.  Out of memory aborts. */
void cli_standouts_add(struct cli_standouts *standouts, const char *url, const struct prn_study_result *result);

/* Prints them to stdout as a table for a person, with a note below, and releases them.  Returns 0, or -1: not written. */
int cli_standouts_print(struct cli_standouts *standouts, const char *note);
void cli_standouts_release(struct cli_standouts *standouts);

#endif
