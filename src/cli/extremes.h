/*
 * The pages at the extremes of a corpus: for each of a few traits, those that have most of it.
 */
#ifndef CLI_EXTREMES_H
#define CLI_EXTREMES_H

#include "perennial/study.h"

#define CLI_EXTREME_TRAITS 6
#define CLI_EXTREME_PAGES 3 /* for each trait */

struct cli_extremes {
	struct cli_extreme {
		double value;
		char *url; /* owned; NULL: there is none */
	} pages[CLI_EXTREME_TRAITS][CLI_EXTREME_PAGES]; /* largest value first */
};

/* Looks at one page.  PRN_E_MEMORY */
int cli_extremes_add(struct cli_extremes *extremes, const char *url, const struct prn_study_result *result,
                     struct prn_error *error);

/* Prints them to stdout as a table for a person, with a note below.  Errors of term_table_close */
int cli_extremes_print(const struct cli_extremes *extremes, const char *note, struct prn_error *error);
void cli_extremes_release(struct cli_extremes *extremes);

#endif
