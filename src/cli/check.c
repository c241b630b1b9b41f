#include "cli/command.h"
#include "term/options.h"
#include "term/table.h"

#include "perennial/store.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct request {
	const char *state;
	bool repair;
	double lock_wait_s;
	enum term_format format;
};

/* How far it is, on a terminal, when it takes its time. */
struct watch {
	struct timespec next; /* when to draw */
	bool drawn;
};

#define QUIET_S 1
#define DRAW_S 1

static void draw_later(struct watch *watch, int seconds)
{
	clock_gettime(CLOCK_MONOTONIC, &watch->next);
	watch->next.tv_sec += seconds;
}

static void draw(void *context, double share)
{
	struct watch *watch = context;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec < watch->next.tv_sec || (now.tv_sec == watch->next.tv_sec && now.tv_nsec < watch->next.tv_nsec))
		return;
	fprintf(stderr, "\rperennial check: %.0f %%\033[K", 100 * share);
	watch->drawn = true;
	draw_later(watch, DRAW_S);
}

static void clear(struct watch *watch)
{
	if (watch->drawn)
		fputs("\r\033[K", stderr);
	watch->drawn = false;
}

static void print_fault(void *context, const struct prn_error *what)
{
	clear(context);
	fprintf(stderr, "perennial check: %s\n", what->text);
}

static void row(struct term_table *table, const char *what, uint64_t count)
{
	term_table_text(table, what);
	term_table_count(table, count);
}

static int print_findings(const struct request *request, const struct prn_store_findings *found, uint64_t faults)
{
	static const struct term_column columns[] = {
		{ "what", TERM_COLUMN_TEXT, 0 }, { "count", TERM_COLUMN_COUNT, 0 }, { NULL, TERM_COLUMN_TEXT, 0 }
	};
	struct term_table *table = term_table_open(request->format, columns);

	row(table, "pages", found->pages);
	row(table, "queued pages", found->queued);
	row(table, "pages that are damaged", found->unreadable);
	row(table, "pages missing from their queue", found->unqueued);
	row(table, "queue entries without their page", found->stray);
	row(table, "suspect bodies without a page", found->stray_suspects);
	if (found->disordered)
		row(table, "tables out of order", found->disordered);
	row(table, "repaired", found->repaired);
	return term_table_close(table, !faults           ? "no faults"
	                              : found->disordered ? "tables that are out of order are not mended: restore a backup"
	                              : request->repair ? "repaired"
	                                                : "'perennial check --repair' brings these in line with the pages");
}

static int check(const struct request *request)
{
	struct watch watch = { .drawn = false };
	const struct prn_store_check_options options = { .repair = request->repair,
		                                         .report = print_fault,
		                                         .progress = isatty(STDERR_FILENO) ? draw : NULL,
		                                         .context = &watch };
	struct prn_store_findings found;
	struct prn_error error = { 0 };
	struct prn_store *store;
	uint64_t faults;
	int failed = prn_store_open(&store, request->state, request->repair ? PRN_STORE_WRITE : PRN_STORE_READ,
	                            request->lock_wait_s, &error);

	if (failed)
		return term_fail("check", failed, &error);
	draw_later(&watch, QUIET_S);
	failed = prn_store_check(store, &options, &found, &error);
	clear(&watch);
	prn_store_free(store);
	if (failed)
		return term_fail("check", failed, &error);
	faults = found.unreadable + found.unqueued + found.stray + found.stray_suspects + found.disordered;
	if (print_findings(request, &found, faults)) {
		fprintf(stderr, "perennial check: cannot write to standard output\n");
		return TERM_FAILED;
	}
	return found.disordered || (faults && !request->repair) ? TERM_SKIPPED : TERM_DONE;
}

/* What a broken data base does to whoever reads it. */
static bool is_of_damage(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGABRT || number == SIGFPE;
}

/*
 * LMDB trusts the inner pages of its file, and reading past a broken one may end the process: it is a process of its
 * own, and its end is told in words.
 */
static int check_apart(const struct request *request)
{
	int status;
	pid_t child = fork();

	if (child < 0) {
		fprintf(stderr, "perennial check: cannot start a process: %s\n", strerror(errno));
		return TERM_FAILED;
	}
	if (!child) {
		int code = check(request);

		fflush(stdout);
		_exit(code);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (is_of_damage(WTERMSIG(status)))
		fprintf(stderr, "perennial check: %s: data.mdb is damaged, and cannot be read through: restore a backup\n",
		        request->state);
	else
		fprintf(stderr, "perennial check: ended by %s\n", strsignal(WTERMSIG(status)));
	return TERM_FAILED;
}

int cli_check(int argc, char **argv)
{
	struct request request = { .lock_wait_s = 10 };
	const char *format = NULL;
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "state", 0, &request.state, "DIR", "the store" },
		{ TERM_OPTION_FLAG, "repair", 0, &request.repair, NULL, "bring queues and side tables in line with the pages" },
		{ TERM_OPTION_DURATION, "lock-wait", 0, &request.lock_wait_s, "DURATION",
		  "with --repair: for another writer to finish (default 10s)" },
		{ TERM_OPTION_TEXT, "format", 0, &format, "FORMAT", "table, tsv or json (default: table on a terminal, else tsv)" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"check", "--state=DIR [OPTION]…",
		"Reads a store through: every page whole, and each in its queue, and nothing else there.  It may be in use.\n"
		"Exits with 1 when there are faults that stand.",
		options
	};
	int first, code = term_options_parse(&usage, argc, argv, &first);

	if (code >= 0)
		return code;
	if (!request.state)
		return term_usage_error(&usage, "--state=DIR says which store");
	if (first < argc)
		return term_usage_error(&usage, "takes no '%s'", argv[first]);
	if (term_format_parse(format, &request.format))
		return term_usage_error(&usage, "--format takes table, tsv or json, not '%s'", format);
	return check_apart(&request);
}
