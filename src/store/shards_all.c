/* What is done with a store as a whole: with itself and, where it is spread, with each of its shards. */
#include "store/shards.h"

#include "store/shared.h"
#include "store/store_internal.h"

#include <stdlib.h>

/* Does something with one of count shards that were made, the number'th of them. */
typedef int shard_fn(void *context, struct prn_store *shard, size_t place, size_t number, size_t count,
                     struct prn_error *error);

static int each_of(struct prn_store *root, const bool *listed, size_t count, enum prn_store_mode mode, shard_fn *run,
                   void *context, struct prn_error *error)
{
	size_t made = 0, number = 0;
	int failed = 0;

	for (size_t i = 0; i < count; i++)
		made += listed[i];
	for (size_t i = 0; i < count && !failed; i++) {
		struct prn_store *shard = NULL;

		if (!listed[i])
			continue;
		failed = prn_shard_open(&shard, root, i, mode, false, 0, error);
		if (!failed)
			failed = run(context, shard, i, number++, made, error);
		prn_store_free(shard);
	}
	return failed;
}

static int each_shard(struct prn_store *root, enum prn_store_mode mode, shard_fn *run, void *context,
                      struct prn_error *error)
{
	size_t count;
	bool *listed;
	int failed = prn_shards_count(root, &count, error);

	if (failed || count == 1)
		return failed;
	listed = calloc(count, sizeof *listed);
	if (!listed)
		return prn_error_memory(error);
	failed = prn_shards_list(root, listed, count, error);
	if (!failed)
		failed = each_of(root, listed, count, mode, run, context, error);
	free(listed);
	return failed;
}

static int add_totals(void *context, struct prn_store *shard, size_t place, size_t number, size_t count,
                      struct prn_error *error)
{
	struct prn_store_totals *to = context, found;
	int failed = prn_store_totals_one(shard, &found, error);

	(void)place;
	(void)number;
	(void)count;
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
		failed = each_shard(store, PRN_STORE_READ, add_totals, &found, error);
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

static int check_shard(void *context, struct prn_store *shard, size_t place, size_t number, size_t count,
                       struct prn_error *error)
{
	struct checking *checking = context;
	const struct prn_store_check_options *given = checking->given;
	const struct prn_store_check_options options = { .repair = given->repair,
		                                         .report = given->report ? report_fault : NULL,
		                                         .progress = given->progress ? show_share : NULL,
		                                         .context = checking };
	struct prn_store_findings found;
	int failed;

	(void)place;
	checking->done = (double)number / (double)count;
	checking->each = 1 / (double)count;
	failed = prn_store_check_one(shard, &options, &found, error);
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
		failed = each_shard(store, checking.given->repair ? PRN_STORE_WRITE : PRN_STORE_READ, check_shard,
		                    &checking, error);
	if (!failed)
		*findings = found;
	return failed;
}

static int copy_shard(void *context, struct prn_store *shard, size_t place, size_t number, size_t count,
                      struct prn_error *error)
{
	char *address = prn_shard_address(context, place);
	int failed = address ? prn_store_backup_one(shard, address, error) : prn_error_memory(error);

	(void)number;
	(void)count;
	free(address);
	return failed;
}

/* The root comes last: without it there is no store. */
int prn_store_backup(struct prn_store *store, const char *path, struct prn_error *error)
{
	int failed = each_shard(store, PRN_STORE_READ, copy_shard, (char *)(uintptr_t)path, error);

	return failed ? failed : prn_store_backup_one(store, path, error);
}
