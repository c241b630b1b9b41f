/*
 * What `perennial measure` finds, as tables; `perennial report` draws from the same.
 */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include <stddef.h>
#include <stdio.h>

#include "cli/inputs.h"
#include "cli/table.h"
#include "perennial/longevity.h"

/* The corpora's names: file names without folder and ending, and "all" for the scope of all of them. */
struct cli_corpora {
	char **names; /* [scopes] owned */
	size_t scopes;
};

/* Out of memory aborts. */
void cli_corpora_name(struct cli_corpora *corpora, const struct cli_inputs *inputs);
void cli_corpora_release(struct cli_corpora *corpora);

struct cli_findings {
	const struct prn_longevity *longevity;
	const struct cli_corpora *corpora;
};

/* Prints to a stream; closes the table with note, as cli_table_close does.  Returns 0, or -1: not written. */
typedef int cli_findings_fn(FILE *out, const struct cli_findings *findings, enum cli_format format, const char *note);

/* Statistics: for a person a row a statistic, and if there are several corpora a column each; else long rows. */
cli_findings_fn cli_findings_statistics;
cli_findings_fn cli_findings_bars; /* those that are bars of histograms, which the former leaves out */

cli_findings_fn cli_findings_lifetimes; /* fragments: tallies by censoring, survival by both ways */
cli_findings_fn cli_findings_survival;  /* pages: neither changed nor gone */
cli_findings_fn cli_findings_k;         /* fragments: changes survived + 1 */
cli_findings_fn cli_findings_scaled;    /* lifetimes in times between changes, against the model */
cli_findings_fn cli_findings_intervals; /* times between changes, against a Poisson process */

/*
 * Rows about pages and fragments, as the pages are measured.
 */
extern const struct cli_column cli_page_columns[];
extern const struct cli_column cli_fragment_columns[];

void cli_page_row(struct cli_table *table, const char *corpus, const struct prn_page *page,
                  const struct prn_study_result *result, double poisson_p);
void cli_fragment_rows(struct cli_table *table, const struct prn_page *page, const struct prn_study *study);

#endif
