#include "decide/reshard_internal.h"

#include "store/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The version of a cluster is known only once something was read. */
static int read_version(struct prn_view *view, uint64_t *version, struct prn_error *error)
{
	struct prn_store_reader reader = { .view = view };
	const void *bytes;
	size_t count;
	int code = prn_store_reader_side(&reader, PRN_SIDE_META, PRN_SHARDS_ID, strlen(PRN_SHARDS_ID), &bytes, &count, error);

	*version = prn_view_version(view);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

static int root_version(const struct prn_reshard *reshard, uint64_t *version, struct prn_error *error)
{
	struct prn_view *view;
	int code = prn_view_open(&view, reshard->from->store, error);

	if (code)
		return code;
	code = read_version(view, version, error);
	prn_view_close(view);
	return code;
}

#define OPENINGS 10

/* Checks that the root is as it was when the resharding was begun.  The first time, notes its version. */
static int check_root(struct prn_reshard *reshard, struct prn_error *error)
{
	char text[PRN_RESHARD_NOTE_BYTES], now[PRN_RESHARD_NOTE_BYTES];
	uint64_t version = 0;
	int code = root_version(reshard, &version, error);

	if (!code)
		code = prn_reshard_note_read(reshard, "done/root", text, error);
	if (code)
		return code;
	snprintf(now, sizeof now, "%" PRIu64, version);
	if (!*text)
		return prn_reshard_note_put(reshard, "done/root", now, error);
	return version && !strcmp(text, now) ? 0 : prn_reshard_was_written_to(reshard, error);
}

/* The new store is put in place only if all of it is of one moment of the old one. */
static int check_unchanged(struct prn_reshard *reshard, struct prn_error *error)
{
	int code = prn_reshard_check_shards(reshard, error);

	return code ? code : check_root(reshard, error);
}

/* Opens the old store, first for reading: opening for writing would migrate an older schema, and finish a change of settings. */
static int open_from(struct prn_reshard *reshard, const char *path, struct prn_error *error)
{
	struct prn_decider_options options;
	struct prn_decider *decider = NULL;
	struct prn_view *view;
	bool older = false;
	int code = prn_decider_open(&decider, path, PRN_STORE_READ, NULL, error);

	if (!code)
		code = prn_view_open(&view, decider->store, error);
	if (!code) {
		code = prn_schema_is_older(view, &older, error);
		prn_view_close(view);
	}
	if (!code && reshard->options->progress) {
		struct prn_store_totals totals;

		/* Pages that cannot be counted are reported when they are to be moved. */
		reshard->pages = prn_store_totals(decider->store, &totals, NULL) ? 0 : totals.pages;
	}
	prn_decider_free(decider);
	if (!code && older)
		return prn_error_set(error, PRN_E_VERSION, "%s: an older program made it: whatever writes to it brings it up to date first", path);
	if (code)
		return code;
	prn_decider_options_init(&options);
	options.lock_wait_s = reshard->options->lock_wait_s;
	return prn_decider_open(&reshard->from, path, PRN_STORE_WRITE, &options, error);
}

/* ---- the mark of the new store ---- */

static int make_mark(const struct prn_reshard *reshard, const char *address, struct prn_error *error)
{
	char id[PRN_SHARDS_ID_TEXT], count[PRN_RESHARD_NOTE_BYTES];
	const struct prn_store_setting settings[] = { { PRN_SHARD_NAME, PRN_SHARDS_BACKUP },
		                                      { PRN_SHARDS_NAME, count },
		                                      { PRN_SHARDS_ID, id },
		                                      { PRN_SHARDS_RESHARD, "1" },
		                                      { PRN_GIANTS_NAME, reshard->giants ? reshard->giants : "" } };
	int code = prn_shards_check_free(reshard->path, reshard->count, error);

	if (!code)
		code = prn_shards_make_id(id, error);
	snprintf(count, sizeof count, "%zu", reshard->count);
	return code ? code : prn_store_create_one(address, settings, 5, error);
}

/* Checks that the mark is of this same resharding. */
static int check_mark(const struct prn_reshard *reshard, struct prn_error *error)
{
	const char *wanted = reshard->giants ? reshard->giants : "";
	char *giants = calloc(1, strlen(wanted) + 2), text[PRN_RESHARD_NOTE_BYTES];
	size_t count = 0;
	int code = giants ? prn_reshard_note_read(reshard, PRN_SHARDS_RESHARD, text, error) : prn_error_memory(error);
	bool same = false;

	if (!code && *text)
		code = prn_shards_count(reshard->mark.store, &count, error);
	if (!code)
		code = prn_shards_read_text(reshard->mark.store, PRN_GIANTS_NAME, giants, strlen(wanted) + 2, error);
	same = !code && count == reshard->count && !strcmp(giants, wanted);
	free(giants);
	if (code || same)
		return code;
	return count ? prn_error_set(error, PRN_E_IO, "%s: a store of %zu shards%s was begun there: go on with it as it was begun, or remove it "
	                             "(--discard)", reshard->path, count, count == reshard->count ? " with other giants" : "")
	             : prn_error_set(error, PRN_E_IO, "%s: a copy of a store was begun there: 'perennial backup' goes on with it (--resume), or "
	                             "removes it (--discard)", reshard->path);
}

static int load_made(struct prn_reshard *reshard, struct prn_error *error)
{
	const void *name, *value;
	size_t name_bytes, length;
	struct prn_walk *walk = NULL;
	struct prn_view *view;
	int got = 0, code = prn_view_open(&view, reshard->mark.store, error);

	if (code)
		return code;
	code = prn_view_freeze(view, error);
	if (!code)
		code = prn_walk_side(&walk, view, PRN_SIDE_META, error);
	while (!code && (got = prn_walk_side_next(walk, &name, &name_bytes, &value, &length, error)) == 1) {
		char text[PRN_RESHARD_NOTE_BYTES] = "";
		size_t place;

		if (name_bytes < sizeof text)
			memcpy(text, name, name_bytes);
		if (sscanf(text, "made/%zu", &place) == 1 && place < reshard->count)
			reshard->made[place] = PRN_RESHARD_MADE;
	}
	prn_walk_free(walk);
	prn_view_close(view);
	return code ? code : got;
}

/* Finds whether the new store is already in its place, because a process died before it could remove the mark. */
static int is_in_place(const struct prn_reshard *reshard, bool *ours, struct prn_error *error)
{
	char id[PRN_SHARDS_ID_TEXT] = "", own[PRN_SHARDS_ID_TEXT] = "";
	struct prn_store *store;
	bool stands;
	int code = prn_copy_check_free(reshard->path, &stands, error);

	*ours = false;
	if (code || !stands)
		return code;
	if (reshard->mark.store && !prn_store_open_one(&store, reshard->path, PRN_STORE_READ, 0, NULL)) {
		if (prn_shards_read_text(store, PRN_SHARDS_ID, id, sizeof id, NULL) ||
		    prn_shards_read_text(reshard->mark.store, PRN_SHARDS_ID, own, sizeof own, NULL))
			*id = 0;
		prn_store_free(store);
	}
	*ours = *id && !strcmp(id, own);
	return *ours ? 0 : prn_error_set(error, PRN_E_IO, "%s: a store is there already", reshard->path);
}

/* Opens the mark, or makes one. */
static int begin(struct prn_reshard *reshard, struct prn_error *error)
{
	char *address = prn_shards_backup_address(reshard->path);
	uint64_t left = 0;
	bool ours;
	int code = address ? prn_copy_mark_open(&reshard->mark, address, error) : prn_error_memory(error);

	if (code == PRN_E_NOT_FOUND) {
		/* A finished resharding is not resumed. */
		code = is_in_place(reshard, &ours, error);
		if (!code)
			code = prn_copy_sweep(reshard->path, &left, error);
		if (!code)
			code = make_mark(reshard, address, error);
		reshard->is_new = !code;
		if (!code)
			code = prn_copy_mark_open(&reshard->mark, address, error);
	} else if (!code) {
		code = check_mark(reshard, error);
		if (!code && !reshard->options->resume)
			code = prn_error_set(error, PRN_E_IO, "%s: this was begun there and not finished: --resume goes on with it, --discard removes it",
			                     reshard->path);
		if (!code)
			code = prn_copy_sweep(reshard->path, &left, error);
	}
	free(address);
	if (!code)
		code = prn_batch_open(&reshard->notes, reshard->mark.store, error);
	return code ? code : load_made(reshard, error);
}

/* After a failure, the shards that were made are kept to be resumed; if there are none, the mark is removed too. */
static int end(struct prn_reshard *reshard, int code, struct prn_error *error)
{
	bool made = false;

	prn_batch_free(reshard->notes);
	reshard->notes = NULL;
	if (!reshard->mark.store)
		return code;
	if (!code) {
		code = prn_copy_mark_remove(&reshard->mark, error);
		if (code)
			prn_error_prefix(error, "%s: is finished, but its mark stays, which --resume removes", reshard->path);
		return code;
	}
	for (size_t i = 0; i < reshard->count && reshard->made; i++)
		made |= reshard->made[i] != PRN_RESHARD_UNMADE;
	if (reshard->is_new && !made)
		prn_copy_mark_remove(&reshard->mark, NULL);
	else if (code != PRN_E_BUSY && (reshard->is_new || reshard->options->resume))
		prn_error_prefix(error, "%s: not finished, --resume goes on with it", reshard->path);
	prn_copy_mark_free(&reshard->mark);
	return code;
}

static int make(struct prn_reshard *reshard, struct prn_error *error)
{
	int code = check_root(reshard, error);

	if (!code)
		code = prn_reshard_each_source(reshard, prn_reshard_source_move, NULL, error);
	code = prn_reshard_close_parts(reshard, code, error);
	if (!code)
		code = check_unchanged(reshard, error);
	return code ? code : prn_reshard_finish(reshard, error);
}

/* Removes a store that should not have been put in place, unless it is already in use: then it only lacks late writes to the old one. */
static int take_back(struct prn_reshard *reshard, struct prn_store *store, struct prn_view *view, struct prn_error *error)
{
	struct prn_error why;
	int code = prn_store_remove_after_take(store, view, &why);

	if (!code || code == PRN_E_NOT_FOUND)
		return prn_reshard_was_written_to(reshard, error);
	return prn_error_set(error, PRN_E_BUSY, "%s: stands, and lacks what was written to %s in its last moments: stop what writes to either, remove "
	                     "it and begin anew (it could not be taken back: %s)", reshard->path, prn_store_path(reshard->from->store), why.text);
}

/*
 * In a cluster nothing kept others from writing to the old store.  If the old store is unchanged once the new one is in place,
 * it was unchanged at the moment when that was put there.  A check only before would miss writes between it and that moment.
 */
static int check_late(struct prn_reshard *reshard, bool made_now, struct prn_error *error)
{
	struct prn_store *store;
	struct prn_view *view;
	uint64_t version;
	int code;

	if (!prn_store_is_shared(reshard->from->store))
		return 0;
	code = prn_store_open_one(&store, reshard->path, PRN_STORE_WRITE, 0, error);
	if (code)
		return code;
	code = prn_view_open(&view, store, error);
	if (code) {
		prn_store_free(store);
		return code;
	}
	code = read_version(view, &version, error);
	if (!code)
		code = check_unchanged(reshard, error);
	if (code && reshard->is_outdated && made_now)
		return take_back(reshard, store, view, error);
	prn_view_close(view);
	prn_store_free(store);
	if (!code || !reshard->is_outdated)
		return code;
	/* A process that resumes after the store was put in place does not know whether the store was used since. */
	return prn_error_set(error, PRN_E_BUSY, "%s: stands, and %s was written to since it was begun: if that was before it stood, it lacks that: remove it "
	                     "and begin anew, or keep it and remove its mark (--discard)", reshard->path, prn_store_path(reshard->from->store));
}

/* Removes the one part of a store without shards, which was copied to its place. */
static int remove_part(const struct prn_reshard *reshard, struct prn_error *error)
{
	char *address = prn_shard_address(reshard->path, 0);
	const char *place;
	const struct prn_tables_kind *kind;
	int code = address ? prn_shards_find(reshard->mark.store, address, false, 0, error) : prn_error_memory(error);

	if (!code) {
		kind = prn_tables_find(address, &place);
		code = kind->remove(place, error);
	}
	free(address);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

static int reshard_to(struct prn_reshard *reshard, const char *from, struct prn_error *error)
{
	bool ours = false;
	int tries = 0, code = prn_tables_check(reshard->path, error);

	if (!code)
		code = prn_shards_check_target(reshard->path, error);
	if (code)
		return code;
	/* Nothing was begun yet, so opening is repeated if another process writes meanwhile. */
	do
		code = open_from(reshard, from, error);
	while (code == PRN_E_CONFLICT && ++tries < OPENINGS);
	if (code)
		return code;
	reshard->from_count = prn_decider_shards(reshard->from);
	code = is_in_place(reshard, &ours, error);
	/* A store that is there may be this one: that is known once its mark is open. */
	if (code == PRN_E_IO && reshard->options->resume)
		code = 0;
	if (!code)
		code = begin(reshard, error);
	if (!code)
		code = is_in_place(reshard, &ours, error);
	if (!code && !ours)
		code = make(reshard, error);
	if (!code)
		code = check_late(reshard, !ours, error);
	if (!code && reshard->count == 1)
		code = remove_part(reshard, error);
	return end(reshard, code, error);
}

static int check_options(struct prn_reshard *reshard, struct prn_error *error)
{
	const struct prn_reshard_options *options = reshard->options;

	reshard->count = options->shards ? options->shards : 1;
	if (options->shards > PRN_SHARDS_MOST || (options->shards & (options->shards - 1)))
		return prn_error_set(error, PRN_E_ARGUMENT, "shards are a power of two, %d at most, not %u", PRN_SHARDS_MOST, options->shards);
	return options->giant_count ? prn_giants_write(options->giants, options->giant_count, (unsigned)reshard->count, &reshard->giants, error) : 0;
}

/* Prepares the part of the new store's decider that says where a page belongs: its shards and giants. */
static int prepare_to(struct prn_reshard *reshard, struct prn_error *error)
{
	int code = 0;

	reshard->to_shards.count = reshard->count;
	reshard->to.shards = &reshard->to_shards;
	reshard->made = calloc(reshard->count, 1);
	if (reshard->made && reshard->giants)
		code = prn_giants_read(&reshard->to_shards, reshard->giants, strlen(reshard->giants));
	return !reshard->made || code ? prn_error_memory(error) : 0;
}

int prn_reshard(const char *from, const char *to, const struct prn_reshard_options *options, struct prn_resharded *done, struct prn_error *error)
{
	struct prn_reshard *reshard = calloc(1, sizeof *reshard);
	int code;

	if (!reshard)
		return prn_error_memory(error);
	reshard->options = options;
	reshard->path = to;
	code = check_options(reshard, error);
	if (!code)
		code = prepare_to(reshard, error);
	if (!code)
		code = reshard_to(reshard, from, error);
	if (!code && done)
		*done = reshard->done;
	prn_decider_free(reshard->from);
	prn_giants_free(reshard->to_shards.giants, reshard->to_shards.giant_count);
	free(reshard->giants);
	free(reshard->made);
	free(reshard);
	return code;
}

int prn_reshard_discard(const char *to, struct prn_store_discarded *discarded, struct prn_error *error)
{
	return prn_store_backup_discard(to, discarded, error);
}
