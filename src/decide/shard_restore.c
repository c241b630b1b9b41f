/* Restores shards that are gone from a backup. */
#include "perennial/shard.h"

#include "decide/shards.h"
#include "store/shards.h"

#include <stdlib.h>

/* A list of shards that is being restored. */
struct restoring {
	struct prn_decider *root;
	struct prn_store *backup;
	prn_shard_restored_fn *report; /* or NULL */
	void *context;
	bool *listed;            /* [list_size]: the shards that there should be */
	struct prn_decider *own; /* the store's list; NULL: it is gone */
	struct prn_store *from;  /* the backup's list; NULL: none that can be read … */
	struct prn_error why;    /* … and this is why */
};

static void report(const struct restoring *restoring, size_t shard, uint64_t pages, const struct prn_error *why)
{
	if (restoring->report)
		restoring->report(restoring->context, shard, pages, why);
}

/* Whether the error is only of one shard, or one list, so that others are restored nevertheless. */
static bool is_of_the_part(int code)
{
	return code == PRN_E_NOT_FOUND || code == PRN_E_DAMAGED || code == PRN_E_TRUNCATED || code == PRN_E_VERSION;
}

static int restore_shard(struct restoring *restoring, size_t shard, struct prn_error *error)
{
	struct prn_decider *root = restoring->root;
	struct prn_error why = restoring->why;
	uint64_t pages;
	bool gone;
	int code = prn_shards_is_gone(root->store, false, shard, &gone, error);

	if (code || !gone)
		return code;
	/* What this process acknowledges for a shard that it has open is in files without a name, until it closes the shard. */
	if (prn_shards_is_open(root, shard)) {
		prn_error_set(&why, PRN_E_LIMIT, "%s: shard %zu is gone, and this process still has its files open: it is brought back by who has not",
		              prn_store_path(root->store), shard);
		report(restoring, shard, 0, &why);
		return 0;
	}
	if (restoring->from) {
		prn_error_set(&why, PRN_E_NOT_FOUND, "%s: has no shard %zu", prn_store_path(restoring->backup), shard);
		code = prn_shard_restore(root->store, restoring->backup, restoring->from, shard, &pages, &why);
	} else {
		code = why.code;
	}
	if (is_of_the_part(code)) {
		report(restoring, shard, 0, &why);
		return 0;
	}
	if (code && error)
		*error = why;
	/* A list that is gone is made anew, with no entries that could be outdated. */
	if (!code && restoring->own)
		code = prn_shards_forget(root, shard, error);
	if (!code)
		report(restoring, shard, pages, NULL);
	return code;
}

/* If a list is gone, the backup's list says which shards there were; shards that were made since are found at their places. */
static int restore_listed(struct restoring *restoring, size_t list, struct prn_error *error)
{
	size_t size = restoring->root->shards->list_size, count;
	struct prn_store *list_store = restoring->own ? restoring->own->store : restoring->from;
	int code = list_store ? prn_shards_list(list_store, restoring->listed, size, error) : 0;

	for (size_t i = 0; list_store && i < size && !code; i++)
		if (restoring->listed[i])
			code = restore_shard(restoring, list * size + i, error);
	if (!code && !restoring->own)
		code = prn_shards_list_remake(restoring->root->store, list, restoring->root->shards->count, &count, error);
	if (!code && !restoring->own)
		code = prn_shards_forget_list(restoring->root, list, error);
	return code;
}

/* Opens the backup's list.  Returns 0 with from NULL if the backup has none that can be read. */
static int open_from(struct restoring *restoring, size_t list)
{
	struct prn_store *backup = restoring->backup;
	int code;

	restoring->from = restoring->root->shards->list_count == 1 ? backup : NULL;
	if (restoring->from)
		return 0;
	prn_error_set(&restoring->why, PRN_E_NOT_FOUND, "%s: has no list %zu of shards", prn_store_path(backup), list);
	code = prn_shards_list_open(&restoring->from, backup, list, PRN_STORE_READ, false, 0, &restoring->why);
	return is_of_the_part(code) ? 0 : code;
}

static int restore_list(struct restoring *restoring, size_t list, struct prn_error *error)
{
	struct prn_decider *root = restoring->root;
	bool gone = false;
	int code = prn_shards_list_of(root, list, &restoring->own, error);

	if (code == PRN_E_NOT_FOUND)
		return 0;
	if (is_of_the_part(code)) {
		restoring->own = NULL;
		code = prn_shards_is_gone(root->store, true, list, &gone, error);
		/* A damaged list must be repaired first. */
		if (!code && !gone)
			return 0;
	}
	if (!code) {
		code = open_from(restoring, list);
		if (code && error)
			*error = restoring->why;
	}
	if (!code)
		code = restore_listed(restoring, list, error);
	if (restoring->from != restoring->backup)
		prn_store_free(restoring->from);
	restoring->from = NULL;
	return code;
}

static int restore_all(struct restoring *restoring, struct prn_error *error)
{
	struct prn_shards *shards = restoring->root->shards;
	int code = prn_shards_check_copy(restoring->root->store, restoring->backup, error);

	restoring->listed = calloc(shards->list_size, sizeof *restoring->listed);
	if (!code && !restoring->listed)
		code = prn_error_memory(error);
	for (size_t i = 0; i < shards->list_count && !code; i++)
		code = restore_list(restoring, i, error);
	free(restoring->listed);
	return code;
}

int prn_decider_restore_shards(struct prn_decider *decider, const char *backup, prn_shard_restored_fn *restored, void *context,
                               struct prn_error *error)
{
	struct restoring restoring = { .root = decider, .report = restored, .context = context };
	int code = prn_decider_check_writer(decider, error);

	if (!code && !decider->shards)
		code = prn_error_set(error, PRN_E_ARGUMENT, "%s: has no shards: a backup of it is a store like it, which takes its place as a whole",
		                     prn_store_path(decider->store));
	if (!code)
		code = prn_decider_commit_all(decider, error);
	if (!code)
		code = prn_store_open(&restoring.backup, backup, PRN_STORE_READ, 0, error);
	if (!code)
		code = restore_all(&restoring, error);
	prn_store_free(restoring.backup);
	return code;
}
