#include "report/comparison.h"

#include "term/provenance.h"
#include "term/say.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns version, command line and seed: enough to get the same bytes again.  The caller frees it; NULL without memory. */
static char *provenance(const struct report_sheets *sheets)
{
	const struct report_comparison *report = sheets->report;
	char *note = NULL;
	size_t length;
	FILE *out = open_memstream(&note, &length);

	if (!out)
		return NULL;
	term_provenance_print(out, report->argc, report->argv);
	if (report->form != REPORT_COMPARISON_SETTINGS)
		fprintf(out, "; seed %llu, %zu resamples", (unsigned long long)report->seed, report->resamples);
	fprintf(out, "; %zu pages", sheets->pages);
	if (sheets->left_out)
		fprintf(out, ", %zu with fewer than %d captures left out", sheets->left_out, PRN_LIFE_CAPTURES);
	if (!fclose(out))
		return note;
	free(note);
	return NULL;
}

/* The heading of the column of a metric, and the metric in words. */
static const struct {
	const char *column, *words;
} metric_texts[PRN_METRICS] = {
	[PRN_METRIC_FRAGMENT] = { "staleness", "Staleness (mean divergence over time" },
	[PRN_METRIC_HOLISTIC] = { "holistic", "Holistic staleness (share of time out of date" },
	[PRN_METRIC_AGE] = { "age-days", "Age (mean days that the copy has been out of date" },
	[PRN_METRIC_HARMONIC] = { "harmonic", "Harmonic penalty (mean of 1 + 1/2 + … for the changes missed" },
	[PRN_METRIC_CHANGES] = { "changes", "Changes found (visits of a page that found it changed" },
};

static void group_cell(struct term_table *table, const struct report_comparison *report, const char *group)
{
	if (report->by)
		term_table_text(table, group);
}

static void score_row(struct term_table *table, const struct report_comparison *report, const struct prn_evaluation *evaluation,
                      const struct prn_sweeps *sweeps, const char *group, enum prn_window window, size_t policy, size_t i)
{
	struct prn_score score = prn_evaluation_score(evaluation, policy, i, window);
	const struct prn_setting *setting = &prn_sweeps_all(sweeps)[policy].settings[i];

	group_cell(table, report, group);
	term_table_text(table, prn_sweeps_specification(sweeps, policy));
	if (setting->in_seconds)
		term_table_text(table, report->durations[i]);
	else
		term_table_number(table, setting->value);
	term_table_text(table, prn_window_name(window));
	term_table_count(table, prn_evaluation_pages(evaluation));
	term_table_number(table, score.cost);
	for (size_t metric = 0; metric < report->metric_count; metric++)
		term_table_number(table, score.metrics[report->metrics[metric]]);
}

static void settings_rows(const struct report_comparison *report, const struct prn_evaluation *evaluation,
                          const struct prn_sweeps *sweeps, const char *group, struct term_table *table)
{
	for (size_t i = 0; i < prn_sweeps_count(sweeps); i++)
		for (size_t w = 0; w < report->window_count; w++)
			for (size_t j = 0; j < prn_sweeps_all(sweeps)[i].setting_count; j++)
				score_row(table, report, evaluation, sweeps, group, report->windows[w], i, j);
}

int report_compare(const struct prn_evaluation *evaluation, const struct prn_sweeps *sweeps,
                   const struct prn_comparison *comparison, struct prn_compared **compared, struct prn_error *error)
{
	struct prn_compared *out = calloc(prn_sweeps_count(sweeps) * comparison->target_count + 1, sizeof *out);
	int code = out ? prn_evaluation_compare(evaluation, comparison, out) : PRN_E_MEMORY;

	if (code) {
		free(out);
		return prn_error_set(error, code, "%s", prn_error_text(code));
	}
	*compared = out;
	return 0;
}

/* Compares all policies at all targets in one window; the caller frees *compared. */
static int compare_window(const struct report_comparison *report, const struct prn_evaluation *evaluation,
                          const struct prn_sweeps *sweeps, enum prn_window window, struct prn_compared **compared,
                          struct prn_error *error)
{
	const struct prn_comparison comparison = {
		.axis = report->axis,
		.window = window,
		.metric = report->metrics[0],
		.targets = report->targets,
		.target_count = report->target_count,
		.reference = prn_sweeps_find(sweeps, report->ratio_to),
		.seed = report->seed,
		.resamples = report->resamples,
		.threads = report->threads,
	};

	return report_compare(evaluation, sweeps, &comparison, compared, error);
}

static void target_row(struct term_table *table, const char *policy, enum prn_window window, double target,
                       const struct prn_compared *at, bool with_ratio)
{
	term_table_text(table, policy);
	term_table_text(table, prn_window_name(window));
	term_table_number(table, target);
	term_table_number(table, at->value.value);
	term_table_number(table, at->value.low);
	term_table_number(table, at->value.high);
	if (!with_ratio)
		return;
	term_table_number(table, at->ratio.value);
	term_table_number(table, at->ratio.low);
	term_table_number(table, at->ratio.high);
}

static int target_rows(const struct report_comparison *report, const struct prn_evaluation *evaluation,
                       const struct prn_sweeps *sweeps, const char *group, struct term_table *table,
                       struct prn_error *error)
{
	bool with_ratio = report->form == REPORT_COMPARISON_TABLE;
	int code = 0;

	for (size_t w = 0; w < report->window_count && !code; w++) {
		struct prn_compared *compared = NULL;

		code = compare_window(report, evaluation, sweeps, report->windows[w], &compared, error);
		for (size_t i = 0; i < prn_sweeps_count(sweeps) && !code; i++)
			for (size_t j = 0; j < report->target_count; j++) {
				group_cell(table, report, group);
				target_row(table, prn_sweeps_specification(sweeps, i), report->windows[w], report->targets[j],
				           &compared[i * report->target_count + j], with_ratio);
			}
		free(compared);
	}
	return code;
}

/*
 * Prints a cell such as "0.0613 x0.75*": the value, its ratio to the reference, and, if marked, a star when the interval of
 * the ratio does not contain 1.
 */
static void value_cell(struct term_table *table, const struct prn_compared *at, bool with_ratio, bool marked)
{
	char text[64];

	if (isnan(at->value.value))
		snprintf(text, sizeof text, "-");
	else if (!with_ratio || isnan(at->ratio.value))
		snprintf(text, sizeof text, "%.4f", at->value.value);
	else
		snprintf(text, sizeof text, "%.4f x%.2f%s", at->value.value, at->ratio.value,
		         marked && (at->ratio.high < 1 || at->ratio.low > 1) ? "*" : "");
	term_table_text(table, text);
}

/* Prints two lines for each policy, for people: its staleness at each cost, and the 95 % intervals. */
static int window_rows(const struct report_comparison *report, const struct prn_evaluation *evaluation,
                       const struct prn_sweeps *sweeps, const char *group, enum prn_window window,
                       struct term_table *table, struct prn_error *error)
{
	bool with_ratio = prn_sweeps_find(sweeps, report->ratio_to) != PRN_NO_SWEEP;
	bool marked = prn_evaluation_is_enough(evaluation);
	size_t targets = report->target_count;
	struct prn_compared *compared = NULL;
	int code = compare_window(report, evaluation, sweeps, window, &compared, error);

	for (size_t i = 0; i < prn_sweeps_count(sweeps) && !code; i++) {
		group_cell(table, report, group);
		term_table_text(table, prn_sweeps_specification(sweeps, i));
		for (size_t j = 0; j < targets; j++)
			value_cell(table, &compared[i * targets + j], with_ratio, marked);
		if (!report->resamples)
			continue;
		group_cell(table, report, "");
		term_table_text(table, "");
		for (size_t j = 0; j < targets; j++) {
			const struct prn_interval *value = &compared[i * targets + j].value;
			char text[64] = "";

			if (!isnan(value->low))
				snprintf(text, sizeof text, "%.3f-%.3f", value->low, value->high);
			term_table_text(table, text);
		}
	}
	free(compared);
	return code;
}

/* The rows of all windows go to one table, but people get a table for each. */
static bool has_table_a_window(const struct report_comparison *report)
{
	return report->form == REPORT_COMPARISON_TABLE && report->format == TERM_FORMAT_TABLE;
}

/* The most columns: group, five of a setting and the metrics; or group, window and targets; and the end. */
static size_t columns_most(const struct report_comparison *report)
{
	return 10 + PRN_METRICS + report->target_count;
}

#define NAME_ROOM 160

static void settings_columns(const struct report_comparison *report, struct term_column *columns)
{
	static const struct term_column first[] = {
		{ "policy", TERM_COLUMN_TEXT, 0 },  { "parameter", TERM_COLUMN_NUMBER, 4 }, { "window", TERM_COLUMN_TEXT, 0 },
		{ "pages", TERM_COLUMN_COUNT, 0 }, { "cost", TERM_COLUMN_NUMBER, 4 },
	};

	memcpy(columns, first, sizeof first);
	for (size_t i = 0; i < report->metric_count; i++)
		columns[5 + i] = (struct term_column){ metric_texts[report->metrics[i]].column, TERM_COLUMN_NUMBER, 4 };
}

static void target_columns(const struct report_comparison *report, char *names, struct term_column *columns)
{
	bool by_cost = report->axis == PRN_AXIS_COST;
	const char *metric = metric_texts[report->metrics[0]].column;
	const struct term_column first[] = {
		{ "policy", TERM_COLUMN_TEXT, 0 },
		{ "window", TERM_COLUMN_TEXT, 0 },
		{ by_cost ? "cost" : metric, TERM_COLUMN_NUMBER, 4 },
		{ by_cost ? metric : "cost", TERM_COLUMN_NUMBER, 4 },
		{ "low", TERM_COLUMN_NUMBER, 4 },
		{ "high", TERM_COLUMN_NUMBER, 4 },
	};

	memcpy(columns, first, sizeof first);
	if (report->form != REPORT_COMPARISON_TABLE)
		return;
	snprintf(names, NAME_ROOM, "ratio-to-%s", report->ratio_to);
	columns[6] = (struct term_column){ names, TERM_COLUMN_NUMBER, 3 };
	columns[7] = (struct term_column){ "ratio-low", TERM_COLUMN_NUMBER, 3 };
	columns[8] = (struct term_column){ "ratio-high", TERM_COLUMN_NUMBER, 3 };
}

static void window_columns(const struct report_comparison *report, enum prn_window window, char *names,
                           struct term_column *columns)
{
	columns[0] = (struct term_column){ prn_window_name(window), TERM_COLUMN_TEXT, 0 };
	for (size_t j = 0; j < report->target_count; j++) {
		snprintf(&names[j * NAME_ROOM], NAME_ROOM, "at cost %g", report->targets[j]);
		columns[j + 1] = (struct term_column){ &names[j * NAME_ROOM], TERM_COLUMN_TEXT, 0 };
	}
}

static struct term_table *open_sheet(struct report_sheets *sheets, size_t i)
{
	const struct report_comparison *report = sheets->report;
	struct term_column *columns = &sheets->columns[i * columns_most(report)], *own = columns;
	char *names = &sheets->names[i * (report->target_count + 1) * NAME_ROOM];

	if (report->by)
		*own++ = (struct term_column){ report->by, strcmp(report->by, "page") ? TERM_COLUMN_TEXT : TERM_COLUMN_URL, 0 };
	if (report->form == REPORT_COMPARISON_SETTINGS)
		settings_columns(report, own);
	else if (has_table_a_window(report))
		window_columns(report, report->windows[i], names, own);
	else
		target_columns(report, names, own);
	return term_table_open_in(report->out ? report->out : stdout, report->format, columns);
}

void report_sheets_begin(struct report_sheets *sheets, const struct report_comparison *report, const struct prn_sweeps *sweeps)
{
	size_t count = has_table_a_window(report) ? report->window_count : 1;

	*sheets = (struct report_sheets){ .report = report, .sweeps = sweeps };
	sheets->columns = calloc(count * columns_most(report), sizeof *sheets->columns);
	sheets->names = calloc(count * (report->target_count + 1), NAME_ROOM);
	if (!sheets->columns || !sheets->names)
		return;
	if (has_table_a_window(report)) {
		printf("%s%s) at equal cost (visits per capture),\n", metric_texts[report->metrics[0]].words,
		       report->resamples ? ", 95 % interval below it" : "");
		if (prn_sweeps_find(sweeps, report->ratio_to) != PRN_NO_SWEEP)
			printf("x its ratio to %s, * when the ratio's 95 %% interval leaves out 1.  ", report->ratio_to);
		puts("'-': cannot be tuned there.");
	}
	for (; sheets->count < count; sheets->count++)
		sheets->tables[sheets->count] = open_sheet(sheets, sheets->count);
}

int report_sheets_add(struct report_sheets *sheets, const char *group, const struct prn_evaluation *evaluation,
                      struct prn_error *error)
{
	const struct report_comparison *report = sheets->report;
	int code = 0;

	if (!sheets->count)
		return prn_error_memory(error);
	sheets->pages += prn_evaluation_pages(evaluation);
	sheets->left_out += prn_evaluation_left_out(evaluation);
	if (report->form == REPORT_COMPARISON_SETTINGS)
		settings_rows(report, evaluation, sheets->sweeps, group, sheets->tables[0]);
	else if (!has_table_a_window(report))
		code = target_rows(report, evaluation, sheets->sweeps, group, sheets->tables[0], error);
	for (size_t w = 0; has_table_a_window(report) && w < sheets->count && !code; w++)
		code = window_rows(report, evaluation, sheets->sweeps, group, report->windows[w], sheets->tables[w], error);
	return code;
}

int report_sheets_end(struct report_sheets *sheets, bool failed, struct prn_error *error)
{
	const struct report_comparison *report = sheets->report;
	char *note = failed ? NULL : provenance(sheets);
	int code = sheets->count && (note || failed) ? 0 : prn_error_memory(error);

	for (size_t i = 0; i < sheets->count; i++) {
		bool last = i + 1 == sheets->count;
		int closed;

		if (has_table_a_window(report))
			putchar('\n');
		/* In other formats the note goes to stderr, so that stdout stays data. */
		if (last && note && report->format != TERM_FORMAT_TABLE && !report->out)
			term_say("# %s\n", note);
		closed = term_table_close(sheets->tables[i], last ? note : NULL, code || failed ? NULL : error);
		code = code ? code : closed;
	}
	free(note);
	free(sheets->columns);
	free(sheets->names);
	return code;
}

int report_comparison_print(const struct report_comparison *report, const struct prn_evaluation *evaluation,
                            const struct prn_sweeps *sweeps, struct prn_error *error)
{
	struct report_sheets sheets;
	int code, ended;

	report_sheets_begin(&sheets, report, sweeps);
	code = report_sheets_add(&sheets, NULL, evaluation, error);
	ended = report_sheets_end(&sheets, code, error);
	return code ? code : ended;
}
