#include "report/report.h"
#include "report/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double report_costs[REPORT_COSTS] = { 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8 };

static const char *const yardsticks[] = { "uniform", "hs-s", "fs-s", "hs-d", "fs-d" };

/* Lines of the figure of footprints, and the m that they are tried at. */
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

void report_trial_release(struct report_trial *trial)
{
	prn_evaluation_free(trial->evaluation);
	cli_lineup_release(&trial->lineup);
	for (int i = 0; i < CLI_SETTINGS; i++)
		cli_settings_release(&trial->settings[i]);
}

/* Replays the policies over the pages. */
static int try_policies(const struct report *report, struct report_trial *trial, const char *const *specifications,
                        size_t count, struct prn_error *error)
{
	int code = cli_lineup_open(&trial->lineup, specifications, count, (const char *const *)report->defaults,
	                           report->inputs.count, error);

	if (!code)
		code = cli_lineup_sweep(&trial->lineup, trial->settings, &report->pages, report->clock,
		                        report->threads, error);
	if (!code)
		code = prn_evaluation_run(&trial->evaluation, &report->pages, trial->lineup.sweeps, count, report->clock,
		                          report->threads, error);
	return code;
}

struct prn_compared *report_compare(const struct report *report, const struct report_trial *trial,
                                        enum prn_window window, const double *costs, size_t cost_count)
{
	struct prn_comparison comparison = {
		.axis = PRN_AXIS_COST, .window = window, .targets = costs, .target_count = cost_count,
		.reference = cli_lineup_find(&trial->lineup, REPORT_REFERENCE),
		.seed = report->seed, .resamples = report->resamples, .threads = report->threads,
	};
	struct prn_compared *compared = calloc(trial->lineup.count * cost_count, sizeof *compared);

	if (!compared || prn_evaluation_compare(trial->evaluation, &comparison, compared))
		abort();
	return compared;
}

/* The table that `perennial evaluate` prints of a trial, with ratios if it has windows to compare. */
static int write_verdict(const struct report *report, const struct report_trial *trial, const char *name, bool ratios,
                         struct prn_error *error)
{
	struct report_verdict verdict = {
		.what = ratios ? REPORT_VERDICT_TABLE : REPORT_VERDICT_TARGETS,
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
	FILE *file = report_open(report, name, error);
	int code, closed;

	if (!file)
		return PRN_E_IO;
	verdict.out = file;
	code = report_verdict_print(&verdict, trial->evaluation, &trial->lineup, error);
	closed = report_close(report, name, file, code ? NULL : error);
	return code ? code : closed;
}

static void write_footprint(FILE *file, const struct report *report, const struct report_trial *trial)
{
	static const struct term_column columns[] = {
		{ "line", TERM_COLUMN_TEXT, 0 },        { "policy", TERM_COLUMN_TEXT, 0 },
		{ "m", TERM_COLUMN_NUMBER, 0 },         { "cost", TERM_COLUMN_NUMBER, 4 },
		{ "staleness", TERM_COLUMN_NUMBER, 4 }, { "low", TERM_COLUMN_NUMBER, 4 },
		{ "high", TERM_COLUMN_NUMBER, 4 },      { NULL, TERM_COLUMN_TEXT, 0 },
	};
	const double cost = REPORT_COST;
	struct prn_compared *compared = report_compare(report, trial, PRN_WINDOW_STEADY, &cost, 1);
	struct term_table *table = term_table_open_in(file, TERM_FORMAT_GNUPLOT, columns);

	for (size_t i = 0; i < LINES * SIZES; i++) {
		const char *size = footprint_sizes[i % SIZES];

		term_table_text(table, footprint_lines[i / SIZES].name);
		term_table_text(table, trial->lineup.specifications[i]);
		term_table_number(table, strcmp(size, "all") ? strtod(size, NULL) : ALL_STANDS_AT);
		term_table_number(table, cost);
		term_table_number(table, compared[i].value.value);
		term_table_number(table, compared[i].value.low);
		term_table_number(table, compared[i].value.high);
	}
	term_table_close(table, NULL, NULL);
	free(compared);
}

static int judge_footprint(const struct report *report, struct prn_error *error)
{
	char specifications[LINES * SIZES][64];
	const char *pointers[LINES * SIZES];
	struct report_trial trial = { 0 };
	FILE *file;
	int code;

	for (size_t i = 0; i < LINES * SIZES; i++) {
		snprintf(specifications[i], sizeof *specifications, "%s:summary=%s", footprint_lines[i / SIZES].policy,
		         footprint_sizes[i % SIZES]);
		pointers[i] = specifications[i];
	}
	code = try_policies(report, &trial, pointers, LINES * SIZES, error);
	file = code ? NULL : report_open(report, "footprint.tsv", error);
	if (file) {
		write_footprint(file, report, &trial);
		code = report_close(report, "footprint.tsv", file, error);
	} else if (!code) {
		code = PRN_E_IO;
	}
	report_trial_release(&trial);
	return code;
}

static int judge_yardsticks(const struct report *report, struct prn_error *error)
{
	struct report_trial trial = { 0 };
	int code = try_policies(report, &trial, yardsticks, sizeof yardsticks / sizeof *yardsticks, error);

	if (!code)
		code = write_verdict(report, &trial, "yardsticks.tsv", false, error);
	report_trial_release(&trial);
	return code;
}

int report_judge(struct report *report, struct prn_error *error)
{
	int code = try_policies(report, &report->policies_trial, (const char *const *)report->policies.items,
	                        report->policies.count, error);

	if (!code)
		code = write_verdict(report, &report->policies_trial, "staleness.tsv", true, error);
	if (!code)
		code = judge_yardsticks(report, error);
	return code ? code : judge_footprint(report, error);
}
