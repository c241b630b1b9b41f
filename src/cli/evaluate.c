#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/learn.h"
#include "cli/lineup.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/verdict.h"
#include "base/parallel.h"
#include "perennial/evaluate.h"
#include "perennial/time.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCE "cgm"
#define RESAMPLES 1000
#define RESAMPLES_MAX 1000000
#define THREADS_MAX 1024

static const double table_costs[] = { 0.05, 0.1, 0.15, 0.2, 0.3, 0.4 };

/* What the command line says, as it says it. */
struct given {
	struct cli_list policies, windows, thresholds, periods, scales, metrics, at_cost, at_staleness, learn;
	const char *clock, *format, *ratio_to;
	const char *history, *learning, *risk, *summary;
	uint64_t seed, resamples, threads;
};

/* And what it means. */
struct task {
	const struct cli_usage *usage;
	struct given *given;
	enum prn_clock clock;
	struct cli_verdict verdict; /* what to print and how */
	char *defaults;             /* the global options, as prn_policy_open takes them */
	const char **specifications;
	size_t specification_count;
	struct cli_settings settings[PRN_DIALS];
	struct cli_inputs inputs;
};

static void *room(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

static void join_defaults(struct task *task)
{
	const struct given *given = task->given;

	task->defaults = room(1, 1);
	if (given->history)
		cli_defaults_add(&task->defaults, "history", given->history);
	if (given->learning)
		cli_defaults_add(&task->defaults, "learning", given->learning);
	if (given->risk)
		cli_defaults_add(&task->defaults, "risk", given->risk);
	if (given->summary)
		cli_defaults_add(&task->defaults, "summary", given->summary);
}

/* The policies asked for, or all online ones and FS-S. */
static void list_policies(struct task *task)
{
	const struct cli_list *policies = &task->given->policies;
	size_t online = 0, n = 0;

	while (prn_policy_info(online))
		online++;
	task->specifications = room(policies->count + online + 1, sizeof *task->specifications);
	for (; n < policies->count; n++)
		task->specifications[n] = policies->items[n];
	if (!n) {
		for (; n < online; n++)
			task->specifications[n] = prn_policy_info(n)->name;
		task->specifications[n++] = "fs-s";
	}
	task->specification_count = n;
}

static int read_clock(struct task *task)
{
	const char *clock = task->given->clock;

	task->clock = clock && !strcmp(clock, "days") ? PRN_CLOCK_DAYS : PRN_CLOCK_STEPS;
	if (clock && strcmp(clock, "days") && strcmp(clock, "steps"))
		return cli_usage_error(task->usage, "--clock takes 'steps' or 'days', not '%s'", clock);
	return -1;
}

static int read_windows(struct task *task)
{
	const struct cli_list *windows = &task->given->windows;
	struct cli_verdict *verdict = &task->verdict;

	for (size_t i = 0; i < windows->count; i++) {
		int window = 0;

		while (window < PRN_WINDOWS && strcmp(windows->items[i], prn_window_name((enum prn_window)window)))
			window++;
		if (window == PRN_WINDOWS)
			return cli_usage_error(task->usage, "--window takes warm-up, steady or all, not '%s'",
			                       windows->items[i]);
		for (size_t j = 0; j < verdict->window_count; j++)
			if (verdict->windows[j] == (enum prn_window)window)
				return cli_usage_error(task->usage, "--window names %s twice", windows->items[i]);
		verdict->windows[verdict->window_count++] = (enum prn_window)window;
	}
	if (verdict->window_count)
		return -1;
	if (verdict->what == CLI_VERDICT_TABLE)
		verdict->windows[verdict->window_count++] = PRN_WINDOW_WARM_UP;
	verdict->windows[verdict->window_count++] =
		verdict->what == CLI_VERDICT_TABLE ? PRN_WINDOW_STEADY : PRN_WINDOW_ALL;
	return -1;
}

/* Settings that are plain numbers above 0. */
static int read_numbers(struct task *task, enum prn_dial dial, const struct cli_list *given)
{
	for (size_t i = 0; i < given->count; i++) {
		if (!(given->numbers[i] > 0))
			return cli_usage_error(task->usage, "--%s takes numbers above 0, not '%s'", prn_dial_name(dial),
			                       given->items[i]);
		cli_settings_add(&task->settings[dial], given->numbers[i], false, NULL);
	}
	return -1;
}

static int read_metrics(struct task *task)
{
	const struct cli_list *metrics = &task->given->metrics;
	struct cli_verdict *verdict = &task->verdict;

	for (size_t i = 0; i < metrics->count; i++) {
		int metric = 0;

		while (metric < PRN_METRICS && strcmp(metrics->items[i], prn_metric_name((enum prn_metric)metric)))
			metric++;
		if (metric == PRN_METRICS)
			return cli_usage_error(task->usage,
			                       "--metric takes fragment, holistic, age, harmonic or changes, not '%s'",
			                       metrics->items[i]);
		for (size_t j = 0; j < verdict->metric_count; j++)
			if (verdict->metrics[j] == (enum prn_metric)metric)
				return cli_usage_error(task->usage, "--metric names %s twice", metrics->items[i]);
		verdict->metrics[verdict->metric_count++] = (enum prn_metric)metric;
	}
	if (!verdict->metric_count)
		verdict->metric_count = 1; /* the first: fragment */
	if (verdict->metric_count > 1 && verdict->what != CLI_VERDICT_ROWS)
		return cli_usage_error(task->usage, "--metric takes one to compare; several stand side by side in the rows "
		                                    "of --threshold, --period or --scale");
	return -1;
}

static int read_thresholds(struct task *task)
{
	return read_numbers(task, PRN_DIAL_THRESHOLD, &task->given->thresholds);
}

static int read_scales(struct task *task)
{
	return read_numbers(task, PRN_DIAL_SCALE, &task->given->scales);
}

/* A bare number is in clock units, anything else is a duration. */
static int read_periods(struct task *task)
{
	const struct cli_list *periods = &task->given->periods;

	for (size_t i = 0; i < periods->count; i++) {
		const char *text = periods->items[i];
		char *end;
		double value = strtod(text, &end);
		bool duration = *end;

		if ((duration && prn_duration_parse(text, &value)) || !(value > 0) || !isfinite(value))
			return cli_usage_error(task->usage,
			                       "--period takes numbers above 0, in clock units, or durations such as 6h "
			                       "or 2d, not '%s'",
			                       text);
		cli_settings_add(&task->settings[PRN_DIAL_PERIOD], value, duration, duration ? text : NULL);
	}
	return -1;
}

static int read_targets(struct task *task)
{
	const struct given *given = task->given;
	const struct cli_list *targets = given->at_cost.count ? &given->at_cost : &given->at_staleness;
	struct cli_verdict *verdict = &task->verdict;

	if (given->at_cost.count && given->at_staleness.count)
		return cli_usage_error(task->usage, "--at-cost and --at-staleness are two questions: ask one at a time");
	verdict->axis = given->at_staleness.count ? PRN_AXIS_STALENESS : PRN_AXIS_COST;
	verdict->targets = targets->numbers;
	verdict->target_count = targets->count;
	for (size_t i = 0; i < given->at_cost.count; i++)
		if (!(targets->numbers[i] >= 0) || targets->numbers[i] > 1)
			return cli_usage_error(task->usage, "--at-cost takes numbers from 0 to 1, not '%s'", targets->items[i]);
	for (size_t i = 0; i < given->at_staleness.count; i++)
		if (!(targets->numbers[i] >= 0))
			return cli_usage_error(task->usage, "--at-staleness takes numbers from 0 up, not '%s'",
			                       targets->items[i]);
	if (targets->count) {
		verdict->what = CLI_VERDICT_TARGETS;
	} else if (given->thresholds.count || given->periods.count || given->scales.count) {
		verdict->what = CLI_VERDICT_ROWS;
	} else {
		verdict->what = CLI_VERDICT_TABLE;
		verdict->targets = table_costs;
		verdict->target_count = sizeof table_costs / sizeof *table_costs;
	}
	return -1;
}

/* Opens the policies once without pages, so that a slip in a specification is told before any work. */
static int check_policies(struct task *task)
{
	const char *defaults = task->defaults;
	struct prn_error error = { 0 };
	struct cli_lineup lineup;
	bool found;

	if (cli_lineup_open(&lineup, task->specifications, task->specification_count, &defaults, 1, &error))
		return cli_usage_error(task->usage, "%s", error.text);
	task->verdict.ratio_to = task->given->ratio_to ? task->given->ratio_to : REFERENCE;
	found = cli_lineup_find(&lineup, task->verdict.ratio_to) != PRN_NO_REFERENCE;
	cli_lineup_release(&lineup);
	if (task->given->ratio_to && !found)
		return cli_usage_error(task->usage, "--ratio-to names '%s', which is not among the policies under test",
		                       task->given->ratio_to);
	return -1;
}

/* Everything that can be said before a file is opened: -1, or an exit code. */
static int read_task(struct task *task)
{
	struct given *given = task->given;
	int (*const steps[])(struct task *) = { read_clock,   read_targets, read_metrics, read_windows,
		                                read_thresholds, read_periods, read_scales, check_policies };

	if (cli_format_parse(given->format, &task->verdict.format))
		return cli_usage_error(task->usage, "--format takes table, tsv or json, not '%s'", given->format);
	if (!given->threads || given->threads > THREADS_MAX)
		return cli_usage_error(task->usage, "--threads takes 1 to %d", THREADS_MAX);
	if (given->resamples > RESAMPLES_MAX)
		return cli_usage_error(task->usage, "--bootstrap takes 0 to %d", RESAMPLES_MAX);
	join_defaults(task);
	list_policies(task);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		int code = steps[i](task);

		if (code >= 0)
			return code;
	}
	return -1;
}

/* Evaluates and prints.  Returns 0, or a negative code with *error. */
static int run(struct task *task, struct prn_error *error)
{
	char **defaults = room(task->inputs.count, sizeof *defaults);
	struct prn_evaluation *evaluation = NULL;
	struct cli_lineup lineup = { 0 };
	struct prn_trace_pool pool = { 0 };
	struct cli_progress progress;
	struct prn_pages pages;
	int code = prn_trace_pool_init(&pool, task->inputs.traces, task->inputs.count, &pages);

	task->verdict.texts = room(task->specification_count, sizeof *task->verdict.texts);
	if (code)
		goto out;
	code = cli_defaults_learn(defaults, task->defaults, &task->inputs, &task->given->learn, task->clock,
	                          (size_t)task->given->threads, error);
	if (!code)
		code = cli_lineup_open(&lineup, task->specifications, task->specification_count,
		                       (const char *const *)defaults, task->inputs.count, error);
	if (!code)
		code = cli_lineup_sweep(&lineup, task->settings, &pages, task->clock,
		                        (size_t)task->given->threads, error);
	for (size_t i = 0; i < lineup.count; i++)
		task->verdict.texts[i] = cli_lineup_settings(&lineup, i, task->settings)->texts;
	if (!code) {
		cli_progress_begin(&progress, "evaluate", &pages);
		code = prn_evaluation_run(&evaluation, &pages, lineup.sweeps, lineup.count, task->clock,
		                          (size_t)task->given->threads, error);
		cli_progress_end(&progress, &pages);
	}
	if (!code)
		code = cli_verdict_print(&task->verdict, evaluation, &lineup, error);
out:
	prn_evaluation_free(evaluation);
	cli_lineup_release(&lineup);
	prn_trace_pool_release(&pool);
	for (size_t i = 0; i < task->inputs.count; i++)
		free(defaults[i]);
	free(defaults);
	free(task->verdict.texts);
	return code;
}

static int open_and_run(struct task *task, int argc, char **argv, int first)
{
	struct prn_error error = { 0 };
	int code = cli_inputs_open(&task->inputs, argv + first, (size_t)(argc - first), (size_t)task->given->threads,
	                           &error);
	int skipped = task->inputs.skipped ? CLI_SKIPPED : CLI_DONE;

	if (!code)
		code = run(task, &error);
	cli_inputs_release(&task->inputs);
	if (!code)
		return skipped;
	fprintf(stderr, "perennial evaluate: %s\n", error.code ? error.text : prn_error_text(code));
	return CLI_FAILED;
}

static void release(struct task *task)
{
	struct given *given = task->given;

	for (int dial = 0; dial < PRN_DIALS; dial++)
		cli_settings_release(&task->settings[dial]);
	free(task->defaults);
	free(task->specifications);
	cli_list_release(&given->policies);
	cli_list_release(&given->windows);
	cli_list_release(&given->metrics);
	cli_list_release(&given->thresholds);
	cli_list_release(&given->periods);
	cli_list_release(&given->scales);
	cli_list_release(&given->at_cost);
	cli_list_release(&given->at_staleness);
	cli_list_release(&given->learn);
}

static const char about[] =
	"Replays policies over the page histories of traces (or WARC files, or folders, imported on the fly), pooled,\n"
	"and tells how stale the copies are (mean divergence over time) at what cost (visits per page and capture).\n"
	"Without any of --threshold, --period, --scale, --at-cost, --at-staleness it chooses a sweep and prints a table of\n"
	"staleness at equal cost, with the ratio to cgm (or another policy).  'perennial policies' lists the policies and their keys.";

int cli_evaluate(int argc, char **argv)
{
	struct given given = { .seed = 1, .resamples = RESAMPLES, .threads = prn_parallel_processors() };
	const struct cli_option options[] = {
		{ CLI_OPTION_HEADING, "Policies", 0, NULL, NULL, NULL },
		{ CLI_OPTION_LIST, "policy", 'p', &given.policies, "A,B:key=v,…",
		  "policies under test (default: all online ones and fs-s)" },
		{ CLI_OPTION_TEXT, "history", 0, &given.history, "H", "history=H for the policies that have the key" },
		{ CLI_OPTION_TEXT, "learning", 0, &given.learning, "L", "learning=L likewise; '2T' ties it to T" },
		{ CLI_OPTION_TEXT, "risk", 0, &given.risk, "RHO", "risk=RHO likewise; 'none' for no bound" },
		{ CLI_OPTION_TEXT, "summary", 0, &given.summary, "M", "summary=M likewise; 'all' for exact divergences" },
		{ CLI_OPTION_LIST, "learn-prior", 0, &given.learn, "X.trace",
		  "learn alpha and beta there; repeatable; a corpus under test never learns from itself" },
		{ CLI_OPTION_HEADING, "Sweep", 0, NULL, NULL, NULL },
		{ CLI_OPTION_NUMBERS, "threshold", 't', &given.thresholds, "T,…", "thresholds, divergence x clock units" },
		{ CLI_OPTION_LIST, "period", 0, &given.periods, "P,…", "periods of uniform: clock units, or durations" },
		{ CLI_OPTION_NUMBERS, "scale", 0, &given.scales, "S,…",
		  "scales of the policies that have one: a factor on all their periods" },
		{ CLI_OPTION_TEXT, "clock", 0, &given.clock, "steps|days",
		  "clock unit: a page's mean capture interval (default), or a day" },
		{ CLI_OPTION_HEADING, "Output", 0, NULL, NULL, NULL },
		{ CLI_OPTION_LIST, "window", 'w', &given.windows, "W,…",
		  "warm-up, steady, all (default: all; for the table, warm-up,steady)" },
		{ CLI_OPTION_LIST, "metric", 'm', &given.metrics, "M,…",
		  "fragment (default), holistic, age, harmonic or changes: what is told beside cost" },
		{ CLI_OPTION_NUMBERS, "at-cost", 0, &given.at_cost, "C,…", "the metric at these costs, with 95 % intervals" },
		{ CLI_OPTION_NUMBERS, "at-staleness", 0, &given.at_staleness, "S,…", "cost at these values of the metric" },
		{ CLI_OPTION_TEXT, "ratio-to", 0, &given.ratio_to, "POLICY", "what the table's ratios are to (default: cgm)" },
		{ CLI_OPTION_COUNT, "bootstrap", 0, &given.resamples, "N", "resamples behind the intervals (default 1000)" },
		{ CLI_OPTION_COUNT, "seed", 0, &given.seed, "N", "seed of the resampling (default 1)" },
		{ CLI_OPTION_TEXT, "format", 0, &given.format, "table|tsv|json", "default: table on a terminal, else tsv" },
		{ CLI_OPTION_COUNT, "threads", 0, &given.threads, "N", "default: all processors; results are the same" },
		{ CLI_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct cli_usage usage = { "evaluate", "[OPTION]… X.trace…", about, options };
	struct task task = { .usage = &usage, .given = &given };
	int first, code = cli_options_parse(&usage, argc, argv, &first);

	if (code < 0 && first == argc)
		code = cli_usage_error(&usage, "names no trace to evaluate on");
	if (code < 0)
		code = read_task(&task);
	if (code < 0) {
		task.verdict.seed = given.seed;
		task.verdict.resamples = (size_t)given.resamples;
		task.verdict.threads = (size_t)given.threads;
		task.verdict.argv = argv;
		task.verdict.argc = argc;
		code = open_and_run(&task, argc, argv, first);
	}
	release(&task);
	return code;
}
