#include "cli/verdict.h"
#include "cli/provenance.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Version, command line, seed: enough to get the same bytes again.  The caller frees it. */
static char *provenance(const struct cli_verdict *verdict, const struct prn_evaluation *evaluation)
{
	char *note = NULL;
	size_t length;
	FILE *out = open_memstream(&note, &length);

	if (!out)
		abort();
	cli_provenance_print(out, verdict->argc, verdict->argv);
	if (verdict->what != CLI_VERDICT_ROWS)
		fprintf(out, "; seed %llu, %zu resamples", (unsigned long long)verdict->seed, verdict->resamples);
	fprintf(out, "; %zu pages", prn_evaluation_pages(evaluation));
	if (prn_evaluation_left_out(evaluation))
		fprintf(out, ", %zu with fewer than %d captures left out", prn_evaluation_left_out(evaluation),
		        PRN_EVALUATE_CAPTURES);
	if (fclose(out))
		abort();
	return note;
}

static FILE *output(const struct cli_verdict *verdict)
{
	return verdict->out ? verdict->out : stdout;
}

/* Ends a table: in other formats the note goes to stderr, so that stdout stays data. */
static int close_table(struct cli_table *table, const struct cli_verdict *verdict, const char *note,
                       struct prn_error *error)
{
	if (note && verdict->format != CLI_FORMAT_TABLE && !verdict->out)
		fprintf(stderr, "# %s\n", note);
	if (cli_table_close(table, note))
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

static void score_row(struct cli_table *table, const struct cli_verdict *verdict, const struct prn_evaluation *evaluation,
                      const struct cli_lineup *lineup, enum prn_window window, size_t policy, size_t setting)
{
	struct prn_score score = prn_evaluation_score(evaluation, policy, setting, window);
	const char *text = verdict->texts[policy][setting];

	cli_table_text(table, lineup->specifications[policy]);
	if (text)
		cli_table_text(table, text);
	else
		cli_table_number(table, lineup->sweeps[policy].settings[setting].value);
	cli_table_text(table, prn_window_name(window));
	cli_table_count(table, prn_evaluation_pages(evaluation));
	cli_table_number(table, score.cost);
	for (size_t i = 0; i < verdict->metric_count; i++)
		cli_table_number(table, score.metrics[verdict->metrics[i]]);
}

static int print_rows(const struct cli_verdict *verdict, const struct prn_evaluation *evaluation,
                      const struct cli_lineup *lineup, const char *note, struct prn_error *error)
{
	struct cli_column columns[5 + PRN_METRICS + 1] = {
		{ "policy", CLI_COLUMN_TEXT, 0 }, { "parameter", CLI_COLUMN_NUMBER, 4 }, { "window", CLI_COLUMN_TEXT, 0 },
		{ "pages", CLI_COLUMN_COUNT, 0 }, { "cost", CLI_COLUMN_NUMBER, 4 },
	};
	struct cli_table *table;

	for (size_t i = 0; i < verdict->metric_count; i++)
		columns[5 + i] = (struct cli_column){ metric_texts[verdict->metrics[i]].column, CLI_COLUMN_NUMBER, 4 };
	table = cli_table_open_in(output(verdict), verdict->format, columns);
	for (size_t i = 0; i < lineup->count; i++)
		for (size_t w = 0; w < verdict->window_count; w++)
			for (size_t j = 0; j < lineup->sweeps[i].setting_count; j++)
				score_row(table, verdict, evaluation, lineup, verdict->windows[w], i, j);
	return close_table(table, verdict, note, error);
}

/* All policies at all targets in one window; the caller frees it. */
static struct prn_compared *compare(const struct cli_verdict *verdict, const struct prn_evaluation *evaluation,
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

static void target_row(struct cli_table *table, const char *policy, enum prn_window window, double target,
                       const struct prn_compared *at, bool with_ratio)
{
	cli_table_text(table, policy);
	cli_table_text(table, prn_window_name(window));
	cli_table_number(table, target);
	cli_table_number(table, at->value.value);
	cli_table_number(table, at->value.low);
	cli_table_number(table, at->value.high);
	if (!with_ratio)
		return;
	cli_table_number(table, at->ratio.value);
	cli_table_number(table, at->ratio.low);
	cli_table_number(table, at->ratio.high);
}

static int print_targets(const struct cli_verdict *verdict, const struct prn_evaluation *evaluation,
                         const struct cli_lineup *lineup, const char *note, struct prn_error *error)
{
	bool by_cost = verdict->axis == PRN_AXIS_COST, with_ratio = verdict->what == CLI_VERDICT_TABLE;
	const char *metric = metric_texts[verdict->metrics[0]].column;
	char ratio[128];
	const struct cli_column columns[] = {
		{ "policy", CLI_COLUMN_TEXT, 0 },
		{ "window", CLI_COLUMN_TEXT, 0 },
		{ by_cost ? "cost" : metric, CLI_COLUMN_NUMBER, 4 },
		{ by_cost ? metric : "cost", CLI_COLUMN_NUMBER, 4 },
		{ "low", CLI_COLUMN_NUMBER, 4 },
		{ "high", CLI_COLUMN_NUMBER, 4 },
		{ with_ratio ? ratio : NULL, CLI_COLUMN_NUMBER, 3 },
		{ "ratio-low", CLI_COLUMN_NUMBER, 3 },
		{ "ratio-high", CLI_COLUMN_NUMBER, 3 },
		{ NULL, CLI_COLUMN_TEXT, 0 },
	};
	struct cli_table *table;

	snprintf(ratio, sizeof ratio, "ratio-to-%s", verdict->ratio_to);
	table = cli_table_open_in(output(verdict), verdict->format, columns);
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
static void value_cell(struct cli_table *table, const struct prn_compared *at, bool with_ratio)
{
	char text[64];

	if (isnan(at->value.value))
		snprintf(text, sizeof text, "-");
	else if (!with_ratio || isnan(at->ratio.value))
		snprintf(text, sizeof text, "%.4f", at->value.value);
	else
		snprintf(text, sizeof text, "%.4f x%.2f%s", at->value.value, at->ratio.value,
		         at->ratio.high < 1 || at->ratio.low > 1 ? "*" : "");
	cli_table_text(table, text);
}

static void interval_cell(struct cli_table *table, const struct prn_compared *at)
{
	char text[64] = "";

	if (!isnan(at->value.low))
		snprintf(text, sizeof text, "%.3f-%.3f", at->value.low, at->value.high);
	cli_table_text(table, text);
}

/* For a person: two lines a policy, its staleness at each cost and the 95 % interval of it. */
static int print_window(const struct cli_verdict *verdict, const struct prn_evaluation *evaluation,
                        const struct cli_lineup *lineup, enum prn_window window, const char *note,
                        struct prn_error *error)
{
	size_t targets = verdict->target_count;
	struct prn_compared *compared = compare(verdict, evaluation, lineup, window);
	struct cli_column *columns = calloc(targets + 2, sizeof *columns);
	char(*names)[32] = calloc(targets + 1, sizeof *names);
	bool with_ratio = cli_lineup_find(lineup, verdict->ratio_to) != PRN_NO_REFERENCE;
	struct cli_table *table;
	int code;

	if (!columns || !names)
		abort();
	columns[0] = (struct cli_column){ prn_window_name(window), CLI_COLUMN_TEXT, 0 };
	for (size_t j = 0; j < targets; j++) {
		snprintf(names[j], sizeof names[j], "at cost %g", verdict->targets[j]);
		columns[j + 1] = (struct cli_column){ names[j], CLI_COLUMN_TEXT, 0 };
	}
	table = cli_table_open_in(output(verdict), verdict->format, columns);
	for (size_t i = 0; i < lineup->count; i++) {
		cli_table_text(table, lineup->specifications[i]);
		for (size_t j = 0; j < targets; j++)
			value_cell(table, &compared[i * targets + j], with_ratio);
		if (!verdict->resamples)
			continue;
		cli_table_text(table, "");
		for (size_t j = 0; j < targets; j++)
			interval_cell(table, &compared[i * targets + j]);
	}
	code = close_table(table, verdict, note, error);
	free(compared);
	free(columns);
	free(names);
	return code;
}

static int print_table(const struct cli_verdict *verdict, const struct prn_evaluation *evaluation,
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

int cli_verdict_print(const struct cli_verdict *verdict, const struct prn_evaluation *evaluation,
                      const struct cli_lineup *lineup, struct prn_error *error)
{
	char *note = provenance(verdict, evaluation);
	int code;

	if (verdict->what == CLI_VERDICT_ROWS)
		code = print_rows(verdict, evaluation, lineup, note, error);
	else if (verdict->what == CLI_VERDICT_TARGETS || verdict->format != CLI_FORMAT_TABLE)
		code = print_targets(verdict, evaluation, lineup, note, error);
	else
		code = print_table(verdict, evaluation, lineup, note, error);
	free(note);
	return code;
}
