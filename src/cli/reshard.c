#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/plugins.h"
#include "cli/rules.h"
#include "term/options.h"
#include "term/progress.h"

#include "perennial/reshard.h"
#include "perennial/store.h"

#include <inttypes.h>
#include <stdio.h>

#define LOCK_WAIT_S 10

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print(const struct prn_resharded *done, unsigned shards)
{
	printf("%" PRIu64 " page%s moved", done->pages, plural(done->pages));
	if (shards > 1)
		printf("; %u shards, of which %zu %s made", shards, done->made, done->made == 1 ? "is" : "are");
	if (done->added)
		printf("; added %" PRIu64 " that redirect%s led to", done->added, done->added == 1 ? "" : "s");
	putchar('\n');
}

static int remove_unfinished(const char *target, struct prn_error *error)
{
	struct prn_store_discarded done = { 0 };
	int code = prn_reshard_discard(target, &done, error);

	if (!code && done.stands)
		fprintf(stderr, "perennial reshard: %s: is a store, and stays; removed what was left of its making\n", target);
	else if (!code || done.shards || done.lists || done.begun)
		fprintf(stderr, "perennial reshard: %s: removed %" PRIu64 " shard%s\n", target, done.shards, plural(done.shards));
	if (code && done.foreign)
		prn_error_prefix(error, "%s: what stands among it and is no part of it stays, and so does its mark", target);
	return code;
}

static int check(const char *from, const char *to, uint64_t shards, bool resume, bool discard, struct prn_error *error)
{
	if (!to)
		return term_usage_error(error, "--to=DIR, the store to make, is missing");
	if (resume && discard)
		return term_usage_error(error, "--resume goes on with what was begun and --discard removes it: give one of them");
	if (discard && (from || shards))
		return term_usage_error(error, "--discard removes what was begun at --to: leave out --state and --shards");
	if (discard)
		return 0;
	if (!from)
		return term_usage_error(error, "--state=DIR, the store, is missing, and PERENNIAL_STATE names none");
	if (prn_store_ends_with_process(to))
		return term_usage_error(error, "--to=%.100s: what is in memory would be gone when this command ends", to);
	if (!shards)
		return term_usage_error(error, "--shards=N, how many shards it is to have, is missing");
	if (shards > PRN_SHARDS_MOST || (shards & (shards - 1)))
		return term_usage_error(error, "--shards takes a power of two, 1, 2, 4 … %d, and not %" PRIu64, PRN_SHARDS_MOST, shards);
	return 0;
}

static void print_progress(void *context, uint64_t pages, uint64_t of)
{
	term_progress_show(context, "%.0f %% of %" PRIu64 " pages", of ? 100.0 * (double)pages / (double)of : 100, of);
}

int cli_reshard(int argc, char **argv, struct prn_error *error)
{
	struct prn_reshard_options reshard = { .lock_wait_s = LOCK_WAIT_S, .progress = print_progress };
	struct prn_resharded done = { 0 };
	struct term_progress progress;
	uint64_t shards = 0;
	struct term_list plugins = { 0 }, giants = { 0 };
	const char *store_name = NULL, *to = NULL;
	bool resume = false, discard = false;
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "state", 0, &store_name, "DIR", "the store, to which nobody writes meanwhile; it stays as it is" },
		{ TERM_OPTION_TEXT, "to", 0, &to, "DIR", "the store to make: a new folder, or a new place in a cluster" },
		{ TERM_OPTION_COUNT, "shards", 0, &shards, "N", "that it is to be spread over: 1, 2, 4 … 1048576" },
		{ TERM_OPTION_TEXTS, "giant-host", 0, &giants, "HOST[/PARTS]",
		  "a host whose pages are to be spread over as many shards, 2, 4 … (default all, up to 64); repeat for more; others are in one" },
		{ TERM_OPTION_FLAG, "resume", 0, &resume, NULL, "go on with what was begun in the same way and not finished, if there is any" },
		{ TERM_OPTION_FLAG, "discard", 0, &discard, NULL, "remove what there is of it at --to, and make none" },
		CLI_PLUGINS_ROW(&plugins),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"reshard", "--state=DIR --to=DIR --shards=N [OPTION]… | --discard --to=DIR",
		"Makes a store of another one, with all that it has, in another number of shards, with other giants, or elsewhere.\n"
		"It is there whole or not at all.",
		options
	};
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code && first < argc)
		code = term_usage_error(error, "unexpected operand '%s'", argv[first]);
	if (!store_name && !discard)
		store_name = cli_usual_store();
	if (!code)
		code = check(store_name, to, shards, resume, discard, error);
	if (!code && discard)
		code = remove_unfinished(to, error);
	else if (!code && !(code = cli_plugins_load(&plugins, error))) {
		reshard.shards = (unsigned)shards;
		reshard.giants = (const char *const *)giants.items;
		reshard.giant_count = giants.count;
		reshard.resume = resume;
		reshard.context = &progress;
		term_progress_begin(&progress, "reshard");
		code = prn_reshard(store_name, to, &reshard, &done, error);
		term_progress_end(&progress);
		if (code == PRN_E_ARGUMENT)
			code = term_usage_blame(error);
		if (!code)
			print(&done, reshard.shards);
	}
	term_list_release(&plugins);
	term_list_release(&giants);
	return code;
}
