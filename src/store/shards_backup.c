/*
 * A copy of a store, of one that is spread with its shards.  Of each list the copy is made first, aside, and then copies of what
 * that one lists, so that none is missing that was made meanwhile; then it is put where it is to stand: of lists before the
 * root, which makes a store of all.
 */
#include "store/shards.h"

#include "store/shared.h"
#include "store/store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct copying {
	struct prn_store *root;
	const char *path;
	struct prn_store *mark;
	size_t count, lists, size; /* of shards; of lists; of a list */
	bool is_new;               /* the mark; then what fails before anything was copied leaves nothing */
	size_t copied;             /* shards that the copy has */
};

/* A list of shards that is copied; of several lists also the root, which lists these. */
struct listing {
	struct copying *copying;
	struct prn_store *store;
	size_t first; /* of its shards */
};

static const struct prn_tables_kind *kind_at(const char *path, const char **place)
{
	return prn_tables_find(path, place);
}

/* Whoever is at work on a copy has its mark: others do not remove what is being made. */
static int hold(const struct prn_store *mark, struct prn_error *error)
{
	const struct prn_tables_kind *kind = mark->tables->kind;

	return kind->hold ? kind->hold(mark->tables, error) : 0;
}

/* Removes what stands at an address, or was begun there, of a copy that is marked.  It is fine if there is nothing. */
static int remove_part(struct prn_store *mark, const char *address, bool is_list, size_t number, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = kind_at(address, &place);
	int failed = prn_shards_find(mark, address, is_list, number, error);

	if (failed && failed != PRN_E_NOT_FOUND && kind->is_begun && kind->is_begun(place))
		failed = 0;
	if (!failed)
		failed = kind->remove(place, error);
	return failed == PRN_E_NOT_FOUND ? 0 : failed;
}

/* 0: a part stands there already; PRN_E_NOT_FOUND: it is to be copied. */
static int find_part(const struct copying *copying, const char *address, bool is_list, size_t number, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = kind_at(address, &place);
	int failed = hold(copying->mark, error);

	if (!failed)
		failed = prn_shards_find(copying->root, address, is_list, number, error);
	if (failed && failed != PRN_E_NOT_FOUND && kind->is_begun && kind->is_begun(place)) {
		failed = kind->remove(place, error);
		return failed ? failed : PRN_E_NOT_FOUND;
	}
	return failed;
}

static int copy_shard(const struct listing *listing, size_t number, struct prn_error *error)
{
	struct copying *copying = listing->copying;
	char *address = prn_shard_address(copying->path, number);
	struct prn_store *shard = NULL;
	int failed = address ? find_part(copying, address, false, number, error) : prn_error_memory(error);

	if (failed == PRN_E_NOT_FOUND) {
		failed = prn_shard_open(&shard, copying->root, listing->store, number, PRN_STORE_READ, false, 0, error);
		if (!failed)
			failed = prn_store_backup_one(shard, address, 0, NULL, NULL, error);
		prn_store_free(shard);
	}
	copying->copied += !failed;
	free(address);
	return failed;
}

static int copy_shards(void *context, const bool *listed, struct prn_error *error)
{
	const struct listing *listing = context;
	int failed = 0;

	for (size_t i = 0; i < listing->copying->size && !failed; i++)
		if (listed[i])
			failed = copy_shard(listing, listing->first + i, error);
	return failed;
}

static int copy_list(struct copying *copying, size_t number, struct prn_error *error)
{
	char *address = prn_shards_list_address(copying->path, number);
	struct listing listing = { .copying = copying, .first = number * copying->size };
	int failed = address ? find_part(copying, address, true, number, error) : prn_error_memory(error);

	if (failed == PRN_E_NOT_FOUND) {
		failed = prn_shards_list_open(&listing.store, copying->root, number, PRN_STORE_READ, false, 0, error);
		if (!failed)
			failed = prn_store_backup_one(listing.store, address, copying->size, copy_shards, &listing, error);
		prn_store_free(listing.store);
	}
	free(address);
	return failed;
}

static int copy_lists(void *context, const bool *listed, struct prn_error *error)
{
	struct copying *copying = ((const struct listing *)context)->copying;
	int failed = 0;

	for (size_t i = 0; i < copying->lists && !failed; i++)
		if (listed[i])
			failed = copy_list(copying, i, error);
	return failed;
}

static int make_mark(const struct copying *copying, const char *address, struct prn_error *error)
{
	char id[PRN_SHARDS_ID_TEXT], count[32];
	int failed = prn_shards_read_text(copying->root, PRN_SHARDS_ID, id, sizeof id, error);
	const struct prn_store_setting settings[] = { { PRN_SHARD_NAME, PRN_SHARDS_BACKUP },
		                                      { PRN_SHARDS_NAME, count },
		                                      { PRN_SHARDS_ID, id } };

	snprintf(count, sizeof count, "%zu", copying->count);
	return failed ? failed : prn_store_create_one(address, settings, *id ? 3 : 2, error);
}

/* Opens the mark of a copy that was begun, and holds it.  PRN_E_NOT_FOUND (and *error is untouched): none was */
static int open_mark(struct prn_store **mark, const char *address, struct prn_error *error)
{
	struct prn_store *store = NULL;
	struct prn_error why = { 0 };
	int failed = prn_store_open_one(&store, address, PRN_STORE_WRITE, 0, &why);

	if (!failed)
		failed = hold(store, &why);
	if (failed) {
		prn_store_free(store);
		if (failed != PRN_E_NOT_FOUND && error)
			*error = why;
		return failed;
	}
	*mark = store;
	return 0;
}

static int check_mark(const struct copying *copying, struct prn_error *error)
{
	const char *own, *marked;
	int failed = prn_shards_identity(copying->root, &own, error);

	if (!failed)
		failed = prn_shards_identity(copying->mark, &marked, error);
	if (!failed && strcmp(own, marked))
		failed = prn_error_set(error, PRN_E_IO, "%s: is of another store than %s a copy that was not finished: it can be removed "
		                       "(--discard)", copying->path, prn_store_path(copying->root));
	return failed;
}

static int begin(struct copying *copying, const char *address, bool resume, struct prn_error *error)
{
	int failed = open_mark(&copying->mark, address, error);

	if (failed == PRN_E_NOT_FOUND) {
		failed = make_mark(copying, address, error);
		copying->is_new = !failed;
		return failed ? failed : open_mark(&copying->mark, address, error);
	}
	if (!failed && !resume)
		failed = prn_error_set(error, PRN_E_IO, "%s: a copy of a store was begun there and not finished: --resume goes on with it, "
		                       "--discard removes it", copying->path);
	return failed ? failed : check_mark(copying, error);
}

/* Nobody takes the mark in between: it goes before it is let go, but for folders, whose lock goes with them. */
static void drop_mark(struct prn_store *mark, const char *address)
{
	const char *place;
	const struct prn_tables_kind *kind = kind_at(address, &place);

	prn_store_free(mark);
	kind->remove(place, NULL);
}

/* What is left of it, and of nobody's work now, goes. */
static int sweep(const char *path, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = kind_at(path, &place);
	uint64_t count = 0;

	return kind->leftovers ? kind->leftovers(place, true, NULL, NULL, &count, error) : 0;
}

static int stands(const char *path, struct prn_error *error)
{
	struct prn_store *store;
	const char *place;
	const struct prn_tables_kind *kind = kind_at(path, &place);
	int failed = prn_store_open_one(&store, path, PRN_STORE_READ, 0, NULL);

	if (failed == PRN_E_NOT_FOUND || (failed && kind->is_begun && kind->is_begun(place)))
		return 0;
	if (!failed)
		prn_store_free(store);
	return prn_error_set(error, PRN_E_IO, "%s: a store is there already", path);
}

static int copy_spread(struct copying *copying, bool resume, struct prn_error *error)
{
	struct listing listing = { copying, copying->root, 0 };
	char *address = prn_shards_backup_address(copying->path);
	const char *place;
	const struct prn_tables_kind *kind = kind_at(copying->path, &place);
	int failed = address ? stands(copying->path, error) : prn_error_memory(error);

	copying->lists = prn_shards_lists(copying->count);
	copying->size = prn_shards_list_size(copying->count);
	if (!failed)
		failed = begin(copying, address, resume, error);
	if (!failed && kind->is_begun && kind->is_begun(place))
		failed = kind->remove(place, error);
	if (!failed)
		failed = copying->lists > 1
		                 ? prn_store_backup_one(copying->root, copying->path, copying->lists, copy_lists, &listing, error)
		                 : prn_store_backup_one(copying->root, copying->path, copying->size, copy_shards, &listing, error);
	if (!copying->mark || (failed && (!copying->is_new || copying->copied)))
		prn_store_free(copying->mark);
	else
		drop_mark(copying->mark, address);
	if (failed && copying->copied)
		prn_error_prefix(error, "%s: not finished, --resume goes on with it", copying->path);
	free(address);
	return failed;
}

static int backup(struct prn_store *store, const char *path, bool resume, struct prn_error *error)
{
	struct copying copying = { .root = store, .path = path };
	int failed = prn_store_backup_check(store, path, error);

	if (!failed)
		failed = prn_shards_count(store, &copying.count, error);
	/* Of several shards the mark tells more. */
	if (!failed && copying.count == 1 && !stands(path, NULL))
		failed = prn_shards_check_place(path, error);
	if (!failed)
		failed = sweep(path, error);
	if (failed)
		return failed;
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

/* Lists go first: one that stands has all its shards. */
static int discard_parts(struct prn_store *mark, const char *path, struct prn_error *error)
{
	size_t count, lists, parts;
	int failed = prn_shards_count(mark, &count, error);

	if (failed)
		return failed;
	lists = prn_shards_lists(count) > 1 ? prn_shards_lists(count) : 0;
	parts = count + lists;
	for (size_t i = 0; i < parts && !failed; i++) {
		bool is_list = i < lists;
		size_t number = is_list ? i : i - lists;
		char *address = is_list ? prn_shards_list_address(path, number) : prn_shard_address(path, number);

		failed = hold(mark, error);
		if (!failed)
			failed = address ? remove_part(mark, address, is_list, number, error) : prn_error_memory(error);
		free(address);
	}
	return failed;
}

/* Where a store stands, the mark alone was left. */
int prn_store_backup_discard(const char *path, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = kind_at(path, &place);
	char *address = prn_shards_backup_address(path);
	struct prn_store *mark = NULL;
	int failed = address ? open_mark(&mark, address, error) : prn_error_memory(error);

	if (failed == PRN_E_NOT_FOUND)
		failed = prn_error_set(error, PRN_E_NOT_FOUND, "%s: no copy of a store of several shards was begun there", path);
	else if (!failed && !stands(path, NULL)) {
		failed = discard_parts(mark, path, error);
		if (!failed && kind->is_begun && kind->is_begun(place))
			failed = kind->remove(place, error);
		if (!failed)
			failed = sweep(path, error);
	}
	if (failed)
		prn_store_free(mark);
	else
		drop_mark(mark, address);
	free(address);
	return failed;
}
