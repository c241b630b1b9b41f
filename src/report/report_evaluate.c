#include "report/report.h"
#include "report/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double report_costs[REPORT_COSTS] = { 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8 };

static const char *const yardsticks[] = { "uniform", "hs-s", "fs-s", "hs-d", "fs-d" };

/* The policies of the figure on summary sizes, and the sizes m that are tried. */
static const struct {
	const char *name, *policy;
} footprint_lines[] = {
	{ "drift", "drift" },
	{ "curve-fitting,h=1", "curve-fitting:history=1" },
	{ "curve-fitting,h=2", "curve-fitting:history=2" },
	{ "curve-fitting,h=5", "curve-fitting:history=5" },
};
static const char *const footprint_sizes[] = { "4", "8", "16", "64", "256", "all" };
#define LINES (sizeof footprint_lines / sizeof *footprint_lines)
#define SIZES (sizeof footprint_sizes / sizeof *footprint_sizes)
#define ALL_STANDS_AT 512 /* where the figure has m = all */

void report_evaluation_release(struct report_evaluation *evaluated)
{
	prn_evaluation_free(evaluated->evaluation);
	prn_sweeps_free(evaluated->sweeps);
	*evaluated = (struct report_evaluation){ 0 };
}

/* Replays policies over the pages. */
static int evaluate(const struct report *report, struct report_evaluation *evaluated, const char *const *specifications,
                    size_t count, struct prn_error *error)
{
	int code = prn_sweeps_open(&evaluated->sweeps, specifications, count,
	                           (const char *const *)report->defaults.texts, report->inputs.count, error);

	if (!code)
		code = prn_sweeps_choose(evaluated->sweeps, &report->pages, report->clock, report->threads, error);
	if (!code)
		code = prn_evaluation_run(&evaluated->evaluation, &report->pages, prn_sweeps_all(evaluated->sweeps), count,
		                          report->clock, report->threads, error);
	return code;
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

/* The table that `perennial evaluate` prints, with ratios if it has windows to compare. */
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
		.windows = { ratios ? PRN_WINDOW_WARM_UP : PRN_WINDOW_ALL, PRN_WINDOW_STEADY },
		.window_count = ratios ? 2 : 1,
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

static int evaluate_footprint(const struct report *report, struct prn_error *error)
{
	char specifications[LINES * SIZES][64];
	const char *pointers[LINES * SIZES];
	struct report_evaluation evaluated = { 0 };
	FILE *file;
	int code;

	for (size_t i = 0; i < LINES * SIZES; i++) {
		snprintf(specifications[i], sizeof *specifications, "%s:summary=%s", footprint_lines[i / SIZES].policy,
		         footprint_sizes[i % SIZES]);
		pointers[i] = specifications[i];
	}
	code = evaluate(report, &evaluated, pointers, LINES * SIZES, error);
	if (!code)
		code = report_open(report, "footprint.tsv", &file, error);
	if (!code) {
		code = write_footprint(file, report, &evaluated, error);
		code = report_close(report, "footprint.tsv", file, code, error);
	}
	report_evaluation_release(&evaluated);
	return code;
}

static int evaluate_yardsticks(const struct report *report, struct prn_error *error)
{
	struct report_evaluation evaluated = { 0 };
	int code = evaluate(report, &evaluated, yardsticks, sizeof yardsticks / sizeof *yardsticks, error);

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
	                    report->policies.count, error);

	if (!code)
		code = write_comparison(report, &report->evaluated, "staleness.tsv", true, error);
	if (!code)
		code = find_ratios(report, error);
	if (!code)
		code = evaluate_yardsticks(report, error);
	return code ? code : evaluate_footprint(report, error);
}
