/* The pages at the extremes of a corpus: those that have most of each of a few traits. */
#ifndef CLI_EXTREMES_H
#define CLI_EXTREMES_H

#include "perennial/partial.h"
#include "perennial/study.h"

#define CLI_EXTREME_TRAITS 6
#define CLI_EXTREME_PAGES 3 /* for each trait */

struct cli_extremes {
	struct cli_extreme {
		double value;
		size_t corpus;
		char *url; /* owned; NULL: there is none */
	} pages[CLI_EXTREME_TRAITS][CLI_EXTREME_PAGES]; /* largest value first */
};

/* Considers a page.  Pages come in their order, and of equal ones the first are kept.  PRN_E_MEMORY */
int cli_extremes_add(struct cli_extremes *extremes, size_t corpus, const char *url, const struct prn_study_result *result,
                     struct prn_error *error);

/* Writes them for a partial result's extra bytes.  PRN_E_MEMORY */
struct prn_buffer;
int cli_extremes_write(const struct cli_extremes *extremes, struct prn_buffer *out);

/* Adds those of all parts, in the order of their pages.  PRN_E_INPUT, PRN_E_MEMORY */
int cli_extremes_join(struct cli_extremes *extremes, const struct prn_partial *const *partials, size_t count,
                      struct prn_error *error);

/* Prints them to stdout as a table for a person, with a note below.  Errors of term_table_close */
int cli_extremes_print(const struct cli_extremes *extremes, const char *note, struct prn_error *error);
void cli_extremes_release(struct cli_extremes *extremes);

#endif
