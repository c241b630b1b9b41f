#include "cli/command.h"
#include "cli/plugins.h"
#include "cli/evaluate_task.h"
#include "report/learn.h"
#include "term/page_progress.h"
#include "base/parallel.h"
#include "perennial/evaluation.h"

#include <stdio.h>
#include <stdlib.h>

#define RESAMPLES 1000

static void *room(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

/* Evaluates and prints.  Returns 0, or a negative code with *error. */
static int run(struct cli_evaluate_task *task, struct prn_error *error)
{
	char **defaults = room(task->inputs.count, sizeof *defaults);
	struct prn_evaluation *evaluation = NULL;
	struct cli_lineup lineup = { 0 };
	struct prn_trace_pool pool = { 0 };
	struct term_page_progress progress;
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
		term_page_progress_begin(&progress, "evaluate", &pages);
		code = prn_evaluation_run(&evaluation, &pages, lineup.sweeps, lineup.count, task->clock,
		                          (size_t)task->given->threads, error);
		term_page_progress_end(&progress, &pages);
	}
	if (!code)
		code = report_verdict_print(&task->verdict, evaluation, &lineup, error);
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

static int open_and_run(struct cli_evaluate_task *task, int argc, char **argv, int first, struct prn_error *error)
{
	int code = term_inputs_open(&task->inputs, argv + first, (size_t)(argc - first), (size_t)task->given->threads,
	                            error);
	int skipped = task->inputs.skipped ? TERM_SKIPPED : TERM_DONE;

	if (!code)
		code = run(task, error);
	term_inputs_release(&task->inputs);
	if (!code)
		return skipped;
	return code;
}

static const char about[] =
	"Replays policies over the page histories of traces (or WARC files, or folders, imported on the fly), pooled,\n"
	"and tells how stale the copies are (mean divergence over time) at what cost (visits per page and capture).\n"
	"Without any of --threshold, --period, --scale, --budget, --at-cost, --at-staleness it chooses a sweep and\n"
	"prints a table of staleness at equal cost, with the ratio to cgm (or another policy).  'perennial policies'\n"
	"lists the policies and their keys.";

int cli_evaluate(int argc, char **argv, struct prn_error *error)
{
	struct cli_evaluate_given given = { .seed = 1, .resamples = RESAMPLES, .threads = prn_parallel_processors() };
	const struct term_option options[] = {
		{ TERM_OPTION_HEADING, "Policies", 0, NULL, NULL, NULL },
		{ TERM_OPTION_LIST, "policy", 'p', &given.policies, "A,B:key=v,…",
		  "policies under test (default: the published ones, drift and fs-s)" },
		CLI_PLUGINS_ROW(&given.plugins),
		{ TERM_OPTION_TEXT, "history", 0, &given.history, "H", "history=H for the policies that have the key" },
		{ TERM_OPTION_TEXT, "learning", 0, &given.learning, "L", "learning=L likewise; '2T' ties it to T" },
		{ TERM_OPTION_TEXT, "risk", 0, &given.risk, "RHO", "risk=RHO likewise; 'none' for no bound" },
		{ TERM_OPTION_TEXT, "summary", 0, &given.summary, "M", "summary=M likewise; 'all' for exact divergences" },
		{ TERM_OPTION_LIST, "learn-prior", 0, &given.learn, "X.trace",
		  "learn alpha and beta there; repeatable; a corpus under test never learns from itself" },
		{ TERM_OPTION_HEADING, "Sweep", 0, NULL, NULL, NULL },
		{ TERM_OPTION_NUMBERS, "threshold", 't', &given.thresholds, "T,…", "thresholds, divergence x clock units" },
		{ TERM_OPTION_LIST, "period", 0, &given.periods, "P,…", "periods of uniform: clock units, or durations" },
		{ TERM_OPTION_NUMBERS, "scale", 0, &given.scales, "S,…",
		  "scales of the policies that have one: a factor on all their periods" },
		{ TERM_OPTION_NUMBERS, "budget", 'b', &given.budgets, "B,…",
		  "instead: visits per page and clock unit, for which the dial is solved again and again" },
		{ TERM_OPTION_TEXT, "clock", 0, &given.clock, "steps|days",
		  "clock unit: a page's mean capture interval (default), or a day" },
		{ TERM_OPTION_HEADING, "Output", 0, NULL, NULL, NULL },
		{ TERM_OPTION_LIST, "window", 'w', &given.windows, "W,…",
		  "warm-up, steady, all (default: all; for the table, warm-up,steady)" },
		{ TERM_OPTION_LIST, "metric", 'm', &given.metrics, "M,…",
		  "fragment (default), holistic, age, harmonic or changes: what is told beside cost" },
		{ TERM_OPTION_NUMBERS, "at-cost", 0, &given.at_cost, "C,…",
		  "the metric at these costs, with 95 % intervals" },
		{ TERM_OPTION_NUMBERS, "at-staleness", 0, &given.at_staleness, "S,…", "cost at these values of the metric" },
		{ TERM_OPTION_TEXT, "ratio-to", 0, &given.ratio_to, "POLICY", "what the table's ratios are to (default: cgm)" },
		{ TERM_OPTION_COUNT, "bootstrap", 0, &given.resamples, "N", "resamples behind the intervals (default 1000)" },
		{ TERM_OPTION_COUNT, "seed", 0, &given.seed, "N", "seed of the resampling (default 1)" },
		{ TERM_OPTION_TEXT, "format", 0, &given.format, "table|tsv|json", "default: table on a terminal, else tsv" },
		{ TERM_OPTION_COUNT, "threads", 0, &given.threads, "N", "default: all processors; results are the same" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = { "evaluate", "[OPTION]… X.trace…", about, options };
	struct cli_evaluate_task task = { .error = error, .given = &given };
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code && first == argc)
		code = term_usage_error(error, "names no trace to evaluate on");
	if (!code)
		code = cli_plugins_load(&given.plugins, error);
	if (!code)
		code = cli_evaluate_task_read(&task);
	if (!code) {
		task.verdict.seed = given.seed;
		task.verdict.resamples = (size_t)given.resamples;
		task.verdict.threads = (size_t)given.threads;
		task.verdict.argv = argv;
		task.verdict.argc = argc;
		code = open_and_run(&task, argc, argv, first, error);
	}
	cli_evaluate_task_release(&task);
	return code;
}
