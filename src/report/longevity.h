/*
 * What `perennial measure` finds, as tables; `perennial report` draws from the same.
 */
#ifndef REPORT_LONGEVITY_H
#define REPORT_LONGEVITY_H

#include <stddef.h>
#include <stdio.h>

#include "term/inputs.h"
#include "term/table.h"
#include "perennial/longevity.h"

/* The scope of all corpora. */
#define REPORT_CORPORA_ALL "all"

/* The corpora's names: file names without folder, ending and ".2of3" of a part, and that for the scope of all of them. */
struct report_corpora {
	char **names; /* [scopes] owned */
	size_t scopes;
};

/* Returns 0, or PRN_E_MEMORY with *error; call _release also then. */
int report_corpora_name(struct report_corpora *corpora, const struct term_inputs *inputs, struct prn_error *error);
void report_corpora_release(struct report_corpora *corpora);

struct report_longevity {
	const struct prn_longevity *longevity;
	const struct report_corpora *corpora;
};

/* Prints to a stream; closes the table with note, as term_table_close does.  PRN_E_IO, PRN_E_MEMORY */
typedef int report_longevity_fn(FILE *out, const struct report_longevity *measured, enum term_format format,
                                const char *note, struct prn_error *error);

/* Statistics: for a person a row a statistic, and if there are several corpora a column each; else long rows. */
report_longevity_fn report_longevity_statistics;
report_longevity_fn report_longevity_bars; /* those that are bars of histograms, which the former leaves out */

report_longevity_fn report_longevity_lifetimes; /* fragments: tallies by censoring, survival by both ways */
report_longevity_fn report_longevity_survival;  /* pages: neither changed nor gone */
report_longevity_fn report_longevity_k;         /* fragments: changes survived + 1 */
report_longevity_fn report_longevity_scaled;    /* lifetimes in times between changes, against the model */
report_longevity_fn report_longevity_intervals; /* times between changes, against a Poisson process */

/*
 * Rows about pages and fragments, as the pages are measured.
 */
extern const struct term_column report_page_columns[];
extern const struct term_column report_fragment_columns[];

void report_page_row(struct term_table *table, const char *corpus, const struct prn_page *page,
                  const struct prn_study_result *result, double poisson_p);
void report_fragment_rows(struct term_table *table, const struct prn_page *page, const struct prn_study *study);

#endif
