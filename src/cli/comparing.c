#include "cli/comparing.h"

#include "term/exit.h"
#include "term/words.h"

#include <math.h>

#define RESAMPLES_MAX 1000000

static const double table_costs[] = { 0.05, 0.1, 0.15, 0.2, 0.3, 0.4 };

/* Decides what is asked for: the rows of the sweeps, values at targets, or the table. */
static int read_targets(struct cli_comparing *c, bool swept, struct prn_error *error)
{
	const struct term_list *targets = c->at_cost.count ? &c->at_cost : &c->at_staleness;
	struct report_comparison *comparison = &c->report;

	if (c->at_cost.count && c->at_staleness.count)
		return term_usage_error(error, "--at-cost and --at-staleness are two questions: give one of them");
	comparison->axis = c->at_staleness.count ? PRN_AXIS_STALENESS : PRN_AXIS_COST;
	comparison->targets = targets->numbers;
	comparison->target_count = targets->count;
	for (size_t i = 0; i < c->at_cost.count; i++)
		if (!(targets->numbers[i] >= 0) || targets->numbers[i] > 1)
			return term_usage_error(error, "--at-cost takes numbers from 0 to 1, not '%s'",
			                        targets->items[i]);
	for (size_t i = 0; i < c->at_staleness.count; i++)
		if (!(targets->numbers[i] >= 0))
			return term_usage_error(error, "--at-staleness takes numbers from 0 up, not '%s'",
			                        targets->items[i]);
	if (targets->count) {
		comparison->form = REPORT_COMPARISON_TARGETS;
	} else if (swept) {
		comparison->form = REPORT_COMPARISON_SETTINGS;
	} else {
		comparison->form = REPORT_COMPARISON_TABLE;
		comparison->targets = table_costs;
		comparison->target_count = sizeof table_costs / sizeof *table_costs;
	}
	return 0;
}

static int read_metrics(struct cli_comparing *c, struct prn_error *error)
{
	const struct term_list *metrics = &c->metrics;
	struct report_comparison *comparison = &c->report;

	for (size_t i = 0; i < metrics->count; i++) {
		int metric = term_words_find(CLI_METRICS, metrics->items[i]);

		for (size_t j = 0; j < comparison->metric_count; j++)
			if (comparison->metrics[j] == (enum prn_metric)metric)
				return term_usage_error(error, "--metric names %s twice", metrics->items[i]);
		comparison->metrics[comparison->metric_count++] = (enum prn_metric)metric;
	}
	if (!comparison->metric_count)
		comparison->metric_count = 1; /* the first: fragment */
	if (comparison->metric_count > 1 && comparison->form != REPORT_COMPARISON_SETTINGS)
		return term_usage_error(error, "--metric takes one to compare; several stand side by side in the rows "
		                                        "of --threshold, --period or --scale");
	return 0;
}

static int read_windows(struct cli_comparing *c, struct prn_error *error)
{
	const struct term_list *windows = &c->windows;
	struct report_comparison *comparison = &c->report;
	bool table = comparison->form == REPORT_COMPARISON_TABLE;

	for (size_t i = 0; i < windows->count; i++) {
		int window = term_words_find(CLI_WINDOWS, windows->items[i]);

		for (size_t j = 0; j < comparison->window_count; j++)
			if (comparison->windows[j] == (enum prn_window)window)
				return term_usage_error(error, "--window names %s twice", windows->items[i]);
		comparison->windows[comparison->window_count++] = (enum prn_window)window;
	}
	if (comparison->window_count)
		return 0;
	if (table)
		comparison->windows[comparison->window_count++] = PRN_WINDOW_WARM_UP;
	comparison->windows[comparison->window_count++] = table ? PRN_WINDOW_STEADY : PRN_WINDOW_ALL;
	return 0;
}

int cli_comparing_read(struct cli_comparing *c, bool swept, struct prn_error *error)
{
	int code = term_format_parse(c->format, &c->report.format, error);

	if (code)
		return code;
	if (!c->threads || c->threads > CLI_THREADS_MAX)
		return term_usage_error(error, "--threads takes 1 to %d", CLI_THREADS_MAX);
	if (c->resamples > RESAMPLES_MAX)
		return term_usage_error(error, "--bootstrap takes 0 to %d", RESAMPLES_MAX);
	code = read_targets(c, swept, error);
	code = code ? code : read_metrics(c, error);
	code = code ? code : read_windows(c, error);
	c->report.ratio_to = c->ratio_to ? c->ratio_to : CLI_REFERENCE;
	c->report.seed = c->seed;
	c->report.resamples = (size_t)c->resamples;
	c->report.threads = (size_t)c->threads;
	return code;
}

const char *cli_comparing_given(const struct cli_comparing *c)
{
	return c->windows.count      ? "--window"
	       : c->metrics.count    ? "--metric"
	       : c->at_cost.count    ? "--at-cost"
	       : c->at_staleness.count ? "--at-staleness"
	       : c->format           ? "--format"
	                             : NULL;
}

void cli_comparing_release(struct cli_comparing *c)
{
	term_list_release(&c->windows);
	term_list_release(&c->metrics);
	term_list_release(&c->at_cost);
	term_list_release(&c->at_staleness);
}
