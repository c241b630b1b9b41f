#include "archive/passed.h"
#include "base/buffer.h"
#include "base/parallel.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/keeping.h"
#include "history/import_internal.h"
#include "term/filtering.h"
#include "term/skipping.h"
#include "term/table.h"
#include "term/progress.h"
#include "perennial/feed.h"
#include "perennial/time.h"
#include "serve/json.h"
#include "serve/keeping.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARED_COMMIT 1000 /* captures in a group, which is decided again if another writer was faster */

/* What the command line says. */
struct observe_options {
	struct cli_rules rules;
	const char *format_name;
	enum term_format format;
	bool has_time, quiet, strict;
	int64_t time;
	uint64_t threads;
	size_t body_bytes_max;
	struct term_own stamp;
	struct term_filter filter;
	enum prn_digests digests;
	struct cli_keeping keeping;
};

/* One run of the command.  What is printed and counted belongs to the feed's thread until the feed is finished. */
struct observe_run {
	const struct observe_options *given;
	struct prn_feed *feed;
	struct term_skipping skipping;
	struct term_progress progress;
	struct term_table *table; /* NULL: JSON lines, or nothing */
	uint64_t outcomes[PRN_OUTCOMES], observed, targets_refused, anew, hints, pages_hinted;
	uint64_t parts[PRN_CUTS]; /* pages of whose markup only a part was read */

	/*
	 * Of the sources: damaged records and lines, bodies that cannot be read, bodies cut at --max-body, sources that end
	 * early or cannot be opened.
	 */
	uint64_t damaged, unread, cut, ended, unopened;
	uint64_t shortened, cut_short; /* bodies of which archives have a part; transfers that were cut short */
	uint64_t mismatched; /* digests that are not those of their records */
	struct prn_source_counts passed; /* what the sources passed over; only these counts are set */
	uint64_t records, captures;
	uint64_t other_media; /* captures of unknown pages that are not added because of their media type */
	uint64_t zoneless; /* times without a zone */

	uint64_t lost; /* reports of shards that are damaged or gone */

	struct keep *keep; /* NULL: no bodies are kept */
	uint64_t unkept;   /* bodies that could not be kept */

	sigset_t signals;
	atomic_int signal; /* the signal that ends the run; 0: none came */
};

static int64_t now(void *context)
{
	return cli_rules_now(&((struct observe_run *)context)->given->rules);
}

static int print_json(const struct prn_fed *fed)
{
	struct prn_buffer line = { 0 };
	int code = serve_json_outcome(&line, fed->observation->url, fed->observation->time, &fed->outcome);

	if (!code)
		fwrite(line.data, 1, line.length, stdout);
	prn_buffer_release(&line);
	return code;
}

static void print_row(struct term_table *table, const struct prn_fed *fed)
{
	const struct prn_outcome *outcome = &fed->outcome;
	char next[PRN_TIME_TEXT] = "never";

	if (outcome->next != PRN_TIME_UNKNOWN)
		prn_time_format(outcome->next, next);
	term_table_text(table, fed->observation->url);
	term_table_text(table, next);
	term_table_number(table, outcome->next == PRN_TIME_UNKNOWN ? NAN : outcome->period_s);
	term_table_number(table, outcome->divergence);
	term_table_number(table, outcome->utility);
	term_table_text(table, prn_next_name(outcome->reason));
}

static void print_refusal(struct observe_run *run, const struct prn_observation *observation, const char *why)
{
	char time[PRN_TIME_TEXT];
	struct prn_error what;

	prn_error_set(&what, PRN_E_ARGUMENT, "%.300s at %s: %s", observation->url, prn_time_format(observation->time, time),
	              why);
	term_skipping_print(&run->skipping, &what);
}

/* A body that cannot be kept is reported; its capture is observed all the same. */
static void print_unkept(void *context, const struct prn_error *why)
{
	struct observe_run *run = context;

	run->unkept++;
	term_skipping_print(&run->skipping, why);
}

static int deliver_one(struct observe_run *run, const struct prn_fed *fed)
{
	enum prn_outcome_kind kind = fed->outcome.kind;

	if (fed->fault) {
		run->lost += fed->lost;
		term_skipping_print(&run->skipping, fed->fault);
		return 0;
	}
	if (kind == PRN_OUTCOME_UNKNOWN && fed->observation->other_media && !run->given->rules.decider.known_only)
		run->other_media++;
	else
		run->outcomes[kind]++;
	run->targets_refused += fed->outcome.target_refused;
	run->anew += fed->outcome.anew;
	for (unsigned i = 0; i < PRN_CUTS; i++)
		run->parts[i] += fed->outcome.cut >> i & 1;
	run->hints += fed->outcome.hints;
	run->pages_hinted += fed->outcome.pages_hinted;
	term_progress_show(&run->progress, "%" PRIu64 " captures", ++run->observed);
	if (kind == PRN_OUTCOME_FUTURE)
		print_refusal(run, fed->observation, "it is in the future (--now tells another time than the clock's)");
	if (kind == PRN_OUTCOME_UNRESOLVED)
		print_refusal(run, fed->observation, "a revisit of a capture whose content is not known: it is not in the sources before it");
	/*
	 * An archive that is observed for a second time is full of these: with --strict, which says that it is the first
	 * time, they are reported.
	 */
	if (kind == PRN_OUTCOME_PAST && run->given->strict)
		print_refusal(run, fed->observation, "it is from before the page's last attempt");
	if (prn_outcome_is_refusal(kind) || run->given->quiet)
		return 0;
	if (!run->table)
		return print_json(fed);
	print_row(run->table, fed);
	return 0;
}

/* Only what is durable may be printed, and here it is. */
static int deliver(void *context, const struct prn_fed *fed, size_t count, struct prn_error *error)
{
	struct observe_run *run = context;
	int code = run->keep ? serve_keeping_put(run->keep, fed, count, print_unkept, run, error) : 0;

	if (code)
		return code;
	for (size_t i = 0; i < count; i++)
		if (deliver_one(context, &fed[i]))
			return prn_error_memory(error);
	if (fflush(stdout) || ferror(stdout))
		return prn_error_set(error, PRN_E_IO, "cannot write to standard output");
	return 0;
}

/* Reports the counts of the run.  Returns true if something was passed over that should have been taken. */
static bool say_counts(const struct observe_run *run)
{
	uint64_t late = run->outcomes[PRN_OUTCOME_PAST], future = run->outcomes[PRN_OUTCOME_FUTURE],
	         unresolved = run->outcomes[PRN_OUTCOME_UNRESOLVED];
	const char *before = "perennial observe: ";

	for (int kind = 0; kind < PRN_OUTCOMES; kind++)
		if (kind != PRN_OUTCOME_PAST && kind != PRN_OUTCOME_FUTURE && kind != PRN_OUTCOME_UNRESOLVED)
			term_say_count(&before, run->outcomes[kind], prn_outcome_name((enum prn_outcome_kind)kind),
			              prn_outcome_name((enum prn_outcome_kind)kind));
	term_say_count(&before, late, "capture from before its page's last attempt", "captures from before a page's last attempt");
	term_say_count(&before, future, "refused: in the future", "refused: in the future");
	term_say_count(&before, unresolved, "revisit of what is not known", "revisits of what is not known");
	term_say_count(&before, run->targets_refused,
	               "redirect whose target was not added (--redirects-per-host, --redirect-chain)",
	               "redirects whose targets were not added (--redirects-per-host, --redirect-chain)");
	term_say_count(&before, run->anew, "page that could not be read and begins anew", "pages that could not be read and begin anew");
	term_say_count(&before, run->hints, "hint", "hints");
	term_say_count(&before, run->pages_hinted, "page that a hint added", "pages that hints added");
	term_say_count(&before, run->other_media, "that would be a new page, but is none by its media type (--media=all takes it)",
	               "that would be new pages, but are none by their media types (--media=all takes them)");
	term_say_count(&before, run->passed.filtered - run->passed.other_media, "capture filtered out", "captures filtered out");
	term_say_cut(&before, run->parts);
	term_say_count(&before, run->cut_short, "transfer cut short, an error", "transfers cut short, which are errors");
	term_say_zoneless(&before, run->zoneless);
	term_say_count(&before, run->damaged, "record or file that cannot be read", "records or files that cannot be read");
	term_say_count(&before, run->unread, "body that cannot be read", "bodies that cannot be read");
	term_say_count(&before, run->mismatched, "digest that is not that of its record, which was taken as it is",
	               "digests that are not those of their records, which were taken as they are");
	term_say_count(&before, run->shortened, "body that its archive has in part (WARC-Truncated)",
	               "bodies that their archives have in part (WARC-Truncated)");
	term_say_count(&before, run->cut, "body cut at --max-body", "bodies cut at --max-body");
	term_say_count(&before, run->lost, "not taken: its shard is damaged or gone", "not taken: their shards are damaged or gone");
	term_say_count(&before, run->unkept, "body not kept (--keep-bodies)", "bodies not kept (--keep-bodies)");
	term_say_count(&before, run->ended, "source that ends early", "sources that end early");
	term_say_count(&before, run->unopened, "source that cannot be read", "sources that cannot be read");
	fputs(before[0] == 'p' ? "perennial observe: nothing to observe\n" : "\n", stderr);
	term_say_passed("observe", &run->passed, !run->captures);
	return (run->records && !run->captures && !run->passed.filtered) || (late && run->given->strict) || future || unresolved || run->damaged || run->mismatched || run->unread || run->cut || run->shortened || run->ended || run->unopened || run->lost || run->unkept;
}

/* A fault of a source is reported in its turn, and the next source is read; other codes end the run. */
static int feed_source(struct observe_run *run, const char *path, struct prn_error *error)
{
	struct prn_source_options options = { .body_bytes_max = run->given->body_bytes_max,
		                              .has_time = true,
		                              .time = PRN_TIME_UNKNOWN,
		                              .digests = run->given->digests,
		                              .git_base = run->given->filter.git_base,
		                              .filter = term_filter_make(&run->given->filter) };
	struct prn_source *source;
	uint64_t *count = &run->unopened;
	int code;

	/* A known page is observed whatever its media type has become. */
	if (!run->given->filter.media.count)
		options.filter.media_count = 0;
	prn_feed_watch(run->feed, &options);
	if (prn_importer_is_trace(path))
		code = prn_error_set(error, PRN_E_UNSUPPORTED, "%s: observe takes no traces: they keep no text", path);
	else
		code = prn_source_open(&source, path, &options, error);
	if (!code) {
		const struct prn_source_counts *counts = prn_source_counts(source);

		code = prn_feed_source(run->feed, source, error);
		run->damaged += counts->damaged;
		run->unread += counts->unread;
		run->cut += counts->cut - counts->shortened;
		run->shortened += counts->shortened;
		run->cut_short += counts->cut_short;
		run->mismatched += counts->mismatched;
		run->zoneless += counts->zoneless;
		run->records += counts->records;
		run->captures += counts->captures;
		run->passed.filtered += counts->filtered;
		run->passed.other_media += counts->other_media;
		run->passed.ignored += counts->ignored;
		prn_passed_join(run->passed.passed, counts->passed);
		count = &run->ended;
		prn_source_free(source);
	}
	if (!code || code == PRN_E_MEMORY || code == PRN_E_CANCELLED)
		return code;
	++*count;
	prn_feed_fault(run->feed, error);
	return 0;
}

/* Ends the process by the signal, so that its parent, such as a loop in a shell, sees that. */
static void end_by(int number)
{
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, number);
	signal(number, SIG_DFL);
	pthread_sigmask(SIG_UNBLOCK, &only, NULL);
	raise(number);
}

/*
 * The person who interrupts the command is to learn how far it came.  The first signal cancels the feed and wakes it wherever
 * it waits; a second one ends the process at once, because the feed may be waiting for a file that never opens.
 */
static void *await_signal(void *argument)
{
	struct observe_run *run = argument;
	int number, before;

	while (sigwait(&run->signals, &number))
		;
	run->signal = number;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	prn_feed_cancel(run->feed);
	pthread_setcancelstate(before, NULL);
	while (sigwait(&run->signals, &number))
		;
	end_by(number);
	return NULL;
}

static int feed_all(struct observe_run *run, struct prn_decider *decider, char *const *paths, size_t count,
                    struct prn_error *error)
{
	const struct observe_options *given = run->given;
	struct prn_feed_options options;
	struct prn_error why = { 0 };
	pthread_t watcher;
	bool watched;
	int code, finished;

	prn_feed_options_init(&options);
	options.threads = given->threads;
	if (prn_store_is_shared(prn_decider_store(decider)))
		options.commit_most = SHARED_COMMIT;
	options.has_time = given->has_time;
	options.time = given->time;
	options.now = now;
	options.bodies = run->keep != NULL;
	options.deliver = deliver;
	options.context = run;
	code = prn_feed_open(&run->feed, decider, &options, error);
	if (code)
		return code;
	watched = !pthread_create(&watcher, NULL, await_signal, run);
	if (!watched)
		pthread_sigmask(SIG_UNBLOCK, &run->signals, NULL);
	for (size_t i = 0; i < count && !code; i++)
		code = feed_source(run, paths[i], error);
	/* The feed is finished even if memory ran out: what was read is good. */
	finished = prn_feed_finish(run->feed, &why);
	if (watched) {
		pthread_cancel(watcher);
		pthread_join(watcher, NULL);
	}
	prn_feed_free(run->feed);
	if (finished)
		*error = why;
	return finished ? finished : code;
}

/* A signal that is ignored, as in the background of a script, stays ignored. */
static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) || action.sa_handler == SIG_IGN;
}

/* Feeds while signals are watched.  The feed's threads are made in this time, and must not receive them. */
static int feed_watched(struct observe_run *run, struct prn_decider *decider, char *const *paths, size_t count,
                        struct prn_error *error)
{
	sigset_t before;
	int code;

	sigemptyset(&run->signals);
	if (!is_ignored(SIGINT))
		sigaddset(&run->signals, SIGINT);
	if (!is_ignored(SIGTERM))
		sigaddset(&run->signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &run->signals, &before);
	code = feed_all(run, decider, paths, count, error);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return code;
}

static int observe_sources(const struct observe_options *given, char *const *paths, size_t count, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "url", TERM_COLUMN_URL, 0 },       { "next_time", TERM_COLUMN_TEXT, 0 },
		{ "period_s", TERM_COLUMN_NUMBER, 0 }, { "divergence", TERM_COLUMN_NUMBER, 4 },
		{ "utility", TERM_COLUMN_NUMBER, 4 }, { "reason", TERM_COLUMN_TEXT, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct observe_run run = { .given = given };
	struct prn_decider *decider = NULL;
	int code, closed;

	term_progress_begin(&run.progress, "observe");
	term_skipping_init(&run.skipping, "observe", &run.progress);
	/* Decisions printed on the same terminal already show the progress. */
	if (!given->quiet && given->format != TERM_FORMAT_TABLE && isatty(STDOUT_FILENO))
		run.progress.wanted = false;
	cli_await_input(&given->rules, paths, count);
	code = cli_decider_open_or_make("observe", &given->rules, &decider, error);
	if (!code)
		code = cli_keeping_open(&given->keeping, given->rules.store_name, false, &run.keep, error);
	if (!code && !given->quiet && given->format != TERM_FORMAT_JSON)
		run.table = term_table_open(given->format, columns);
	if (!code)
		code = feed_watched(&run, decider, paths, count, error);
	term_progress_end(&run.progress);
	/* The table is closed after a failure too: its rows are durable. */
	closed = run.table ? term_table_close(run.table, NULL, code ? NULL : error) : 0;
	code = code ? code : closed;
	if (run.signal)
		say_counts(&run);
	else if (!code && say_counts(&run))
		code = run.unopened < count ? TERM_SKIPPED : TERM_FAILED;
	prn_decider_free(decider);
	keep_free(run.keep);
	term_skipping_release(&run.skipping);
	if (run.signal)
		end_by(run.signal);
	return code;
}

static int parse_stamp(void *context, const char *value)
{
	struct observe_options *given = context;

	given->has_time = !prn_time_parse(value, &given->time);
	return given->has_time ? 0 : PRN_E_INPUT;
}

int cli_observe(int argc, char **argv, struct prn_error *error)
{
	static char standard_input[] = "-", *const no_paths[] = { standard_input };
	struct observe_options given = { .threads = prn_parallel_processors(), .body_bytes_max = PRN_BODY_BYTES,
		                         .filter = TERM_FILTER_NONE };
	struct term_own digests = TERM_DIGESTS(&given.digests);
	const struct term_option options[] = {
		CLI_RULES_STATE(&given.rules),
		CLI_RULES_CREATE(&given.rules),
		CLI_RULES_FRAGMENTS(&given.rules),
		{ TERM_OPTION_TEXT, "format", 0, &given.format_name, TERM_FORMATS,
		  "default: table on a terminal, else tsv" },
		{ TERM_OPTION_FLAG, "quiet", 'q', &given.quiet, NULL, "no decisions, only the counts" },
		{ TERM_OPTION_FLAG, "strict", 0, &given.strict, NULL, "a capture from before its page's last attempt is a fault" },
		CLI_RULES_NOW(&given.rules),
		{ TERM_OPTION_OWN, "time", 0, &given.stamp, "TIME", "of every capture, whatever they say" },
		{ TERM_OPTION_BYTES, "max-body", 0, &given.body_bytes_max, "BYTES", "cut longer bodies here (default 16M)" },
		{ TERM_OPTION_COUNT, "threads", 0, &given.threads, "N", "that read bodies (default: all processors)" },
		CLI_RULES_LOCK(&given.rules),
		CLI_RULES_CONFIG(&given.rules),
		TERM_DIGESTS_ROW(&digests),
		TERM_GIT_BASE_ROW(&given.filter),
		TERM_FILTER_ROWS(&given.filter),
		CLI_KEEPING_ROWS(&given.keeping),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_ATTEMPTS(&given.rules),
		CLI_RULES_HINTS(&given.rules),
		CLI_RULES_INTERVALS(&given.rules),
		CLI_RULES_HOSTS(&given.rules),
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

	cli_keeping_init(&given.keeping);
	given.stamp = (struct term_own){ parse_stamp, &given, "a time, such as 2026-05-10T12:00:00Z" };
	code = cli_rules_parse(&given.rules, &usage, argc, argv, &first, error);
	if (!code)
		code = term_format_parse(given.format_name, &given.format, error);
	if (!code && (given.threads < 1 || given.threads > 256))
		code = term_usage_error(error, "--threads takes 1 to 256");
	if (!code)
		code = term_filter_check(&given.filter, error);
	if (!code)
		code = cli_keeping_check(&given.keeping, given.rules.store_name, false, error);
	given.rules.decider.media_of_pages = !given.filter.media.count;
	if (!code && !given.body_bytes_max)
		code = term_usage_error(error, "--max-body takes at least 1");
	if (!code)
		code = first < argc ? observe_sources(&given, argv + first, (size_t)(argc - first), error)
		                    : observe_sources(&given, no_paths, 1, error);
	cli_rules_release(&given.rules);
	term_filter_release(&given.filter);
	return code;
}
