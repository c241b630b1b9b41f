/*
 * What `perennial evaluate` prints: rows of its sweep, values at targets, or a table for a person.
 */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/lineup.h"
#include "term/table.h"
#include "perennial/comparison.h"

enum report_verdict_what {
	REPORT_VERDICT_ROWS,    /* policy, parameter, window, pages, cost, a column for each metric */
	REPORT_VERDICT_TARGETS, /* policy, window, target, value, low, high */
	REPORT_VERDICT_TABLE,   /* for a person: a row a policy, a column a cost; elsewhere TARGETS with ratios */
};

struct report_verdict {
	FILE *out; /* NULL: standard output */
	enum report_verdict_what what;
	enum term_format format;
	enum prn_axis axis;
	enum prn_metric metrics[PRN_METRICS]; /* in the order asked for; a comparison is of the first */
	size_t metric_count;
	const double *targets; /* [target_count] */
	size_t target_count;
	enum prn_window windows[PRN_WINDOWS]; /* in the order asked for */
	size_t window_count;
	const char *const **texts; /* [policies] each policy's settings as given; an entry NULL: print the number */
	const char *ratio_to; /* the policy that ratios are to: none when it is not in the lineup */
	uint64_t seed;
	size_t resamples, threads;
	int argc; /* the command line, for the note on provenance */
	char **argv;
};

/*
 * What the numbers come from (version, command line, seed, pages) goes below the table, or to stderr in other formats if the
 * rows go to standard output.  Returns 0 or a negative code with *error.
 */
int report_verdict_print(const struct report_verdict *verdict, const struct prn_evaluation *evaluation,
                      const struct cli_lineup *lineup, struct prn_error *error);

#endif
