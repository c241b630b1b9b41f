/*
 * What `perennial evaluate` is asked to do: its command line, read before any file is opened.
 */
#ifndef CLI_EVALUATE_TASK_H
#define CLI_EVALUATE_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "term/inputs.h"
#include "report/lineup.h"
#include "term/options.h"
#include "report/verdict.h"

/* What the command line says, as it says it. */
struct cli_evaluate_given {
	struct term_list policies, windows, thresholds, periods, scales, budgets, metrics, at_cost, at_staleness, learn,
		plugins;
	const char *clock, *format, *ratio_to;
	const char *history, *learning, *risk, *summary;
	uint64_t seed, resamples, threads;
};

/* And what it means. */
struct cli_evaluate_task {
	struct prn_error *error; /* for what is wrong with the command line */
	struct cli_evaluate_given *given;
	enum prn_clock clock;
	struct report_verdict verdict; /* what to print and how */
	char *defaults;             /* the global options, as prn_policy_open takes them */
	const char **specifications;
	size_t specification_count;
	struct cli_settings settings[CLI_SETTINGS];
	struct term_inputs inputs;
};

/*
 * Makes sense of task->given; what it points to stays there.
 *
 * TERM_E_USAGE	it makes none: *task->error says what is wrong
 */
int cli_evaluate_task_read(struct cli_evaluate_task *task);

/* Releases the lists of task->given and all that was made of them; the inputs have been released before. */
void cli_evaluate_task_release(struct cli_evaluate_task *task);

#endif
