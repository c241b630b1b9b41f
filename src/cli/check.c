#include "cli/check_log.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/plugins.h"
#include "base/portable.h"
#include "term/options.h"
#include "term/progress.h"
#include "term/say.h"
#include "term/table.h"

#include "perennial/decider.h"
#include "perennial/shard.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NO_SHARD UINT64_MAX

struct check_options {
	const char *store_name;
	bool repair;
	const char *resume; /* a file; NULL: none */
	uint64_t give_up; /* the number of a shard; NO_SHARD: none */
	uint64_t give_up_list; /* likewise of a list of shards */
	const char *from; /* a backup that has shards that are gone; NULL: none */
	double lock_wait_s;
	enum term_format format;
	struct term_list plugins;
};

/* The faults that were found in tables, queues and side tables, and in the states of pages. */
struct findings {
	struct prn_store_findings store;
	struct prn_state_findings states;
	bool unseen; /* something kept states from being read */
};

static uint64_t count_faults(const struct findings *found)
{
	return prn_store_faults(&found->store) + found->states.unreadable + found->states.sides;
}

/* A check that is running, and what an earlier one had found before it was broken off. */
struct look {
	const struct check_options *given;
	struct term_progress progress;
	struct cli_check_log log; /* findings of the shards that are done, if there is a file for them */
	bool unlogged;            /* it was reported that the log can no longer be written */
};

static void show_progress(void *context, double share)
{
	term_progress_show(&((struct look *)context)->progress, "%.0f %%", 100 * share);
}

/*
 * Writes down that a shard is done.  The findings matter more than the log: if it can no longer be written, that is reported
 * once and the check goes on.
 */
static void note(struct look *look, size_t shard)
{
	struct prn_error error;

	look->log.next = shard + 1;
	if (!cli_check_log_write(&look->log, &error) || look->unlogged)
		return;
	look->unlogged = true;
	term_progress_clear(&look->progress);
	fprintf(stderr, "perennial check: what is done is not noted any more: %s\n", error.text);
}

static void note_shard(void *context, size_t shard, const struct prn_store_findings *of_it)
{
	struct look *look = context;

	prn_store_findings_add(&look->log.store, of_it);
	note(look, shard);
}

static void note_states(void *context, size_t shard, const struct prn_state_findings *of_it)
{
	struct look *look = context;

	prn_state_findings_add(&look->log.states, of_it);
	note(look, shard);
}

static void print_fault(void *context, const struct prn_error *what)
{
	term_progress_clear(&((struct look *)context)->progress);
	fprintf(stderr, "perennial check: %s\n", what->text);
}

static void row(struct term_table *table, const char *what, uint64_t count)
{
	term_table_text(table, what);
	term_table_count(table, count);
}

static int print_findings(const struct check_options *given, const struct findings *findings, struct prn_error *error)
{
	const struct prn_store_findings *found = &findings->store;
	static const struct term_column columns[] = {
		{ "what", TERM_COLUMN_TEXT, 0 }, { "count", TERM_COLUMN_COUNT, 0 }, { NULL, TERM_COLUMN_TEXT, 0 }
	};
	struct term_table *table = term_table_open(given->format, columns);

	row(table, "pages", found->pages);
	row(table, "queued pages", found->queued);
	row(table, "pages that are damaged", found->unreadable);
	row(table, "pages whose state cannot be read", findings->states.unreadable);
	row(table, "pages missing from their queue", found->unqueued);
	row(table, "queue entries without their page", found->stray);
	row(table, "other entries without their page", found->stray_sides);
	row(table, "other entries that are damaged", findings->states.sides);
	row(table, "hosts with wrong records", found->miscounted);
	if (found->disordered)
		row(table, "faults of the file", found->disordered);
	if (found->missed)
		row(table, "shards that cannot be read", found->missed);
	if (found->leftovers)
		row(table, "left beside it by what was killed", found->leftovers);
	row(table, "repaired", found->repaired + findings->states.repaired);
	return term_table_close(table,
	                        !count_faults(findings) ? "no faults"
	                        : found->missed ? "shards that are named above cannot be read: 'perennial check --repair' saves what is "
	                                          "whole of those that are damaged"
	                        : found->disordered ? "the file is damaged: 'perennial check --repair' saves what is whole"
	                        : given->repair     ? "repaired"
	                                            : "'perennial check --repair' brings these in line with the pages",
	                        error);
}

/*
 * Only the policy can read the states of pages.  If it is not here, that is reported and is no fault.  If anything else keeps
 * the states from being read, that is a fault, which takes nothing from what was found or repaired before.
 */
static int look_at_states(const struct check_options *given, const struct prn_store_check_options *options,
                          struct findings *findings, struct prn_error *error)
{
	struct prn_decider_options how;
	struct prn_decider *decider = NULL;
	struct prn_error why = { 0 };
	int code;

	prn_decider_options_init(&how);
	how.lock_wait_s = given->lock_wait_s;
	code = prn_decider_open(&decider, given->store_name, options->repair ? PRN_STORE_WRITE : PRN_STORE_READ, &how, &why);
	findings->unseen = code && code != PRN_E_VERSION && cli_store_is_of_decider(given->store_name);
	if (!code) {
		code = prn_decider_check(decider, options, time(NULL), &findings->states, &why);
		findings->unseen = code;
	}
	prn_decider_free(decider);
	if (code == PRN_E_MEMORY)
		*error = why;
	if (!code || code == PRN_E_MEMORY)
		return code;
	term_progress_clear(&((struct look *)options->context)->progress);
	fprintf(stderr, "perennial check: the states of pages were not looked at: %s\n", why.text);
	return 0;
}

/* Checks or repairs a store that can be opened. */
static int look(const struct check_options *given, bool repair, struct findings *found, struct prn_error *error)
{
	struct look look = { .given = given, .log = { .file = given->resume, .store_name = given->store_name, .repair = repair } };
	struct prn_store_check_options options = { .repair = repair, .report = print_fault, .progress = show_progress, .context = &look };
	struct prn_store_findings earlier;
	struct prn_state_findings earlier_states;
	struct prn_store *store;
	int code = given->resume ? cli_check_log_read(&look.log, error) : 0;

	*found = (struct findings){ 0 };
	if (!code)
		code = prn_store_open(&store, given->store_name, repair ? PRN_STORE_WRITE : PRN_STORE_READ, given->lock_wait_s, error);
	if (code)
		return code;
	if (given->resume) {
		code = cli_check_log_write(&look.log, error);
		if (code) {
			prn_store_free(store);
			return code;
		}
		options.shard_done = note_shard;
		options.states_done = note_states;
		options.first_shard = look.log.at_states ? SIZE_MAX : look.log.next;
	}
	earlier = look.log.store;
	earlier_states = look.log.states;
	term_progress_begin(&look.progress, "check");
	code = prn_store_check(store, &options, &found->store, error);
	prn_store_free(store);
	prn_store_findings_add(&found->store, &earlier);
	if (!code && !found->store.disordered && !found->store.missed) {
		if (!look.log.at_states)
			look.log.next = 0;
		look.log.at_states = true;
		options.first_shard = look.log.next;
		code = look_at_states(given, &options, found, error);
		prn_state_findings_add(&found->states, &earlier_states);
	}
	term_progress_end(&look.progress);
	if (given->resume && !code && !found->unseen)
		cli_check_log_remove(&look.log);
	else if (given->resume && look.log.is_written)
		fprintf(stderr, "perennial check: broken off; %s--resume=%s goes on with it\n", repair ? "--repair " : "", given->resume);
	return code;
}

static int print_rebuilt(const struct check_options *given, const struct prn_store_rebuilt *rebuilt, const struct findings *found,
                         struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "what", TERM_COLUMN_TEXT, 0 }, { "count", TERM_COLUMN_COUNT, 0 }, { NULL, TERM_COLUMN_TEXT, 0 }
	};
	struct term_table *table = term_table_open(given->format, columns);

	row(table, "pages saved", rebuilt->pages);
	row(table, "of these, from where no table led", rebuilt->loose);
	row(table, "pages lost", rebuilt->lost);
	row(table, "hosts, suspects and settings lost", rebuilt->lost_sides);
	row(table, "damaged pages of the file", rebuilt->damaged_pages);
	if (rebuilt->removed)
		row(table, "entries of no table, which are removed", rebuilt->removed);
	if (found->states.unreadable)
		row(table, "pages that begin anew", found->states.unreadable);
	if (found->states.sides)
		row(table, "other entries that were damaged", found->states.sides);
	return term_table_close(table, "made anew of what is whole", error);
}

/* Checks once more where something was mended. */
static int look_again(const struct check_options *given, const struct findings *found, struct prn_error *error)
{
	/* This check covers the whole store again. */
	struct check_options again = *given;
	struct findings left;
	int code;

	if (!count_faults(found))
		return 0;
	again.resume = NULL;
	code = look(&again, false, &left, error);
	return code || !count_faults(&left) ? code
	                                    : prn_error_set(error, PRN_E_DAMAGED, "%s: faults are left after the repair: restore a backup",
	                                                    given->store_name);
}

/* A shard that cannot be mended leaves the others mended. */
static void print_mended(uint64_t mended, uint64_t remade)
{
	if (mended)
		fprintf(stderr, "perennial check: %" PRIu64 " fault%s of other shards %s mended before, and stay%s so\n", mended,
		        mended == 1 ? "" : "s", mended == 1 ? "was" : "were", mended == 1 ? "s" : "");
	if (remade)
		fprintf(stderr, "perennial check: %" PRIu64 " of the store's parts %s made anew before, and stay%s so\n", remade,
		        remade == 1 ? "was" : "were", remade == 1 ? "s" : "");
}

/*
 * A damaged file is not repaired in place: what is whole is copied into a new one.  Records that were damaged within it are copied
 * too, and mended there.  mended: faults of other shards that were mended before.
 */
static int rebuild(const struct check_options *given, uint64_t mended, struct prn_error *error)
{
	struct check_options anew = *given;
	struct prn_store_rebuilt rebuilt = { 0 };
	struct findings found = { 0 };
	int code = prn_decider_rebuild(given->store_name, given->lock_wait_s, &rebuilt, error);

	if (code) {
		print_mended(mended, rebuilt.remade);
		return code;
	}
	if (*rebuilt.kept)
		fprintf(stderr, "perennial check: the store was made anew; its damaged file is kept: remove %s when you need it no "
		        "more\n", rebuilt.kept);
	else
		fprintf(stderr, "perennial check: the objects that had faults were put in order\n");
	anew.resume = NULL;
	code = look(&anew, true, &found, error);
	if (!code)
		code = look_again(&anew, &found, error);
	if (!code)
		code = print_rebuilt(given, &rebuilt, &found, error);
	return code ? code : found.unseen ? TERM_SKIPPED : TERM_DONE;
}

static int give_up_shard(struct prn_decider *decider, uint64_t shard, struct prn_error *error)
{
	char text[PRN_TIME_TEXT];
	uint64_t pages;
	int64_t asked;
	int code = prn_decider_give_up_shard(decider, shard, &pages, &asked, error);

	if (code)
		return code;
	if (pages == PRN_SHARD_PAGES_UNKNOWN)
		fprintf(stderr, "perennial check: shard %" PRIu64 " is given up: how many pages are lost with it is not known\n", shard);
	else
		fprintf(stderr, "perennial check: shard %" PRIu64 " is given up: it had %" PRIu64 " page%s at %s, when 'due' last asked it; what "
		        "came or went since is not known\n", shard, pages, pages == 1 ? "" : "s", prn_time_format(asked, text));
	return 0;
}

static int give_up_list(struct prn_decider *decider, uint64_t list, struct prn_error *error)
{
	size_t listed;
	int code = prn_decider_give_up_list(decider, list, &listed, error);

	if (!code)
		fprintf(stderr, "perennial check: list %" PRIu64 " is made anew of %zu shard%s, which stand%s: whether there were others is not known\n", list,
		        listed, listed == 1 ? "" : "s", listed == 1 ? "s" : "");
	return code;
}

/* The outcome of restoring shards from a backup. */
struct restored {
	const char *from;
	uint64_t shards, left;
};

static void print_restored(void *context, size_t shard, uint64_t pages, const struct prn_error *why)
{
	struct restored *restored = context;

	if (why) {
		fprintf(stderr, "perennial check: shard %zu stays gone: %s\n", shard, why->text);
		restored->left++;
		return;
	}
	fprintf(stderr, "perennial check: shard %zu is back, with %" PRIu64 " page%s as %s %s: what came or went since is not known\n",
	        shard, pages, pages == 1 ? "" : "s", restored->from, pages == 1 ? "has it" : "has them");
	restored->shards++;
}

static int restore(struct prn_decider *decider, const char *from, struct prn_error *error)
{
	struct restored restored = { .from = from };
	int code = prn_decider_restore_shards(decider, from, print_restored, &restored, error);

	if (!code && !restored.shards && !restored.left)
		fprintf(stderr, "perennial check: no shard is gone: nothing was brought back from %s\n", from);
	return code;
}

/*
 * The list comes first, because a shard is not found without it.  A shard that a backup has is restored before any is given
 * up.
 */
static int take_place(const struct check_options *given, struct prn_error *error)
{
	struct prn_decider_options how;
	struct prn_decider *decider;
	int code;

	prn_decider_options_init(&how);
	how.lock_wait_s = given->lock_wait_s;
	code = prn_decider_open(&decider, given->store_name, PRN_STORE_WRITE, &how, error);
	if (code)
		return code;
	if (given->from)
		code = restore(decider, given->from, error);
	if (!code && given->give_up_list != NO_SHARD)
		code = give_up_list(decider, given->give_up_list, error);
	if (!code && given->give_up != NO_SHARD)
		code = give_up_shard(decider, given->give_up, error);
	prn_decider_free(decider);
	return code;
}

/* Nothing can be read from a shard that is gone: it can only be restored or given up. */
static void print_way_out(const struct check_options *given, const struct findings *found)
{
	if (found->store.missed)
		term_say("perennial check: a shard that is gone comes back from a backup, BACKUP, by 'perennial check --state=%s --repair --from=BACKUP'; "
		         "where no backup has it, 'perennial check --state=%s --repair --give-up-shard=N' puts an empty one there\n",
		         given->store_name, given->store_name);
}

static int repair(const struct check_options *given, struct prn_error *error)
{
	struct findings found;
	bool replaces = given->from || given->give_up != NO_SHARD || given->give_up_list != NO_SHARD;
	int code = replaces ? take_place(given, error) : 0;

	if (code)
		return code;
	code = look(given, true, &found, error);
	if (code == PRN_E_DAMAGED || code == PRN_E_TRUNCATED || (!code && (found.store.disordered || found.store.missed))) {
		if (code)
			fprintf(stderr, "perennial check: %s\n", error->text);
		code = rebuild(given, found.store.repaired + found.states.repaired, error);
		if (code)
			print_way_out(given, &found);
		return code;
	}
	if (code)
		return code;
	code = look_again(given, &found, error);
	if (!code)
		code = print_findings(given, &found, error);
	return code ? code : found.unseen ? TERM_SKIPPED : TERM_DONE;
}

static int check(const struct check_options *given, struct prn_error *error)
{
	struct findings found;
	int code;

	if (given->repair)
		return repair(given, error);
	code = look(given, false, &found, error);
	if (!code)
		code = print_findings(given, &found, error);
	if (!code)
		print_way_out(given, &found);
	if (!code && found.store.missed)
		code = prn_error_set(error, PRN_E_DAMAGED, "%s: has shards that cannot be read", given->store_name);
	return code ? code : count_faults(&found) || found.unseen ? TERM_SKIPPED : TERM_DONE;
}

/*
 * A disk that cannot read back what was once written ends a process that reads through a map.  A child process therefore
 * makes the check, and its end is reported as damage.
 */
static int check_apart(const struct check_options *given, struct prn_error *error)
{
	pid_t parent = getpid(), child = fork();
	int status, number;

	if (child < 0)
		return prn_error_set(error, PRN_E_IO, "cannot start a process: %s", strerror(errno));
	if (!child) {
		int code;

		prn_die_with(parent);
		code = term_exit("check", check(given, error), error);
		fflush(stdout);
		_exit(code);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	number = WTERMSIG(status);
	if (number == SIGSEGV || number == SIGBUS || number == SIGABRT || number == SIGFPE)
		return prn_error_set(error, PRN_E_DAMAGED, "%s: damaged, and cannot be read to its end: restore a backup", given->store_name);
	return prn_error_set(error, PRN_E_IO, "ended by %s", strsignal(number));
}

int cli_check(int argc, char **argv, struct prn_error *error)
{
	struct check_options given = { .lock_wait_s = 10, .give_up = NO_SHARD, .give_up_list = NO_SHARD };
	const char *format = NULL;
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "state", 0, &given.store_name, "DIR", "the store" },
		{ TERM_OPTION_FLAG, "repair", 0, &given.repair, NULL, "mend what is found; of a damaged file, save what is whole" },
		{ TERM_OPTION_TEXT, "resume", 0, &given.resume, "FILE",
		  "of several shards: note there what is done, and go on where a check with this file was broken off" },
		{ TERM_OPTION_TEXT, "from", 0, &given.from, "BACKUP", "with --repair: bring shards that are gone back from a backup" },
		{ TERM_OPTION_COUNT, "give-up-shard", 0, &given.give_up, "N",
		  "with --repair: put an empty shard in the place of one that is gone, and say what is lost" },
		{ TERM_OPTION_COUNT, "give-up-list", 0, &given.give_up_list, "N",
		  "with --repair: make a list of shards anew that is gone, of those of its shards that stand" },
		{ TERM_OPTION_DURATION, "lock-wait", 0, &given.lock_wait_s, "DURATION",
		  "with --repair: for another writer to finish (default 10s)" },
		CLI_PLUGINS_ROW(&given.plugins),
		{ TERM_OPTION_TEXT, "format", 0, &format, TERM_FORMATS, "default: table on a terminal, else tsv" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"check", "--state=DIR [OPTION]…",
		"Reads a store through: every page whole, its state such as its policy reads, and each in its queue, and\n"
		"nothing else there.  It may be in use.\n"
		"Exits with 1 when there are faults that stand.",
		options
	};
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (code)
		return code;
	if (!given.store_name && !(given.store_name = cli_usual_store()))
		return term_usage_error(error, "--state=DIR, the store, is missing, and PERENNIAL_STATE names none");
	if (first < argc)
		return term_usage_error(error, "unexpected operand '%s'", argv[first]);
	if (given.from && !given.repair)
		return term_usage_error(error, "--from is a repair: give --repair too");
	if ((given.give_up != NO_SHARD || given.give_up_list != NO_SHARD) && !given.repair)
		return term_usage_error(error, "--give-up-%s is a repair: give --repair too", given.give_up != NO_SHARD ? "shard" : "list");
	code = term_format_parse(format, &given.format, error);
	if (!code)
		code = cli_plugins_load(&given.plugins, error);
	if (!code)
		code = check_apart(&given, error);
	term_list_release(&given.plugins);
	return code;
}
