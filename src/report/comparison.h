/*
 * What `perennial evaluate` prints: rows of its sweeps, policies at equal cost or staleness, or a table for a person.
 */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "term/table.h"
#include "perennial/comparison.h"

enum report_comparison_form {
	REPORT_COMPARISON_SETTINGS, /* policy, parameter, window, pages, cost, a column for each metric */
	REPORT_COMPARISON_TARGETS,  /* policy, window, target, value, low, high */
	REPORT_COMPARISON_TABLE,    /* for people: a row for each policy and a column for each cost; otherwise TARGETS with ratios */
};

struct report_comparison {
	FILE *out; /* NULL: standard output */
	enum report_comparison_form form;
	enum term_format format;
	enum prn_axis axis;
	enum prn_metric metrics[PRN_METRICS]; /* in the order asked for; comparisons use the first */
	size_t metric_count;
	const double *targets; /* [target_count] */
	size_t target_count;
	enum prn_window windows[PRN_WINDOWS]; /* in the order asked for */
	size_t window_count;
	char *const *durations; /* by setting: the text of those in seconds; may be NULL if there are none */
	const char *ratio_to; /* the policy that ratios are to; there are none if it is not among the sweeps */
	uint64_t seed;
	size_t resamples, threads;
	const char *by; /* heading of a first column with the group of a row; NULL: there is none */
	int argc; /* the command line, for the note on provenance */
	char **argv;
};

/*
 * Prints a comparison.  The provenance of the numbers (version, command line, seed, pages) goes below the table, or in other
 * formats to stderr if the rows go to standard output.  Returns 0 or a negative code with *error.
 */
int report_comparison_print(const struct report_comparison *report, const struct prn_evaluation *evaluation,
                            const struct prn_sweeps *sweeps, struct prn_error *error);

/*
 * The same in steps, for evaluations of several groups of pages one after another.  _begin never fails: if it runs out of
 * memory, _add and _end report it.  report and sweeps are borrowed until _end, which must always be called; failed says that
 * rows are missing, so that there is no note and no error of its own.
 */
struct report_sheets {
	const struct report_comparison *report;
	const struct prn_sweeps *sweeps;
	struct term_column *columns; /* [windows][…], of the tables */
	char *names;                 /* names of columns that are made for this report */
	struct term_table *tables[PRN_WINDOWS]; /* one for all windows; for people one for each */
	size_t count;            /* number of tables */
	size_t pages, left_out;  /* so far */
};

void report_sheets_begin(struct report_sheets *sheets, const struct report_comparison *report, const struct prn_sweeps *sweeps);

/* Adds the rows of an evaluation; group may be NULL if report->by is.  Returns 0 or a negative code with *error. */
int report_sheets_add(struct report_sheets *sheets, const char *group, const struct prn_evaluation *evaluation,
                      struct prn_error *error);

/* Ends and frees; the note goes where report_comparison_print puts it.  Returns 0 or a negative code with *error. */
int report_sheets_end(struct report_sheets *sheets, bool failed, struct prn_error *error);

/*
 * Compares all sweeps as prn_evaluation_compare does, to [sweeps x targets], which the caller frees.
 * PRN_E_MEMORY
 */
int report_compare(const struct prn_evaluation *evaluation, const struct prn_sweeps *sweeps,
                   const struct prn_comparison *comparison, struct prn_compared **compared, struct prn_error *error);

#endif
