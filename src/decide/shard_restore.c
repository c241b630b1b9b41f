/* Brings shards that are gone back from a backup. */
#include "perennial/shard.h"

#include "decide/shards.h"
#include "store/shards.h"

#include <stdlib.h>

/* A list of shards, and what the backup has in its place. */
struct restoring {
	struct prn_decider *root;
	struct prn_store *backup;
	prn_shard_restored_fn *tell; /* NULL: nobody */
	void *context;
	bool *listed;            /* [list_size]: which shards are to stand */
	struct prn_decider *own; /* the list; NULL: it is gone */
	struct prn_store *from;  /* the backup's; NULL: none that can be read … */
	struct prn_error why;    /* … and this is why */
};

/* Whether the error is of the one shard, or the one list, only: then others are brought back nevertheless. */
static bool is_of_the_part(int code)
{
	return code == PRN_E_NOT_FOUND || code == PRN_E_DAMAGED || code == PRN_E_TRUNCATED || code == PRN_E_VERSION;
}

static void tell(const struct restoring *restoring, size_t shard, uint64_t pages, const struct prn_error *why)
{
	if (restoring->tell)
		restoring->tell(restoring->context, shard, pages, why);
}

/*
 * Reports a shard that this process had open when its files went.  All that the process acknowledges there is in files that
 * have no name any more, and would be until the shard is closed.
 */
static void tell_open(const struct restoring *restoring, size_t shard)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_LIMIT, "%s: shard %zu is gone, and this process still has its files open: it is brought back by who has not",
	              prn_store_path(restoring->root->store), shard);
	tell(restoring, shard, 0, &why);
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
	if (prn_shards_is_open(root, shard)) {
		tell_open(restoring, shard);
		return 0;
	}
	if (restoring->from) {
		prn_error_set(&why, PRN_E_NOT_FOUND, "%s: has no shard %zu", prn_store_path(restoring->backup), shard);
		code = prn_shard_restore(root->store, restoring->backup, restoring->from, shard, &pages, &why);
	} else {
		code = why.code;
	}
	if (is_of_the_part(code)) {
		tell(restoring, shard, 0, &why);
		return 0;
	}
	if (code && error)
		*error = why;
	/* A list that is gone is made anew, and knows nothing. */
	if (!code && restoring->own)
		code = prn_shards_forget(root, shard, error);
	if (!code)
		tell(restoring, shard, pages, NULL);
	return code;
}

/*
 * If a list is gone, the backup's list tells which shards there were; shards that were made since are found by their places.
 */
static int restore_listed(struct restoring *restoring, size_t list, struct prn_error *error)
{
	size_t size = restoring->root->shards->list_size, count;
	struct prn_store *tells = restoring->own ? restoring->own->store : restoring->from;
	int code = tells ? prn_shards_list(tells, restoring->listed, size, error) : 0;

	for (size_t i = 0; tells && i < size && !code; i++)
		if (restoring->listed[i])
			code = restore_shard(restoring, list * size + i, error);
	if (!code && !restoring->own)
		code = prn_shards_list_remake(restoring->root->store, list, restoring->root->shards->count, &count, error);
	if (!code && !restoring->own)
		code = prn_shards_forget_list(restoring->root, list, error);
	return code;
}

/* 0 with from NULL: the backup has none that can be read. */
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
		/* One that is damaged is mended first. */
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

int prn_decider_restore_shards(struct prn_decider *decider, const char *backup, prn_shard_restored_fn *tell_of, void *context,
                               struct prn_error *error)
{
	struct restoring restoring = { .root = decider, .tell = tell_of, .context = context };
	int code = prn_decider_check_writer(decider, error);

	if (!code && !decider->shards)
		code = prn_error_set(error, PRN_E_ARGUMENT, "%s: has no shards: a backup of it is a store like it, which takes its place as a whole",
		                     prn_store_path(decider->store));
	if (!code)
		code = prn_decider_commit(decider, error);
	if (!code)
		code = prn_store_open(&restoring.backup, backup, PRN_STORE_READ, 0, error);
	if (!code)
		code = restore_all(&restoring, error);
	prn_store_free(restoring.backup);
	return code;
}
