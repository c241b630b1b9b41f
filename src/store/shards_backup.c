/*
 * Copies a store; if it is spread, with its shards.  Each list is copied first, aside, and then the shards that this copy lists, so
 * that no shard which was made meanwhile is missing.  Only then is the copy of the list put in its place.  Lists are put there
 * before the root, which makes a store of all the parts.
 */
#include "store/shards.h"

#include "store/copy_mark.h"
#include "store/shared.h"
#include "store/store_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct copying {
	struct prn_store *root;
	const char *path;
	struct prn_copy_mark mark;
	size_t count, lists, size; /* the number of shards, the number of lists, and the size of a list */
	bool is_new;               /* the mark is new: a failure before anything was copied leaves nothing */
	size_t copied;             /* shards that the copy has */
};

/* A list of shards that is being copied; if there are several, also the root, which lists the lists. */
struct listing {
	struct copying *copying;
	struct prn_store *store;
	size_t first; /* of its shards */
};

/* Returns 0 if a part stands there already, and PRN_E_NOT_FOUND if it is still to be copied. */
static int find_part(const struct copying *copying, const char *address, bool is_list, size_t number, struct prn_error *error)
{
	enum prn_standing standing;
	int code = prn_holding_check(copying->mark.holding, error), failed;

	if (!code)
		code = prn_shards_find(copying->root, address, is_list, number, error);
	if (!prn_store_is_unusable(code))
		return code;
	failed = prn_tables_look(address, true, &standing, error);
	return failed ? failed : standing == PRN_STANDING_TABLES ? code : PRN_E_NOT_FOUND;
}

static int copy_shard(const struct listing *listing, size_t number, struct prn_error *error)
{
	struct copying *copying = listing->copying;
	char *address = prn_shard_address(copying->path, number);
	struct prn_store *shard = NULL;
	int code = address ? find_part(copying, address, false, number, error) : prn_error_memory(error);

	if (code == PRN_E_NOT_FOUND) {
		code = prn_shard_open(&shard, copying->root, listing->store, number, PRN_STORE_READ, false, 0, error);
		if (!code)
			code = prn_store_backup_one(shard, address, 0, NULL, NULL, error);
		prn_store_free(shard);
	}
	copying->copied += !code;
	free(address);
	return code;
}

static int copy_shards(void *context, const bool *listed, struct prn_error *error)
{
	const struct listing *listing = context;
	int code = 0;

	for (size_t i = 0; i < listing->copying->size && !code; i++)
		if (listed[i])
			code = copy_shard(listing, listing->first + i, error);
	return code;
}

static int copy_list(struct copying *copying, size_t number, struct prn_error *error)
{
	char *address = prn_shards_list_address(copying->path, number);
	struct listing listing = { .copying = copying, .first = number * copying->size };
	int code = address ? find_part(copying, address, true, number, error) : prn_error_memory(error);

	if (code == PRN_E_NOT_FOUND) {
		code = prn_shards_list_open(&listing.store, copying->root, number, PRN_STORE_READ, false, 0, error);
		if (!code)
			code = prn_store_backup_one(listing.store, address, copying->size, copy_shards, &listing, error);
		prn_store_free(listing.store);
	}
	free(address);
	return code;
}

static int copy_lists(void *context, const bool *listed, struct prn_error *error)
{
	struct copying *copying = ((const struct listing *)context)->copying;
	int code = 0;

	for (size_t i = 0; i < copying->lists && !code; i++)
		if (listed[i])
			code = copy_list(copying, i, error);
	return code;
}

static int make_mark(const struct copying *copying, const char *address, struct prn_error *error)
{
	char id[PRN_SHARDS_ID_TEXT], count[32], *from = prn_shards_real_address(prn_store_path(copying->root));
	int code = from ? prn_shards_read_text(copying->root, PRN_SHARDS_ID, id, sizeof id, error) : prn_error_memory(error);
	const struct prn_store_setting settings[] = { { PRN_SHARD_NAME, PRN_SHARDS_BACKUP },
		                                      { PRN_SHARDS_NAME, count },
		                                      { PRN_SHARDS_FROM, from },
		                                      { PRN_SHARDS_ID, id } };

	snprintf(count, sizeof count, "%zu", copying->count);
	if (!code)
		code = prn_store_create_one(address, settings, *id ? 4 : 3, error);
	free(from);
	return code;
}

/* A copy of the store has the same identity, and may have been written to since.  The mark of an older program does not say its source. */
static int check_from(const struct copying *copying, struct prn_error *error)
{
	char marked[PATH_MAX], *own = prn_shards_real_address(prn_store_path(copying->root));
	int code = own ? prn_shards_read_text(copying->mark.store, PRN_SHARDS_FROM, marked, sizeof marked, error) : prn_error_memory(error);

	if (!code && *marked && strcmp(own, marked) != 0)
		code = prn_error_set(error, PRN_E_IO, "%s: was begun of %s, which %s was copied from, or was before it was moved: it can be removed "
		                     "(--discard)", copying->path, marked, prn_store_path(copying->root));
	free(own);
	return code;
}

static int check_mark(const struct copying *copying, struct prn_error *error)
{
	const char *own, *marked;
	int code = prn_shards_identity(copying->root, &own, error);

	if (!code)
		code = prn_shards_identity(copying->mark.store, &marked, error);
	if (!code && strcmp(own, marked))
		code = prn_error_set(error, PRN_E_IO, "%s: is of another store than %s a copy that was not finished: it can be removed "
		                     "(--discard)", copying->path, prn_store_path(copying->root));
	return code ? code : check_from(copying, error);
}

static int begin(struct copying *copying, const char *address, bool resume, struct prn_error *error)
{
	int code = prn_copy_mark_open(&copying->mark, address, error);

	if (code == PRN_E_NOT_FOUND) {
		code = make_mark(copying, address, error);
		copying->is_new = !code;
		return code ? code : prn_copy_mark_open(&copying->mark, address, error);
	}
	if (!code && !resume)
		code = prn_error_set(error, PRN_E_IO, "%s: a copy of a store was begun there and not finished: --resume goes on with it, "
		                     "--discard removes it", copying->path);
	return code ? code : check_mark(copying, error);
}

static int copy_spread(struct copying *copying, bool resume, struct prn_error *error)
{
	struct listing listing = { copying, copying->root, 0 };
	char *address = prn_shards_backup_address(copying->path);
	enum prn_standing standing;
	bool stands = false;
	int code = address ? prn_copy_check_free(copying->path, &stands, error) : prn_error_memory(error);

	if (!code && stands)
		code = prn_error_set(error, PRN_E_IO, "%s: a store is there already", copying->path);
	copying->lists = prn_shards_lists(copying->count);
	copying->size = prn_shards_list_size(copying->count);
	if (!code)
		code = begin(copying, address, resume, error);
	if (!code)
		code = prn_tables_look(copying->path, true, &standing, error);
	if (!code)
		code = copying->lists > 1
		               ? prn_store_backup_one(copying->root, copying->path, copying->lists, copy_lists, &listing, error)
		               : prn_store_backup_one(copying->root, copying->path, copying->size, copy_shards, &listing, error);
	free(address);
	if (!code) {
		code = prn_copy_mark_remove(&copying->mark, error);
		if (code)
			prn_error_prefix(error, "%s: is finished, but its mark stays, which 'perennial check --repair' removes", copying->path);
		return code;
	}
	/* What was copied is kept, so that the copy can be resumed; if nothing was, nothing is left behind. */
	if (copying->mark.store && copying->is_new && !copying->copied)
		prn_copy_mark_remove(&copying->mark, NULL);
	prn_copy_mark_free(&copying->mark);
	if (copying->copied)
		prn_error_prefix(error, "%s: not finished, --resume goes on with it", copying->path);
	return code;
}

static int backup(struct prn_store *store, const char *path, bool resume, struct prn_error *error)
{
	struct copying copying = { .root = store, .path = path };
	uint64_t left = 0;
	bool stands;
	int code = prn_store_backup_check(store, path, error);

	if (!code)
		code = prn_shards_check_target(path, error);
	if (!code)
		code = prn_shards_count(store, &copying.count, error);
	if (!code)
		code = prn_copy_stands(path, &stands, error);
	/* If there are several shards, the mark tells more. */
	if (!code && copying.count == 1 && !stands)
		code = prn_shards_check_place(path, error);
	if (!code)
		code = prn_copy_sweep(path, &left, error);
	if (code)
		return code;
	return copying.count > 1 ? copy_spread(&copying, resume, error) : prn_store_backup_one(store, path, 0, NULL, NULL, error);
}

int prn_store_backup(struct prn_store *store, const char *path, struct prn_error *error)
{
	return backup(store, path, false, error);
}

int prn_store_backup_resume(struct prn_store *store, const char *path, struct prn_error *error)
{
	return backup(store, path, true, error);
}

struct discarding {
	const char *path;
	struct prn_copy_mark mark;
	struct prn_store_discarded done;
	struct prn_error foreign; /* the error of the first part that stays */
};

/* Removes what was begun at an address and cannot be opened, as why says.  Anything else there stays. */
static int discard_begun(struct discarding *discarding, const char *address, const struct prn_error *why, struct prn_error *error)
{
	enum prn_standing standing;
	struct prn_error told = *why, other = { 0 };
	int code = prn_tables_look(address, true, &standing, &other);

	if (code == PRN_E_DAMAGED && standing == PRN_STANDING_FOREIGN) {
		told = other;
		code = 0;
	}
	if (code) {
		if (error)
			*error = other;
		return code;
	}
	discarding->done.begun += standing == PRN_STANDING_BEGUN;
	if (standing == PRN_STANDING_TABLES || standing == PRN_STANDING_FOREIGN)
		if (!discarding->done.foreign++)
			discarding->foreign = told;
	return 0;
}

/* Removes the part of a marked copy that stands at an address or was begun there.  Anything else there stays. */
static int discard_part(struct discarding *discarding, const char *address, bool is_list, size_t number, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(address, &place);
	struct prn_error why;
	int code = prn_holding_check(discarding->mark.holding, error), found;

	if (code)
		return code;
	found = prn_shards_find(discarding->mark.store, address, is_list, number, &why);
	if (prn_store_is_unusable(found))
		return discard_begun(discarding, address, &why, error);
	if (found == PRN_E_NOT_FOUND)
		return 0;
	if (found) {
		if (error)
			*error = why;
		return found;
	}
	code = kind->remove(place, error);
	if (!code)
		++*(is_list ? &discarding->done.lists : &discarding->done.shards);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

/* Lists are removed first, because a list that is in its place must have all its shards. */
static int discard_parts(struct discarding *discarding, struct prn_error *error)
{
	size_t count, lists, parts;
	int code = prn_shards_count(discarding->mark.store, &count, error);

	if (code)
		return code;
	lists = prn_shards_lists(count) > 1 ? prn_shards_lists(count) : 0;
	parts = count + lists;
	for (size_t i = 0; i < parts && !code; i++) {
		bool is_list = i < lists;
		size_t number = is_list ? i : i - lists;
		char *address = is_list ? prn_shards_list_address(discarding->path, number) : prn_shard_address(discarding->path, number);

		code = address ? discard_part(discarding, address, is_list, number, error) : prn_error_memory(error);
		free(address);
	}
	return code;
}

/* If a store stands there, only the mark was left over. */
static int discard_marked(struct discarding *discarding, struct prn_error *error)
{
	enum prn_standing standing;
	struct prn_store_discarded *done = &discarding->done;
	size_t count = 0;
	int code = prn_copy_stands(discarding->path, &done->stands, error);

	if (!code)
		code = prn_shards_count(discarding->mark.store, &count, error);
	/* A store of a single shard was copied there from its one part, which is left over (perennial/reshard.h). */
	if (!code && (!done->stands || count == 1))
		code = discard_parts(discarding, error);
	if (!code && !done->stands) {
		code = prn_tables_look(discarding->path, true, &standing, error);
		done->begun += !code && standing == PRN_STANDING_BEGUN;
		if (!code)
			code = prn_copy_sweep(discarding->path, &done->begun, error);
	}
	if (!code && done->foreign) {
		if (error)
			*error = discarding->foreign;
		code = PRN_E_DAMAGED;
	}
	if (!code)
		return prn_copy_mark_remove(&discarding->mark, error);
	prn_copy_mark_free(&discarding->mark);
	return code;
}

/* A process that was killed before its copy had a mark, or whose copy needs none, left what it was making. */
static int discard_unmarked(struct discarding *discarding, struct prn_error *error)
{
	int code = prn_copy_stands(discarding->path, &discarding->done.stands, error);

	if (!code && !discarding->done.stands)
		code = prn_copy_sweep(discarding->path, &discarding->done.begun, error);
	if (!code && !discarding->done.begun)
		code = prn_error_set(error, PRN_E_NOT_FOUND, "%s: there is no copy of a store that was begun and not finished%s",
		                     discarding->path, discarding->done.stands ? ": a store is there" : "");
	return code;
}

int prn_store_backup_discard(const char *path, struct prn_store_discarded *discarded, struct prn_error *error)
{
	struct discarding discarding = { .path = path };
	char *address = prn_shards_backup_address(path);
	int code = prn_tables_check(path, error);

	if (!code)
		code = address ? prn_copy_mark_open(&discarding.mark, address, error) : prn_error_memory(error);
	if (!code)
		code = discard_marked(&discarding, error);
	else if (code == PRN_E_NOT_FOUND)
		code = discard_unmarked(&discarding, error);
	free(address);
	if (discarded)
		*discarded = discarding.done;
	return code;
}
