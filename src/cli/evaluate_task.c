#include "cli/evaluate_task.h"
#include "report/learn.h"

#include "perennial/comparison.h"
#include "perennial/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCE "cgm"
#define RESAMPLES_MAX 1000000
#define THREADS_MAX 1024

static const double table_costs[] = { 0.05, 0.1, 0.15, 0.2, 0.3, 0.4 };

static void *room(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

static void join_defaults(struct cli_evaluate_task *task)
{
	const struct cli_evaluate_given *given = task->given;

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

/* The policies asked for, or those that are compared; under a budget not the yardsticks, which have no use for one. */
static void list_policies(struct cli_evaluate_task *task)
{
	const struct term_list *policies = &task->given->policies;
	const struct prn_policy_info *info;
	size_t online = 0, yardsticks = 0, n = 0;

	while (prn_policy_info(online))
		online++;
	while (prn_yardstick_info(yardsticks))
		yardsticks++;
	task->specifications = room(policies->count + online + yardsticks, sizeof *task->specifications);
	for (; n < policies->count; n++)
		task->specifications[n] = policies->items[n];
	for (size_t i = 0; !policies->count && (info = prn_policy_info(i)); i++)
		if (info->compared)
			task->specifications[n++] = info->name;
	for (size_t i = 0; !policies->count && !task->given->budgets.count && (info = prn_yardstick_info(i)); i++)
		if (info->compared)
			task->specifications[n++] = info->name;
	task->specification_count = n;
}

static int read_clock(struct cli_evaluate_task *task)
{
	const char *clock = task->given->clock;

	task->clock = clock && !strcmp(clock, "days") ? PRN_CLOCK_DAYS : PRN_CLOCK_STEPS;
	if (clock && strcmp(clock, "days") && strcmp(clock, "steps"))
		return term_usage_error(task->error, "--clock takes 'steps' or 'days', not '%s'", clock);
	return 0;
}

static int read_windows(struct cli_evaluate_task *task)
{
	const struct term_list *windows = &task->given->windows;
	struct report_verdict *verdict = &task->verdict;

	for (size_t i = 0; i < windows->count; i++) {
		int window = 0;

		while (window < PRN_WINDOWS && strcmp(windows->items[i], prn_window_name((enum prn_window)window)))
			window++;
		if (window == PRN_WINDOWS)
			return term_usage_error(task->error, "--window takes warm-up, steady or all, not '%s'",
			                       windows->items[i]);
		for (size_t j = 0; j < verdict->window_count; j++)
			if (verdict->windows[j] == (enum prn_window)window)
				return term_usage_error(task->error, "--window names %s twice", windows->items[i]);
		verdict->windows[verdict->window_count++] = (enum prn_window)window;
	}
	if (verdict->window_count)
		return 0;
	if (verdict->what == REPORT_VERDICT_TABLE)
		verdict->windows[verdict->window_count++] = PRN_WINDOW_WARM_UP;
	verdict->windows[verdict->window_count++] =
		verdict->what == REPORT_VERDICT_TABLE ? PRN_WINDOW_STEADY : PRN_WINDOW_ALL;
	return 0;
}

static int read_metrics(struct cli_evaluate_task *task)
{
	const struct term_list *metrics = &task->given->metrics;
	struct report_verdict *verdict = &task->verdict;

	for (size_t i = 0; i < metrics->count; i++) {
		int metric = 0;

		while (metric < PRN_METRICS && strcmp(metrics->items[i], prn_metric_name((enum prn_metric)metric)))
			metric++;
		if (metric == PRN_METRICS)
			return term_usage_error(task->error,
			                       "--metric takes fragment, holistic, age, harmonic or changes, not '%s'",
			                       metrics->items[i]);
		for (size_t j = 0; j < verdict->metric_count; j++)
			if (verdict->metrics[j] == (enum prn_metric)metric)
				return term_usage_error(task->error, "--metric names %s twice", metrics->items[i]);
		verdict->metrics[verdict->metric_count++] = (enum prn_metric)metric;
	}
	if (!verdict->metric_count)
		verdict->metric_count = 1; /* the first: fragment */
	if (verdict->metric_count > 1 && verdict->what != REPORT_VERDICT_ROWS)
		return term_usage_error(task->error, "--metric takes one to compare; several stand side by side in the rows "
		                                    "of --threshold, --period or --scale");
	return 0;
}

/* Settings that are plain numbers above 0. */
static int read_numbers(struct cli_evaluate_task *task, const char *option, const struct term_list *given,
                        struct cli_settings *settings)
{
	for (size_t i = 0; i < given->count; i++) {
		if (!(given->numbers[i] > 0))
			return term_usage_error(task->error, "--%s takes numbers above 0, not '%s'", option,
			                       given->items[i]);
		cli_settings_add(settings, given->numbers[i], false, NULL);
	}
	return 0;
}

static int read_thresholds(struct cli_evaluate_task *task)
{
	return read_numbers(task, "threshold", &task->given->thresholds, &task->settings[PRN_DIAL_THRESHOLD]);
}

static int read_scales(struct cli_evaluate_task *task)
{
	return read_numbers(task, "scale", &task->given->scales, &task->settings[PRN_DIAL_SCALE]);
}

static int read_budgets(struct cli_evaluate_task *task)
{
	const struct cli_evaluate_given *given = task->given;

	if (!given->budgets.count)
		return 0;
	if (given->thresholds.count || given->periods.count || given->scales.count)
		return term_usage_error(task->error, "--budget solves for thresholds, periods and scales: give it alone");
	return read_numbers(task, "budget", &given->budgets, &task->settings[CLI_BUDGETS]);
}

/* A bare number is in clock units, anything else is a duration. */
static int read_periods(struct cli_evaluate_task *task)
{
	const struct term_list *periods = &task->given->periods;

	for (size_t i = 0; i < periods->count; i++) {
		const char *text = periods->items[i];
		char *end;
		double value = strtod(text, &end);
		bool duration = *end;

		if ((duration && prn_duration_parse(text, &value)) || !(value > 0) || !isfinite(value))
			return term_usage_error(task->error,
			                       "--period takes numbers above 0, in clock units, or durations such as 6h "
			                       "or 2d, not '%s'",
			                       text);
		cli_settings_add(&task->settings[PRN_DIAL_PERIOD], value, duration, duration ? text : NULL);
	}
	return 0;
}

static int read_targets(struct cli_evaluate_task *task)
{
	const struct cli_evaluate_given *given = task->given;
	const struct term_list *targets = given->at_cost.count ? &given->at_cost : &given->at_staleness;
	struct report_verdict *verdict = &task->verdict;

	if (given->at_cost.count && given->at_staleness.count)
		return term_usage_error(task->error, "--at-cost and --at-staleness are two questions: ask one at a time");
	verdict->axis = given->at_staleness.count ? PRN_AXIS_STALENESS : PRN_AXIS_COST;
	verdict->targets = targets->numbers;
	verdict->target_count = targets->count;
	for (size_t i = 0; i < given->at_cost.count; i++)
		if (!(targets->numbers[i] >= 0) || targets->numbers[i] > 1)
			return term_usage_error(task->error, "--at-cost takes numbers from 0 to 1, not '%s'", targets->items[i]);
	for (size_t i = 0; i < given->at_staleness.count; i++)
		if (!(targets->numbers[i] >= 0))
			return term_usage_error(task->error, "--at-staleness takes numbers from 0 up, not '%s'",
			                       targets->items[i]);
	if (targets->count) {
		verdict->what = REPORT_VERDICT_TARGETS;
	} else if (given->thresholds.count || given->periods.count || given->scales.count || given->budgets.count) {
		verdict->what = REPORT_VERDICT_ROWS;
	} else {
		verdict->what = REPORT_VERDICT_TABLE;
		verdict->targets = table_costs;
		verdict->target_count = sizeof table_costs / sizeof *table_costs;
	}
	return 0;
}

/* Opens the policies once without pages, so that a slip in a specification is told before any work. */
static int check_policies(struct cli_evaluate_task *task)
{
	const char *defaults = task->defaults;
	struct cli_lineup lineup;
	bool found;

	if (cli_lineup_open(&lineup, task->specifications, task->specification_count, &defaults, 1, task->error))
		return term_usage_blame(task->error);
	task->verdict.ratio_to = task->given->ratio_to ? task->given->ratio_to : REFERENCE;
	found = cli_lineup_find(&lineup, task->verdict.ratio_to) != PRN_NO_REFERENCE;
	cli_lineup_release(&lineup);
	if (task->given->ratio_to && !found)
		return term_usage_error(task->error, "--ratio-to names '%s', which is not among the policies under test",
		                       task->given->ratio_to);
	return 0;
}

/* Everything that can be said before a file is opened. */
int cli_evaluate_task_read(struct cli_evaluate_task *task)
{
	struct cli_evaluate_given *given = task->given;
	int (*const steps[])(struct cli_evaluate_task *) = { read_clock,   read_targets, read_metrics, read_windows,
		                                read_thresholds, read_periods, read_scales, read_budgets, check_policies };

	if (term_format_parse(given->format, &task->verdict.format, task->error))
		return TERM_E_USAGE;
	if (!given->threads || given->threads > THREADS_MAX)
		return term_usage_error(task->error, "--threads takes 1 to %d", THREADS_MAX);
	if (given->resamples > RESAMPLES_MAX)
		return term_usage_error(task->error, "--bootstrap takes 0 to %d", RESAMPLES_MAX);
	join_defaults(task);
	list_policies(task);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		int code = steps[i](task);

		if (code)
			return code;
	}
	return 0;
}

void cli_evaluate_task_release(struct cli_evaluate_task *task)
{
	struct cli_evaluate_given *given = task->given;

	for (int i = 0; i < CLI_SETTINGS; i++)
		cli_settings_release(&task->settings[i]);
	free(task->defaults);
	free(task->specifications);
	term_list_release(&given->policies);
	term_list_release(&given->windows);
	term_list_release(&given->metrics);
	term_list_release(&given->thresholds);
	term_list_release(&given->periods);
	term_list_release(&given->scales);
	term_list_release(&given->budgets);
	term_list_release(&given->at_cost);
	term_list_release(&given->at_staleness);
	term_list_release(&given->learn);
	term_list_release(&given->plugins);
}
