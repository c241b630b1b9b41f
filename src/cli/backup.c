#include "cli/command.h"
#include "cli/deciding.h"
#include "term/options.h"

#include "decide/sides.h"
#include "perennial/decider.h"

#include <inttypes.h>
#include <stdio.h>

static void print_fault(void *context, const struct prn_error *what)
{
	(void)context;
	fprintf(stderr, "perennial backup: %s\n", what->text);
}

/*
 * Checks the side tables of a store whose policy, which may be a plugin, is not here.  Of a store of several shards only the
 * root is checked.
 */
static int check_sides(struct prn_store *store, const struct prn_store_check_options *options, uint64_t *damaged,
                       struct prn_error *error)
{
	struct prn_view *view;
	int code = prn_view_open(&view, store, error);

	if (code)
		return code;
	code = prn_sides_check(view, options, damaged, error);
	prn_view_close(view);
	return code;
}

/*
 * A copy of a store whose settings are damaged would be of no use; one without its policy is of use.  The side tables are
 * checked here, because the store, which copies them, does not know their forms.
 */
static int backup(const char *store_name, const char *target, bool resume, struct prn_error *error)
{
	const struct prn_store_check_options options = { .report = print_fault };
	struct prn_decider *decider = NULL;
	struct prn_store *store = NULL;
	uint64_t damaged = 0;
	int opened = prn_decider_open(&decider, store_name, PRN_STORE_READ, NULL, error), code = 0;
	bool of_decider = !opened || cli_store_is_of_decider(store_name);

	if (!opened) {
		code = prn_decider_check_sides(decider, &options, &damaged, error);
		/* The copy will find a shard that cannot be read, too, and say how to go on. */
		if (code == PRN_E_DAMAGED && prn_decider_shards(decider) > 1)
			code = 0;
	} else if (opened != PRN_E_VERSION && of_decider) {
		code = opened;
	}
	prn_decider_free(decider);
	if (!code)
		code = prn_store_open(&store, store_name, PRN_STORE_READ, 0, error);
	if (!code && opened && of_decider)
		code = check_sides(store, &options, &damaged, error);
	if (!code && damaged)
		code = prn_error_set(error, PRN_E_DAMAGED,
		                     "%s: has faults that a copy would have too (%llu), and was not copied: 'perennial check --repair' "
		                     "mends them", store_name, (unsigned long long)damaged);
	if (!code)
		code = resume ? prn_store_backup_resume(store, target, error) : prn_store_backup(store, target, error);
	prn_store_free(store);
	return code;
}

static int remove_unfinished(const char *target, struct prn_error *error)
{
	struct prn_store_discarded done = { 0 };
	int code = prn_store_backup_discard(target, &done, error);

	if (!code && done.stands) {
		fprintf(stderr, "perennial backup: %s: is a store, and stays; removed the mark that was left of its making\n", target);
	} else if (!code || done.shards || done.lists || done.begun) {
		fprintf(stderr, "perennial backup: %s: removed %" PRIu64 " shard%s", target, done.shards, done.shards == 1 ? "" : "s");
		if (done.lists)
			fprintf(stderr, ", %" PRIu64 " list%s of shards", done.lists, done.lists == 1 ? "" : "s");
		if (done.begun)
			fprintf(stderr, ", %" PRIu64 " that %s being made", done.begun, done.begun == 1 ? "was" : "were");
		fputc('\n', stderr);
	}
	if (code && done.foreign)
		prn_error_prefix(error, "%s: %" PRIu64 " that stand%s among the copy and %s no part of it stay%s, and so does its mark", target,
		                 done.foreign, done.foreign == 1 ? "s" : "", done.foreign == 1 ? "is" : "are", done.foreign == 1 ? "s" : "");
	return code;
}

int cli_backup(int argc, char **argv, struct prn_error *error)
{
	const char *store_name = NULL;
	bool resume = false, discard = false;
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "state", 0, &store_name, "DIR", "the store" },
		{ TERM_OPTION_FLAG, "resume", 0, &resume, NULL, "go on with a copy of several shards that was not finished, if there is one" },
		{ TERM_OPTION_FLAG, "discard", 0, &discard, NULL, "remove what there is of such a copy, and make none" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"backup", "--state=DIR [--resume] TARGET | --discard TARGET",
		"Copies a store as it is now, also while it is in use, without its free space.  TARGET is a new folder: it is\n"
		"there whole or not at all, and is a store like the one it was made from.",
		options
	};
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (code)
		return code;
	if (resume && discard)
		return term_usage_error(error, "--resume goes on with a copy and --discard removes it: give one of them");
	if (discard && store_name)
		return term_usage_error(error, "--discard removes an unfinished copy: leave out --state");
	if (discard && argc - first == 1)
		return remove_unfinished(argv[first], error);
	if (!discard && !store_name && !(store_name = cli_usual_store()))
		return term_usage_error(error, "--state=DIR, the store, is missing, and PERENNIAL_STATE names none");
	if (argc - first != 1)
		return term_usage_error(error, "give one folder to write to");
	return backup(store_name, argv[first], resume, error);
}
