/* The results of `perennial measure` as tables, from which `perennial report` also draws. */
#ifndef REPORT_LONGEVITY_H
#define REPORT_LONGEVITY_H

#include <stddef.h>
#include <stdio.h>

#include "term/inputs.h"
#include "term/table.h"
#include "perennial/longevity.h"

/* The name of the scope of all corpora. */
#define REPORT_CORPORA_ALL "all"

/*
 * The names of the corpora: file names without folder, ending and ".2of3" of a part; and the name of the scope of all of
 * them.
 */
struct report_corpora {
	char **names; /* [scopes] owned */
	size_t scopes;
};

/* Names the corpora.  Returns 0, or PRN_E_MEMORY with *error; call _release also then. */
int report_corpora_name(struct report_corpora *corpora, const struct term_inputs *inputs, struct prn_error *error);
void report_corpora_release(struct report_corpora *corpora);

struct report_longevity {
	const struct prn_longevity *longevity;
	const struct report_corpora *corpora;
};

enum report_view {
	REPORT_VIEW_STATISTICS,
	REPORT_VIEW_BARS,      /* the statistics that are bars of histograms, which STATISTICS leaves out */
	REPORT_VIEW_LIFETIMES, /* fragments: counts by censoring, survival estimated in both ways */
	REPORT_VIEW_SURVIVAL,  /* pages: neither changed nor gone */
	REPORT_VIEW_K,         /* fragments: changes survived + 1 */
	REPORT_VIEW_SCALED,    /* lifetimes in times between changes, against the model */
	REPORT_VIEW_INTERVALS, /* times between changes, against a Poisson process */
	REPORT_VIEW_OVERVIEW,  /* a row with a few of the statistics */
	REPORT_VIEWS,
};

/*
 * Prints a view of all corpora to a stream, and closes the table with note, as term_table_close does.  People get a row for
 * each statistic, with a column for each corpus if there are several; otherwise rows are long.  PRN_E_IO, PRN_E_MEMORY
 */
int report_longevity_print(FILE *out, const struct report_longevity *measured, enum report_view view, enum term_format format,
                           const char *note, struct prn_error *error);

/*
 * Rows of a view for one scope after another, whose names are in a first column called `by`.  _begin never fails: if it runs
 * out of memory, _end reports it, which must always be called.  The sheet must not move until then.
 */
#define REPORT_SHEET_COLUMNS 17 /* columns of the widest view, with the names and an end */
struct report_sheet {
	enum report_view view;
	struct term_column columns[REPORT_SHEET_COLUMNS];
	struct term_table *table;
};

void report_sheet_begin(struct report_sheet *sheet, FILE *out, enum report_view view, enum term_format format, const char *by);
void report_sheet_add(struct report_sheet *sheet, const struct prn_longevity *longevity, size_t scope, const char *name);
int report_sheet_end(struct report_sheet *sheet, const char *note, struct prn_error *error);

/* Rows about pages and fragments, written while the pages are measured. */
extern const struct term_column report_page_columns[];
extern const struct term_column report_fragment_columns[];

void report_page_row(struct term_table *table, const char *corpus, const struct prn_page *page,
                  const struct prn_study_result *result, double poisson_p);
void report_fragment_rows(struct term_table *table, const struct prn_page *page, const struct prn_study *study);

#endif
