#include "cli/command.h"
#include "term/options.h"
#include "term/progress.h"
#include "term/table.h"

#include "perennial/store.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct check_options {
	const char *state;
	bool repair;
	double lock_wait_s;
	enum term_format format;
};

static void show_progress(void *context, double share)
{
	term_progress_show(context, "%.0f %%", 100 * share);
}

static void print_fault(void *context, const struct prn_error *what)
{
	term_progress_clear(context);
	fprintf(stderr, "perennial check: %s\n", what->text);
}

static void row(struct term_table *table, const char *what, uint64_t count)
{
	term_table_text(table, what);
	term_table_count(table, count);
}

static int print_findings(const struct check_options *given, const struct prn_store_findings *found, uint64_t faults,
                          struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "what", TERM_COLUMN_TEXT, 0 }, { "count", TERM_COLUMN_COUNT, 0 }, { NULL, TERM_COLUMN_TEXT, 0 }
	};
	struct term_table *table = term_table_open(given->format, columns);

	row(table, "pages", found->pages);
	row(table, "queued pages", found->queued);
	row(table, "pages that are damaged", found->unreadable);
	row(table, "pages missing from their queue", found->unqueued);
	row(table, "queue entries without their page", found->stray);
	row(table, "other entries without their page", found->stray_sides);
	row(table, "hosts with wrong leases or turns", found->miscounted);
	if (found->disordered)
		row(table, "faults of the file", found->disordered);
	row(table, "repaired", found->repaired);
	return term_table_close(table,
	                        !faults            ? "no faults"
	                        : found->disordered ? "the file is damaged: 'perennial check --repair' saves what is whole"
	                        : given->repair     ? "repaired"
	                                            : "'perennial check --repair' brings these in line with the pages",
	                        error);
}

/* Looks, or mends, in a store that can be opened. */
static int look(const struct check_options *given, bool repair, struct prn_store_findings *found, struct prn_error *error)
{
	struct term_progress progress;
	const struct prn_store_check_options options = {
		.repair = repair, .report = print_fault, .progress = show_progress, .context = &progress
	};
	struct prn_store *store;
	int code = prn_store_open(&store, given->state, repair ? PRN_STORE_WRITE : PRN_STORE_READ, given->lock_wait_s, error);

	if (code)
		return code;
	term_progress_begin(&progress, "check");
	code = prn_store_check(store, &options, found, error);
	term_progress_end(&progress);
	prn_store_free(store);
	return code;
}

/* A file that is damaged is not mended in place. */
static int rebuild(const struct check_options *given, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "what", TERM_COLUMN_TEXT, 0 }, { "count", TERM_COLUMN_COUNT, 0 }, { NULL, TERM_COLUMN_TEXT, 0 }
	};
	struct prn_store_rebuilt rebuilt;
	struct term_table *table;
	int code = prn_store_rebuild(given->state, given->lock_wait_s, &rebuilt, error);

	if (code)
		return code;
	table = term_table_open(given->format, columns);
	row(table, "pages saved", rebuilt.pages);
	row(table, "of these, from where no table led", rebuilt.loose);
	row(table, "pages lost", rebuilt.lost);
	row(table, "hosts, suspects and settings lost", rebuilt.lost_sides);
	row(table, "damaged pages of the file", rebuilt.damaged_pages);
	fprintf(stderr, "perennial check: the store was made anew; its damaged file is kept: remove %s when you need it no "
	        "more\n", rebuilt.kept);
	return term_table_close(table, "made anew of what is whole", error);
}

static int repair(const struct check_options *given, struct prn_error *error)
{
	struct prn_store_findings found, left;
	int code = look(given, true, &found, error);

	if (code == PRN_E_DAMAGED || code == PRN_E_TRUNCATED || (!code && found.disordered)) {
		if (code)
			fprintf(stderr, "perennial check: %s\n", error->text);
		return rebuild(given, error);
	}
	if (code)
		return code;
	if (prn_store_faults(&found)) {
		code = look(given, false, &left, error);
		if (!code && prn_store_faults(&left))
			code = prn_error_set(error, PRN_E_DAMAGED, "%s: faults are left after the repair: restore a backup",
			                     given->state);
	}
	return code ? code : print_findings(given, &found, prn_store_faults(&found), error);
}

static int check(const struct check_options *given, struct prn_error *error)
{
	struct prn_store_findings found;
	int code;

	if (given->repair)
		return repair(given, error);
	code = look(given, false, &found, error);
	if (!code)
		code = print_findings(given, &found, prn_store_faults(&found), error);
	return code ? code : prn_store_faults(&found) ? TERM_SKIPPED : TERM_DONE;
}

/*
 * A disk that cannot read what was once written ends a process that reads through a map.  The check is therefore made by
 * a child process, and its end is reported as damage.
 */
static int check_apart(const struct check_options *given, struct prn_error *error)
{
	int status, number;
	pid_t child = fork();

	if (child < 0)
		return prn_error_set(error, PRN_E_IO, "cannot start a process: %s", strerror(errno));
	if (!child) {
		int code = term_exit("check", check(given, error), error);

		fflush(stdout);
		_exit(code);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	number = WTERMSIG(status);
	if (number == SIGSEGV || number == SIGBUS || number == SIGABRT || number == SIGFPE)
		return prn_error_set(error, PRN_E_INPUT,
		                     "%s: data.mdb is damaged and cannot be read to its end: restore a backup", given->state);
	return prn_error_set(error, PRN_E_IO, "ended by %s", strsignal(number));
}

int cli_check(int argc, char **argv, struct prn_error *error)
{
	struct check_options given = { .lock_wait_s = 10 };
	const char *format = NULL;
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "state", 0, &given.state, "DIR", "the store" },
		{ TERM_OPTION_FLAG, "repair", 0, &given.repair, NULL, "mend what is found; of a damaged file, save what is whole" },
		{ TERM_OPTION_DURATION, "lock-wait", 0, &given.lock_wait_s, "DURATION",
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
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (code)
		return code;
	if (!given.state)
		return term_usage_error(error, "--state=DIR, the store, is missing");
	if (first < argc)
		return term_usage_error(error, "unexpected operand '%s'", argv[first]);
	code = term_format_parse(format, &given.format, error);
	return code ? code : check_apart(&given, error);
}
