#include "report/report.h"
#include "report/comparison.h"
#include "term/page_progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double report_costs[REPORT_COSTS] = { 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8 };

static const char *const yardsticks[] = { "uniform", "hs-s", "fs-s", "hs-d", "fs-d", "fs-l" };

/* The policies of the figure on summary sizes, and the sizes m that are tried. */
static const struct {
	const char *name, *policy;
} footprint_lines[] = {
	{ PRN_POLICY_DEFAULT, PRN_POLICY_DEFAULT },
	{ "curve-fitting,h=1", "curve-fitting:history=1" },
	{ "curve-fitting,h=2", "curve-fitting:history=2" },
	{ "curve-fitting,h=5", "curve-fitting:history=5" },
};
static const char *const footprint_sizes[] = { "4", "8", "16", "64", "256", "all" };
#define LINES (sizeof footprint_lines / sizeof *footprint_lines)
#define SIZES (sizeof footprint_sizes / sizeof *footprint_sizes)
#define ALL_STANDS_AT 512 /* the place of m = all in the figure */
#define FOOTPRINT_COSTS 2.5 /* settings are tried first whose costs are at most this factor above or below the cost */

void report_evaluation_release(struct report_evaluation *evaluated)
{
	prn_evaluation_free(evaluated->evaluation);
	prn_sweeps_free(evaluated->sweeps);
	*evaluated = (struct report_evaluation){ 0 };
}

/*
 * Replays policies over pages, at settings [setting_count] of the threshold, or if there are none at all that the pages may
 * need.
 */
static int evaluate_at(const struct report *report, const struct prn_pages *pages, struct report_evaluation *evaluated,
                       const char *const *specifications, size_t count, const struct prn_setting *settings, size_t setting_count,
                       const char *what, struct prn_error *error)
{
	struct term_page_progress progress;
	struct prn_pages watched = *pages;
	int code = prn_sweeps_open(&evaluated->sweeps, specifications, count,
	                           (const char *const *)report->defaults.texts, report->inputs.count, error);

	term_page_progress_begin(&progress, what, &watched);
	if (!code && setting_count)
		code = prn_sweeps_set(evaluated->sweeps, PRN_DIAL_THRESHOLD, settings, setting_count, error);
	if (!code)
		code = prn_sweeps_choose(evaluated->sweeps, &watched, report->clock, report->threads, error);
	if (!code)
		code = prn_evaluation_run(&evaluated->evaluation, &watched, prn_sweeps_all(evaluated->sweeps), count,
		                          report->clock, report->threads, error);
	term_page_progress_end(&progress, &watched);
	return code;
}

static int evaluate(const struct report *report, struct report_evaluation *evaluated, const char *const *specifications,
                    size_t count, const char *what, struct prn_error *error)
{
	return evaluate_at(report, &report->judged.pages, evaluated, specifications, count, NULL, 0, what, error);
}

int report_compare_at(const struct report *report, const struct report_evaluation *evaluated, enum prn_window window,
                      const double *costs, size_t cost_count, struct prn_compared **compared, struct prn_error *error)
{
	const struct prn_comparison comparison = {
		.axis = PRN_AXIS_COST, .window = window, .targets = costs, .target_count = cost_count,
		.reference = prn_sweeps_find(evaluated->sweeps, REPORT_REFERENCE),
		.seed = report->seed, .resamples = report->resamples, .threads = report->threads,
	};

	return report_compare(evaluated->evaluation, evaluated->sweeps, &comparison, compared, error);
}

/* Writes the table that `perennial evaluate` prints, with ratios if it has windows to compare. */
static int write_comparison(const struct report *report, const struct report_evaluation *evaluated, const char *name,
                            bool ratios, struct prn_error *error)
{
	struct report_comparison comparison = {
		.form = ratios ? REPORT_COMPARISON_TABLE : REPORT_COMPARISON_TARGETS,
		.format = TERM_FORMAT_GNUPLOT,
		.axis = PRN_AXIS_COST,
		.metrics = { PRN_METRIC_FRAGMENT },
		.metric_count = 1,
		.targets = report_costs,
		.target_count = REPORT_COSTS,
		.windows = { PRN_WINDOW_WARM_UP, PRN_WINDOW_STEADY, PRN_WINDOW_ALL },
		.window_count = ratios ? 2 : 3,
		.ratio_to = REPORT_REFERENCE,
		.seed = report->seed, .resamples = report->resamples, .threads = report->threads,
		.argc = report->argc, .argv = report->argv,
	};
	int code = report_open(report, name, &comparison.out, error);

	if (code)
		return code;
	code = report_comparison_print(&comparison, evaluated->evaluation, evaluated->sweeps, error);
	return report_close(report, name, comparison.out, code, error);
}

static int write_footprint(FILE *file, const struct report *report, const struct report_evaluation *evaluated,
                           struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "line", TERM_COLUMN_TEXT, 0 },        { "policy", TERM_COLUMN_TEXT, 0 },
		{ "m", TERM_COLUMN_NUMBER, 0 },         { "cost", TERM_COLUMN_NUMBER, 4 },
		{ "staleness", TERM_COLUMN_NUMBER, 4 }, { "low", TERM_COLUMN_NUMBER, 4 },
		{ "high", TERM_COLUMN_NUMBER, 4 },      { NULL, TERM_COLUMN_TEXT, 0 },
	};
	const double cost = REPORT_COST;
	struct prn_compared *compared;
	struct term_table *table;
	int code = report_compare_at(report, evaluated, PRN_WINDOW_STEADY, &cost, 1, &compared, error);

	if (code)
		return code;
	table = term_table_open_in(file, TERM_FORMAT_GNUPLOT, columns);
	for (size_t i = 0; i < LINES * SIZES; i++) {
		const char *size = footprint_sizes[i % SIZES];

		term_table_text(table, footprint_lines[i / SIZES].name);
		term_table_text(table, prn_sweeps_specification(evaluated->sweeps, i));
		term_table_number(table, strcmp(size, "all") ? strtod(size, NULL) : ALL_STANDS_AT);
		term_table_number(table, cost);
		term_table_number(table, compared[i].value.value);
		term_table_number(table, compared[i].value.low);
		term_table_number(table, compared[i].value.high);
	}
	free(compared);
	return term_table_close(table, NULL, error);
}

/*
 * Finds the settings around those at which the first of the policies has the cost.  They are enough to read the others at
 * that cost, in a fifth of the time.
 */
static int find_settings(const struct report *report, const struct prn_pages *pages, const char *specification,
                         struct prn_setting settings[PRN_SETTINGS], size_t *count, struct prn_error *error)
{
	struct report_evaluation evaluated = { 0 };
	int code = evaluate_at(report, pages, &evaluated, &specification, 1, NULL, 0, "report: thresholds", error);

	*count = 0;
	for (size_t i = 0; !code && i < prn_sweeps_all(evaluated.sweeps)->setting_count; i++) {
		double cost = prn_evaluation_score(evaluated.evaluation, 0, i, PRN_WINDOW_STEADY).cost;

		if (cost > REPORT_COST / FOOTPRINT_COSTS && cost < REPORT_COST * FOOTPRINT_COSTS)
			settings[(*count)++] = prn_sweeps_all(evaluated.sweeps)->settings[i];
	}
	report_evaluation_release(&evaluated);
	return code;
}

/* Whether each policy can be read at the cost, in nearly all resamples. */
static bool is_tuned(const struct report *report, const struct report_evaluation *evaluated)
{
	const double cost = REPORT_COST;
	struct prn_compared *compared;
	bool tuned = true;

	if (report_compare_at(report, evaluated, PRN_WINDOW_STEADY, &cost, 1, &compared, NULL))
		return true;
	for (size_t i = 0; i < LINES * SIZES; i++)
		tuned &= !isnan(compared[i].value.value) && (!report->resamples || !isnan(compared[i].value.low));
	free(compared);
	return tuned;
}

static int evaluate_sizes(const struct report *report, const struct prn_pages *pages, struct report_evaluation *evaluated,
                          const char *const *specifications, struct prn_error *error)
{
	struct prn_setting settings[PRN_SETTINGS];
	size_t count;
	int code = find_settings(report, pages, specifications[SIZES - 1], settings, &count, error);

	if (!code)
		code = evaluate_at(report, pages, evaluated, specifications, LINES * SIZES, settings, count, "report: summary sizes", error);
	if (code || !count || is_tuned(report, evaluated))
		return code;
	report_evaluation_release(evaluated);
	return evaluate_at(report, pages, evaluated, specifications, LINES * SIZES, NULL, 0, "report: summary sizes", error);
}

static int evaluate_footprint(const struct report *report, struct prn_error *error)
{
	char specifications[LINES * SIZES][64];
	const char *pointers[LINES * SIZES];
	struct report_evaluation evaluated = { 0 };
	struct report_sample sample;
	FILE *file;
	int code = report_sample_make(&sample, &report->pages, REPORT_FOOTPRINT_PAGES, error);

	for (size_t i = 0; i < LINES * SIZES; i++) {
		snprintf(specifications[i], sizeof *specifications, "%s:summary=%s", footprint_lines[i / SIZES].policy,
		         footprint_sizes[i % SIZES]);
		pointers[i] = specifications[i];
	}
	if (!code)
		code = evaluate_sizes(report, &sample.pages, &evaluated, pointers, error);
	if (!code)
		code = report_open(report, "footprint.tsv", &file, error);
	if (!code) {
		code = write_footprint(file, report, &evaluated, error);
		code = report_close(report, "footprint.tsv", file, code, error);
	}
	report_evaluation_release(&evaluated);
	report_sample_release(&sample);
	return code;
}

static int evaluate_yardsticks(const struct report *report, struct prn_error *error)
{
	struct report_evaluation evaluated = { 0 };
	int code = evaluate(report, &evaluated, yardsticks, sizeof yardsticks / sizeof *yardsticks, "report: yardsticks",
	                    error);

	if (!code)
		code = write_comparison(report, &evaluated, "yardsticks.tsv", false, error);
	report_evaluation_release(&evaluated);
	return code;
}

static int find_ratios(struct report *report, struct prn_error *error)
{
	const struct report_evaluation *evaluated = &report->evaluated;
	struct prn_compared *compared;
	int code = report_compare_at(report, evaluated, PRN_WINDOW_STEADY, report_costs, REPORT_COSTS, &compared, error);

	if (code)
		return code;
	for (size_t i = 0; i < prn_sweeps_count(evaluated->sweeps) * REPORT_COSTS; i++)
		report->has_ratios |= !isnan(compared[i].ratio.value) &&
		                      i / REPORT_COSTS != prn_sweeps_find(evaluated->sweeps, REPORT_REFERENCE);
	free(compared);
	return 0;
}

int report_evaluate(struct report *report, struct prn_error *error)
{
	int code = evaluate(report, &report->evaluated, (const char *const *)report->policies.items,
	                    report->policies.count, "report: policies", error);

	if (!code)
		code = write_comparison(report, &report->evaluated, "staleness.tsv", true, error);
	if (!code)
		code = find_ratios(report, error);
	if (!code)
		code = evaluate_yardsticks(report, error);
	return code || report->quick ? code : evaluate_footprint(report, error);
}
