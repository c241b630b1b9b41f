#include "base/buffer.h"
#include "base/parallel.h"
#include "cli/captures.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "term/table.h"
#include "term/ticker.h"
#include "perennial/outcome.h"
#include "perennial/source.h"
#include "perennial/time.h"
#include "serve/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMIT_MOST 1000   /* observations in a transaction */
#define COMMIT_WAIT_MS 50  /* none waits longer for its commit, or a slow stream would be acknowledged late */

/* What the command line says. */
struct given {
	struct cli_rules rules;
	const char *format_name;
	enum term_format format;
	bool has_time, quiet;
	int64_t time;
	uint64_t threads;
	size_t body_bytes_max;
	struct term_own stamp;
};

/* A decision that waits for its commit. */
struct pending {
	char *url;
	int64_t time;
	struct prn_outcome outcome;
};

struct run {
	const struct given *given;
	struct prn_decider *decider;
	struct cli_captures *captures;
	struct term_skipping skipping;
	struct term_ticker ticker;
	struct term_table *table; /* NULL: JSON lines, or nothing */
	struct pending pending[COMMIT_MOST];
	size_t pending_count;
	struct timespec deadline; /* of the first of them */
	uint64_t outcomes[PRN_OUTCOMES], observed, targets_refused;
};

static int print_json(const struct pending *pending)
{
	struct prn_buffer line = { 0 };
	int code = serve_json_outcome(&line, pending->url, pending->time, &pending->outcome);

	if (!code)
		fwrite(line.data, 1, line.length, stdout);
	prn_buffer_release(&line);
	return code;
}

static void print_row(struct term_table *table, const struct pending *pending)
{
	const struct prn_outcome *outcome = &pending->outcome;
	char next[PRN_TIME_TEXT] = "never";

	if (outcome->next != PRN_TIME_UNKNOWN)
		prn_time_format(outcome->next, next);
	term_table_text(table, pending->url);
	term_table_text(table, next);
	term_table_number(table, outcome->next == PRN_TIME_UNKNOWN ? NAN : outcome->period_s);
	term_table_number(table, outcome->divergence);
	term_table_number(table, outcome->utility);
	term_table_text(table, prn_next_name(outcome->reason));
}

/* Makes what is staged durable, and only then says it. */
static int commit(struct run *run, struct prn_error *error)
{
	int code = run->pending_count ? prn_decider_commit(run->decider, error) : 0;

	for (size_t i = 0; i < run->pending_count; i++) {
		if (!code && run->table)
			print_row(run->table, &run->pending[i]);
		else if (!code && !run->given->quiet)
			code = print_json(&run->pending[i]);
		free(run->pending[i].url);
	}
	run->pending_count = 0;
	if (!code && (fflush(stdout) || ferror(stdout)))
		code = prn_error_set(error, PRN_E_IO, "cannot write to standard output");
	return code;
}

static void set_deadline(struct timespec *deadline)
{
	clock_gettime(CLOCK_MONOTONIC, deadline);
	deadline->tv_nsec += COMMIT_WAIT_MS * 1000000L;
	deadline->tv_sec += deadline->tv_nsec / 1000000000;
	deadline->tv_nsec %= 1000000000;
}

static int keep(struct run *run, const struct prn_observation *observation, const struct prn_outcome *outcome)
{
	struct pending *pending = &run->pending[run->pending_count];

	if (!run->pending_count)
		set_deadline(&run->deadline);
	*pending = (struct pending){ strdup(observation->url), observation->time, *outcome };
	run->pending_count += pending->url != NULL;
	return pending->url ? 0 : PRN_E_MEMORY;
}

static void tell_refusal(struct run *run, const struct prn_observation *observation, const char *why)
{
	char time[PRN_TIME_TEXT];
	struct prn_error what;

	prn_error_set(&what, PRN_E_RANGE, "%.300s at %s: %s", observation->url, prn_time_format(observation->time, time),
	              why);
	term_skipping_tell(&run->skipping, &what);
}

static int observe(struct run *run, const struct prn_observation *observation, struct prn_error *error)
{
	int64_t now = cli_rules_now(&run->given->rules);
	struct prn_outcome outcome;
	int code = prn_decider_observe(run->decider, observation, now, &outcome, error);

	if (!code && outcome.kind == PRN_OUTCOME_STALE) {
		code = cli_captures_again(run->captures, error);
		if (!code)
			code = prn_decider_observe(run->decider, observation, now, &outcome, error);
	}
	if (code)
		return code;
	run->outcomes[outcome.kind]++;
	run->targets_refused += outcome.target_refused;
	term_ticker_show(&run->ticker, ++run->observed);
	if (outcome.kind == PRN_OUTCOME_FUTURE)
		tell_refusal(run, observation, "it is in the future (--now tells another time than the clock's)");
	if (outcome.kind == PRN_OUTCOME_PAST)
		tell_refusal(run, observation, "it is not after the page's last attempt");
	return prn_outcome_is_refusal(outcome.kind) ? 0 : keep(run, observation, &outcome);
}

static int observe_all(struct run *run, struct prn_error *error)
{
	const struct prn_observation *observation;
	int got, code = 0;

	do {
		bool full;

		got = cli_captures_next(run->captures, run->pending_count ? &run->deadline : NULL, &observation,
		                        error);
		if (got == 1)
			code = observe(run, observation, error);
		full = run->pending_count == COMMIT_MOST;
		/* At the end, at a lull, and when there is enough; also what came before a failure. */
		if (got != 1 || full || code) {
			int failed = commit(run, error);

			code = code ? code : failed;
		}
	} while (!code && got >= 0);
	return code ? code : got == PRN_E_CANCELLED ? 0 : got;
}

/* What was passed over that should have been taken. */
static bool say_counts(const struct run *run, const struct cli_captures_counts *skipped)
{
	uint64_t late = run->outcomes[PRN_OUTCOME_PAST], future = run->outcomes[PRN_OUTCOME_FUTURE];
	const char *before = "perennial observe: ";

	for (int kind = 0; kind < PRN_OUTCOMES; kind++)
		if (kind != PRN_OUTCOME_PAST && kind != PRN_OUTCOME_FUTURE)
			term_say_count(&before, run->outcomes[kind], prn_outcome_name((enum prn_outcome_kind)kind),
			              prn_outcome_name((enum prn_outcome_kind)kind));
	term_say_count(&before, late, "refused: not after its page's last attempt",
	              "refused: not after their page's last attempt");
	term_say_count(&before, future, "refused: in the future", "refused: in the future");
	term_say_count(&before, run->targets_refused,
	              "redirect whose target was not added (--redirects-per-host, --redirect-chain)",
	              "redirects whose targets were not added (--redirects-per-host, --redirect-chain)");
	term_say_count(&before, skipped->damaged, "damaged record", "damaged records");
	term_say_count(&before, skipped->unread, "body that cannot be read", "bodies that cannot be read");
	term_say_count(&before, skipped->cut, "body cut at --max-body", "bodies cut at --max-body");
	term_say_count(&before, skipped->ended, "source that ends early", "sources that end early");
	term_say_count(&before, skipped->unopened, "source that cannot be read", "sources that cannot be read");
	fputs(before[0] == 'p' ? "perennial observe: nothing to observe\n" : "\n", stderr);
	return late || future || skipped->damaged || skipped->unread || skipped->cut || skipped->ended ||
	       skipped->unopened;
}

static int feed(struct run *run, char *const *paths, size_t count, struct prn_error *error)
{
	const struct given *given = run->given;
	const struct cli_captures_options options = { .decider = run->decider,
		                                      .rules = &given->rules,
		                                      .paths = paths,
		                                      .count = count,
		                                      .has_time = given->has_time,
		                                      .time = given->time,
		                                      .body_bytes_max = given->body_bytes_max,
		                                      .threads = given->threads,
		                                      .skipping = &run->skipping };
	struct cli_captures_counts skipped;
	int code = cli_captures_open(&run->captures, &options);

	if (!code)
		code = observe_all(run, error);
	term_ticker_clear(&run->ticker);
	if (!code && run->table && term_table_close(run->table, NULL))
		code = prn_error_set(error, PRN_E_IO, "cannot write to standard output");
	if (code)
		return code;
	skipped = cli_captures_counts(run->captures);
	cli_captures_free(run->captures);
	if (!say_counts(run, &skipped))
		return TERM_DONE;
	return skipped.unopened < count ? TERM_SKIPPED : TERM_FAILED;
}

static int run_all(const struct given *given, char *const *paths, size_t count)
{
	static const struct term_column columns[] = {
		{ "url", TERM_COLUMN_TEXT, 0 },       { "next_time", TERM_COLUMN_TEXT, 0 },
		{ "period_s", TERM_COLUMN_NUMBER, 0 }, { "divergence", TERM_COLUMN_NUMBER, 4 },
		{ "utility", TERM_COLUMN_NUMBER, 4 }, { "reason", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct run *run = calloc(1, sizeof *run);
	struct prn_error error = { 0 };
	int code;

	if (!run)
		return term_fail("observe", PRN_E_MEMORY, &error);
	run->given = given;
	term_skipping_init(&run->skipping, "observe");
	term_ticker_begin(&run->ticker, "observe", "captures");
	/* Decisions that run down the same terminal are progress enough. */
	if (!run->given->quiet && given->format != TERM_FORMAT_TABLE && isatty(STDOUT_FILENO))
		run->ticker.shown = false;
	code = cli_decider_open("observe", &given->rules, PRN_STORE_WRITE, &run->decider, &error);
	if (!code && !given->quiet && given->format != TERM_FORMAT_JSON)
		run->table = term_table_open(given->format, columns);
	if (!code)
		code = feed(run, paths, count, &error);
	/* Threads may still wait for input, and look at what would be freed: the process ends, and they with it. */
	if (code < 0)
		exit(term_fail("observe", code, &error));
	prn_decider_free(run->decider);
	term_skipping_release(&run->skipping);
	free(run);
	return code;
}

static bool take_stamp(void *context, const char *value)
{
	struct given *given = context;

	given->has_time = !prn_time_parse(value, &given->time);
	return given->has_time;
}

int cli_observe(int argc, char **argv)
{
	static char standard_input[] = "-", *const no_paths[] = { standard_input };
	struct given given = { .threads = prn_parallel_processors(), .body_bytes_max = PRN_BODY_BYTES };
	struct term_option keys[CLI_RULES_KEYS];
	const struct term_option options[] = {
		CLI_RULES_STATE(&given.rules),
		{ TERM_OPTION_TEXT, "format", 0, &given.format_name, "table|tsv|json",
		  "default: table on a terminal, else tsv" },
		{ TERM_OPTION_FLAG, "quiet", 'q', &given.quiet, NULL, "no decisions, only the counts" },
		CLI_RULES_NOW(&given.rules),
		{ TERM_OPTION_OWN, "time", 0, &given.stamp, "TIME", "of every capture, whatever they say" },
		{ TERM_OPTION_BYTES, "max-body", 0, &given.body_bytes_max, "BYTES", "cut longer bodies here (default 16M)" },
		{ TERM_OPTION_COUNT, "threads", 0, &given.threads, "N", "that read bodies (default: all processors)" },
		CLI_RULES_LOCK(&given.rules),
		CLI_RULES_CONFIG(keys),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_ATTEMPTS(&given.rules),
		CLI_RULES_INTERVALS(&given.rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"observe", "--state=DIR [OPTION]… [SRC…]",
		"Feeds captures to the decider: WARC files, folders of snapshots or JSON lines, or what comes on\n"
		"standard input.  Prints a decision for each: the page's next visit, the period until then, how far\n"
		"it had moved, the utility that the next visit will have, and what set its time.  What is printed\n"
		"is durable.",
		options,
	};
	int first, code;

	cli_rules_init(&given.rules);
	cli_rules_keys(&given.rules, keys);
	given.stamp = (struct term_own){ take_stamp, &given, "a time, such as 2026-05-10T12:00:00Z" };
	code = term_options_parse(&usage, argc, argv, &first);
	if (code < 0)
		code = cli_rules_finish(&given.rules, &usage);
	if (code < 0 && term_format_parse(given.format_name, &given.format))
		code = term_usage_error(&usage, "--format takes table, tsv or json, not '%s'", given.format_name);
	if (code < 0 && (given.threads < 1 || given.threads > 256))
		code = term_usage_error(&usage, "--threads takes 1 to 256");
	if (code < 0 && !given.body_bytes_max)
		code = term_usage_error(&usage, "--max-body takes at least 1");
	if (code < 0)
		code = first < argc ? run_all(&given, argv + first, (size_t)(argc - first))
		                    : run_all(&given, no_paths, 1);
	cli_rules_release(&given.rules);
	return code;
}
