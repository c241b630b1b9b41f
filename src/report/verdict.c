#include "report/verdict.h"
#include "term/provenance.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Version, command line, seed: enough to get the same bytes again.  The caller frees it. */
static char *provenance(const struct report_verdict *verdict, const struct prn_evaluation *evaluation)
{
	char *note = NULL;
	size_t length;
	FILE *out = open_memstream(&note, &length);

	if (!out)
		abort();
	term_provenance_print(out, verdict->argc, verdict->argv);
	if (verdict->what != REPORT_VERDICT_ROWS)
		fprintf(out, "; seed %llu, %zu resamples", (unsigned long long)verdict->seed, verdict->resamples);
	fprintf(out, "; %zu pages", prn_evaluation_pages(evaluation));
	if (prn_evaluation_left_out(evaluation))
		fprintf(out, ", %zu with fewer than %d captures left out", prn_evaluation_left_out(evaluation),
		        PRN_LIFE_CAPTURES);
	if (fclose(out))
		abort();
	return note;
}

static FILE *output(const struct report_verdict *verdict)
{
	return verdict->out ? verdict->out : stdout;
}

/* Ends a table: in other formats the note goes to stderr, so that stdout stays data. */
static int close_table(struct term_table *table, const struct report_verdict *verdict, const char *note,
                       struct prn_error *error)
{
	if (note && verdict->format != TERM_FORMAT_TABLE && !verdict->out)
		fprintf(stderr, "# %s\n", note);
	if (term_table_close(table, note, NULL))
		return prn_error_set(error, PRN_E_IO, "the output cannot be written");
	return 0;
}

/* The heading of a metric's column, and what it is in words. */
static const struct {
	const char *column, *words;
} metric_texts[PRN_METRICS] = {
	[PRN_METRIC_FRAGMENT] = { "staleness", "Staleness (mean divergence over time" },
	[PRN_METRIC_HOLISTIC] = { "holistic", "Holistic staleness (share of time out of date" },
	[PRN_METRIC_AGE] = { "age-days", "Age (mean days that the copy has been out of date" },
	[PRN_METRIC_HARMONIC] = { "harmonic", "Harmonic penalty (mean of 1 + 1/2 + … for the changes missed" },
	[PRN_METRIC_CHANGES] = { "changes", "Changes found (visits of a page that found it changed" },
};

static void score_row(struct term_table *table, const struct report_verdict *verdict, const struct prn_evaluation *evaluation,
                      const struct cli_lineup *lineup, enum prn_window window, size_t policy, size_t setting)
{
	struct prn_score score = prn_evaluation_score(evaluation, policy, setting, window);
	const char *text = verdict->texts[policy][setting];

	term_table_text(table, lineup->specifications[policy]);
	if (text)
		term_table_text(table, text);
	else
		term_table_number(table, lineup->sweeps[policy].settings[setting].value);
	term_table_text(table, prn_window_name(window));
	term_table_count(table, prn_evaluation_pages(evaluation));
	term_table_number(table, score.cost);
	for (size_t i = 0; i < verdict->metric_count; i++)
		term_table_number(table, score.metrics[verdict->metrics[i]]);
}

static int print_rows(const struct report_verdict *verdict, const struct prn_evaluation *evaluation,
                      const struct cli_lineup *lineup, const char *note, struct prn_error *error)
{
	struct term_column columns[5 + PRN_METRICS + 1] = {
		{ "policy", TERM_COLUMN_TEXT, 0 }, { "parameter", TERM_COLUMN_NUMBER, 4 }, { "window", TERM_COLUMN_TEXT, 0 },
		{ "pages", TERM_COLUMN_COUNT, 0 }, { "cost", TERM_COLUMN_NUMBER, 4 },
	};
	struct term_table *table;

	for (size_t i = 0; i < verdict->metric_count; i++)
		columns[5 + i] = (struct term_column){ metric_texts[verdict->metrics[i]].column, TERM_COLUMN_NUMBER, 4 };
	table = term_table_open_in(output(verdict), verdict->format, columns);
	for (size_t i = 0; i < lineup->count; i++)
		for (size_t w = 0; w < verdict->window_count; w++)
			for (size_t j = 0; j < lineup->sweeps[i].setting_count; j++)
				score_row(table, verdict, evaluation, lineup, verdict->windows[w], i, j);
	return close_table(table, verdict, note, error);
}

/* All policies at all targets in one window; the caller frees it. */
static struct prn_compared *compare(const struct report_verdict *verdict, const struct prn_evaluation *evaluation,
                                    const struct cli_lineup *lineup, enum prn_window window)
{
	struct prn_comparison comparison = {
		.axis = verdict->axis,
		.window = window,
		.metric = verdict->metrics[0],
		.targets = verdict->targets,
		.target_count = verdict->target_count,
		.reference = cli_lineup_find(lineup, verdict->ratio_to),
		.seed = verdict->seed,
		.resamples = verdict->resamples,
		.threads = verdict->threads,
	};
	struct prn_compared *compared = calloc(lineup->count * verdict->target_count, sizeof *compared);

	if (!compared || prn_evaluation_compare(evaluation, &comparison, compared))
		abort();
	return compared;
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

static int print_targets(const struct report_verdict *verdict, const struct prn_evaluation *evaluation,
                         const struct cli_lineup *lineup, const char *note, struct prn_error *error)
{
	bool by_cost = verdict->axis == PRN_AXIS_COST, with_ratio = verdict->what == REPORT_VERDICT_TABLE;
	const char *metric = metric_texts[verdict->metrics[0]].column;
	char ratio[128];
	const struct term_column columns[] = {
		{ "policy", TERM_COLUMN_TEXT, 0 },
		{ "window", TERM_COLUMN_TEXT, 0 },
		{ by_cost ? "cost" : metric, TERM_COLUMN_NUMBER, 4 },
		{ by_cost ? metric : "cost", TERM_COLUMN_NUMBER, 4 },
		{ "low", TERM_COLUMN_NUMBER, 4 },
		{ "high", TERM_COLUMN_NUMBER, 4 },
		{ with_ratio ? ratio : NULL, TERM_COLUMN_NUMBER, 3 },
		{ "ratio-low", TERM_COLUMN_NUMBER, 3 },
		{ "ratio-high", TERM_COLUMN_NUMBER, 3 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table;

	snprintf(ratio, sizeof ratio, "ratio-to-%s", verdict->ratio_to);
	table = term_table_open_in(output(verdict), verdict->format, columns);
	for (size_t w = 0; w < verdict->window_count; w++) {
		struct prn_compared *compared = compare(verdict, evaluation, lineup, verdict->windows[w]);

		for (size_t i = 0; i < lineup->count; i++)
			for (size_t j = 0; j < verdict->target_count; j++)
				target_row(table, lineup->specifications[i], verdict->windows[w], verdict->targets[j],
				           &compared[i * verdict->target_count + j], with_ratio);
		free(compared);
	}
	return close_table(table, verdict, note, error);
}

/* "0.0613 x0.75*": the value, its ratio to the reference, and a star when the ratio's interval leaves out 1. */
static void value_cell(struct term_table *table, const struct prn_compared *at, bool with_ratio)
{
	char text[64];

	if (isnan(at->value.value))
		snprintf(text, sizeof text, "-");
	else if (!with_ratio || isnan(at->ratio.value))
		snprintf(text, sizeof text, "%.4f", at->value.value);
	else
		snprintf(text, sizeof text, "%.4f x%.2f%s", at->value.value, at->ratio.value,
		         at->ratio.high < 1 || at->ratio.low > 1 ? "*" : "");
	term_table_text(table, text);
}

static void interval_cell(struct term_table *table, const struct prn_compared *at)
{
	char text[64] = "";

	if (!isnan(at->value.low))
		snprintf(text, sizeof text, "%.3f-%.3f", at->value.low, at->value.high);
	term_table_text(table, text);
}

/* For a person: two lines a policy, its staleness at each cost and the 95 % interval of it. */
static int print_window(const struct report_verdict *verdict, const struct prn_evaluation *evaluation,
                        const struct cli_lineup *lineup, enum prn_window window, const char *note,
                        struct prn_error *error)
{
	size_t targets = verdict->target_count;
	struct prn_compared *compared = compare(verdict, evaluation, lineup, window);
	struct term_column *columns = calloc(targets + 2, sizeof *columns);
	char(*names)[32] = calloc(targets + 1, sizeof *names);
	bool with_ratio = cli_lineup_find(lineup, verdict->ratio_to) != PRN_NO_REFERENCE;
	struct term_table *table;
	int code;

	if (!columns || !names)
		abort();
	columns[0] = (struct term_column){ prn_window_name(window), TERM_COLUMN_TEXT, 0 };
	for (size_t j = 0; j < targets; j++) {
		snprintf(names[j], sizeof names[j], "at cost %g", verdict->targets[j]);
		columns[j + 1] = (struct term_column){ names[j], TERM_COLUMN_TEXT, 0 };
	}
	table = term_table_open_in(output(verdict), verdict->format, columns);
	for (size_t i = 0; i < lineup->count; i++) {
		term_table_text(table, lineup->specifications[i]);
		for (size_t j = 0; j < targets; j++)
			value_cell(table, &compared[i * targets + j], with_ratio);
		if (!verdict->resamples)
			continue;
		term_table_text(table, "");
		for (size_t j = 0; j < targets; j++)
			interval_cell(table, &compared[i * targets + j]);
	}
	code = close_table(table, verdict, note, error);
	free(compared);
	free(columns);
	free(names);
	return code;
}

static int print_table(const struct report_verdict *verdict, const struct prn_evaluation *evaluation,
                       const struct cli_lineup *lineup, const char *note, struct prn_error *error)
{
	printf("%s%s) at equal cost (visits per capture),\n", metric_texts[verdict->metrics[0]].words,
	       verdict->resamples ? ", 95 % interval below it" : "");
	if (cli_lineup_find(lineup, verdict->ratio_to) != PRN_NO_REFERENCE)
		printf("x its ratio to %s, * when the ratio's 95 %% interval leaves out 1.  ", verdict->ratio_to);
	puts("'-': cannot be tuned there.");
	for (size_t w = 0; w < verdict->window_count; w++) {
		bool last = w + 1 == verdict->window_count;
		int code;

		putchar('\n');
		code = print_window(verdict, evaluation, lineup, verdict->windows[w], last ? note : NULL, error);
		if (code)
			return code;
	}
	return 0;
}

int report_verdict_print(const struct report_verdict *verdict, const struct prn_evaluation *evaluation,
                      const struct cli_lineup *lineup, struct prn_error *error)
{
	char *note = provenance(verdict, evaluation);
	int code;

	if (verdict->what == REPORT_VERDICT_ROWS)
		code = print_rows(verdict, evaluation, lineup, note, error);
	else if (verdict->what == REPORT_VERDICT_TARGETS || verdict->format != TERM_FORMAT_TABLE)
		code = print_targets(verdict, evaluation, lineup, note, error);
	else
		code = print_table(verdict, evaluation, lineup, note, error);
	free(note);
	return code;
}
