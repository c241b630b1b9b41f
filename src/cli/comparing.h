/*
 * The options that say what is asked of an evaluation (rows of its sweeps, values at targets, or the table) and how it is
 * printed.
 */
#ifndef CLI_COMPARING_H
#define CLI_COMPARING_H

#include <stdbool.h>
#include <stdint.h>

#include "report/comparison.h"
#include "term/option.h"

#define CLI_REFERENCE "cgm" /* what the table's ratios are to */
#define CLI_RESAMPLES 1000
#define CLI_METRICS "fragment,holistic,age,harmonic,changes" /* in the order of enum prn_metric */
#define CLI_WINDOWS "warm-up,steady,all"                     /* in that of enum prn_window */
#define CLI_THREADS_MAX 1024

struct cli_comparing {
	struct term_list windows, metrics, at_cost, at_staleness;
	const char *format, *ratio_to; /* NULL: not given */
	uint64_t seed, resamples, threads; /* hold the defaults before parsing */

	struct report_comparison report; /* the meaning of the options, once they are read: all but the names of groups and of durations */
};

#define CLI_COMPARING_ROWS(c) \
	{ TERM_OPTION_LIST, "window", 'w', &(c)->windows, CLI_WINDOWS, \
	  "what of the time is told (default: all; for the table, warm-up,steady)" }, \
	{ TERM_OPTION_LIST, "metric", 'm', &(c)->metrics, CLI_METRICS, \
	  "what is told beside cost (default: fragment)" }, \
	{ TERM_OPTION_NUMBERS, "at-cost", 0, &(c)->at_cost, "C,…", "the metric at these costs, with 95 % intervals" }, \
	{ TERM_OPTION_NUMBERS, "at-staleness", 0, &(c)->at_staleness, "S,…", "cost at these values of the metric" }, \
	{ TERM_OPTION_TEXT, "ratio-to", 0, &(c)->ratio_to, "POLICY", "what the table's ratios are to (default: cgm)" }, \
	{ TERM_OPTION_COUNT, "bootstrap", 0, &(c)->resamples, "N", "resamples behind the intervals (default 1000)" }, \
	{ TERM_OPTION_COUNT, "seed", 0, &(c)->seed, "N", "seed of the resampling (default 1)" }, \
	{ TERM_OPTION_TEXT, "format", 0, &(c)->format, TERM_FORMATS, "default: table on a terminal, else tsv" }, \
	{ TERM_OPTION_COUNT, "threads", 0, &(c)->threads, "N", "default: all processors; results are the same" }

/*
 * Makes c->report from the options.  swept says that settings were given: their rows are then printed unless there are
 * targets.  c->report points into c.  Returns 0, or TERM_E_USAGE with *error.
 */
int cli_comparing_read(struct cli_comparing *c, bool swept, struct prn_error *error);

/* Returns the name of an option that was given and says what is printed, or NULL.  Static. */
const char *cli_comparing_given(const struct cli_comparing *c);

void cli_comparing_release(struct cli_comparing *c);

#endif
