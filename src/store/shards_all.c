/* What is done with a store as a whole: with itself and, where it is spread, with each of its shards. */
#include "store/shards.h"

#include "store/shared.h"
#include "store/store_internal.h"

#include <stdlib.h>

/* One of the stores that a store consists of beside its root. */
struct part {
	bool is_list;
	size_t number;       /* of the shard, or of the list */
	double begins, share; /* of all, roughly: for progress */
};

typedef int part_fn(void *context, struct prn_store *store, const struct part *part, struct prn_error *error);

/* What is done with each part: with each list, and then with what it lists. */
struct doing {
	struct prn_store *root;
	enum prn_store_mode mode;
	part_fn *run;
	void *context;
	size_t count, lists, size; /* of shards; of lists; of a list */
	struct prn_error *error;
};

/* The shards that a list has, whose place among all is known. */
static int do_shards(const struct doing *doing, struct prn_store *list, struct part part, bool *listed)
{
	size_t first = part.number * doing->size, made = 0, number = 0;
	double begins = part.begins, share = part.share;
	int failed = prn_shards_list(list, listed, doing->size, doing->error);

	for (size_t i = 0; i < doing->size && !failed; i++)
		made += listed[i];
	for (size_t i = 0; i < doing->size && !failed; i++) {
		struct prn_store *shard = NULL;

		if (!listed[i])
			continue;
		failed = prn_shard_open(&shard, doing->root, list, first + i, doing->mode, false, 0, doing->error);
		part = (struct part){ .number = first + i, .begins = begins + share * (double)number++ / (double)made,
			              .share = share / (double)made };
		if (!failed)
			failed = doing->run(doing->context, shard, &part, doing->error);
		prn_store_free(shard);
	}
	return failed;
}

static int do_lists(const struct doing *doing, bool *lists, bool *listed)
{
	int failed = prn_shards_list(doing->root, lists, doing->lists, doing->error);

	for (size_t i = 0; i < doing->lists && !failed; i++) {
		const struct part part = { true, i, (double)i / (double)doing->lists, 1 / (double)doing->lists };
		struct prn_store *list = NULL;

		if (!lists[i])
			continue;
		failed = prn_shards_list_open(&list, doing->root, i, doing->mode, false, 0, doing->error);
		if (!failed)
			failed = doing->run(doing->context, list, &part, doing->error);
		if (!failed)
			failed = do_shards(doing, list, part, listed);
		prn_store_free(list);
	}
	return failed;
}

static int each_part(struct prn_store *root, enum prn_store_mode mode, part_fn *run, void *context, struct prn_error *error)
{
	struct doing doing = { .root = root, .mode = mode, .run = run, .context = context, .error = error };
	bool *lists, *listed;
	int failed = prn_shards_count(root, &doing.count, error);

	if (failed || doing.count == 1)
		return failed;
	doing.lists = prn_shards_lists(doing.count);
	doing.size = prn_shards_list_size(doing.count);
	lists = calloc(doing.lists, sizeof *lists);
	listed = calloc(doing.size, sizeof *listed);
	if (!lists || !listed)
		failed = prn_error_memory(error);
	else if (doing.lists > 1)
		failed = do_lists(&doing, lists, listed);
	else
		failed = do_shards(&doing, root, (struct part){ .share = 1 }, listed);
	free(lists);
	free(listed);
	return failed;
}

static int add_totals(void *context, struct prn_store *shard, const struct part *part, struct prn_error *error)
{
	struct prn_store_totals *to = context, found;
	int failed = prn_store_totals_one(shard, &found, error);

	(void)part;
	if (!failed)
		prn_store_totals_add(to, &found);
	return failed;
}

void prn_store_totals_add(struct prn_store_totals *to, const struct prn_store_totals *totals)
{
	to->pages += totals->pages;
	to->due += totals->due;
	to->leased += totals->leased;
	to->waiting += totals->waiting;
	to->hosts += totals->hosts;
	to->suspects += totals->suspects;
	to->bytes += totals->bytes;
	to->bytes_free += totals->bytes_free;
}

int prn_store_totals(struct prn_store *store, struct prn_store_totals *totals, struct prn_error *error)
{
	struct prn_store_totals found;
	int failed = prn_store_totals_one(store, &found, error);

	if (!failed)
		failed = each_part(store, PRN_STORE_READ, add_totals, &found, error);
	if (!failed)
		*totals = found;
	return failed;
}

struct checking {
	const struct prn_store_check_options *given;
	struct prn_store_findings *findings;
	double done, each; /* of the progress */
};

static void show_share(void *context, double share)
{
	const struct checking *checking = context;

	checking->given->progress(checking->given->context, checking->done + checking->each * share);
}

static void report_fault(void *context, const struct prn_error *what)
{
	const struct checking *checking = context;

	checking->given->report(checking->given->context, what);
}

static void add_findings(struct prn_store_findings *to, const struct prn_store_findings *found)
{
	to->pages += found->pages;
	to->queued += found->queued;
	to->unreadable += found->unreadable;
	to->unqueued += found->unqueued;
	to->stray += found->stray;
	to->miscounted += found->miscounted;
	to->stray_sides += found->stray_sides;
	to->disordered += found->disordered;
	to->repaired += found->repaired;
}

static int check_part(void *context, struct prn_store *store, const struct part *part, struct prn_error *error)
{
	struct checking *checking = context;
	const struct prn_store_check_options *given = checking->given;
	const struct prn_store_check_options options = { .repair = given->repair,
		                                         .report = given->report ? report_fault : NULL,
		                                         .progress = given->progress ? show_share : NULL,
		                                         .context = checking };
	struct prn_store_findings found;
	int failed;

	checking->done = part->begins;
	checking->each = part->is_list ? 0 : part->share;
	failed = prn_store_check_one(store, &options, &found, error);
	if (!failed)
		add_findings(checking->findings, &found);
	return failed;
}

int prn_store_check(struct prn_store *store, const struct prn_store_check_options *options,
                    struct prn_store_findings *findings, struct prn_error *error)
{
	static const struct prn_store_check_options usual = { 0 };
	struct prn_store_findings found;
	struct checking checking = { .given = options ? options : &usual, .findings = &found };
	int failed = prn_store_check_one(store, options, &found, error);

	if (!failed && !found.disordered)
		failed = each_part(store, checking.given->repair ? PRN_STORE_WRITE : PRN_STORE_READ, check_part, &checking,
		                   error);
	if (!failed)
		*findings = found;
	return failed;
}

static int copy_part(void *context, struct prn_store *store, const struct part *part, struct prn_error *error)
{
	char *address = part->is_list ? prn_shards_list_address(context, part->number) : prn_shard_address(context, part->number);
	int failed = address ? prn_store_backup_one(store, address, error) : prn_error_memory(error);

	free(address);
	return failed;
}

/* The root comes last: without it there is no store. */
int prn_store_backup(struct prn_store *store, const char *path, struct prn_error *error)
{
	int failed = each_part(store, PRN_STORE_READ, copy_part, (char *)(uintptr_t)path, error);

	return failed ? failed : prn_store_backup_one(store, path, error);
}
