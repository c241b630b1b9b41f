/*
 * Writes what follows from all shards of a new store: their loads, the lists of them, and the root with the settings, which is
 * made in memory and put in its place last.  If the store has no shards, its one part gets the settings and is copied to its place.
 */
#include "decide/reshard_internal.h"

#include "decide/answers.h"
#include "decide/giant_gates.h"
#include "decide/ledger.h"
#include "decide/settings_place.h"
#include "decide/shard_index.h"
#include "decide/target_note.h"
#include "store/schema.h"
#include "store/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The settings that belong to the old store's shards, giants and pages are not copied to the new store. */
static bool is_common(const void *name, size_t name_bytes)
{
	static const char *const others[] = { PRN_SCHEMA_NAME,  PRN_MOVING_NAME, PRN_COUNTS_NAME,  PRN_SIBLINGS_NAME, PRN_SHARDS_NAME,
		                              PRN_SHARD_NAME,   PRN_SHARDS_ID,   PRN_SHARD_OF,     PRN_GIANTS_NAME,   PRN_KEY_CHANGED };
	size_t place, gate = strlen(PRN_GATE_KEY);

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (name_bytes == strlen(others[i]) && !memcmp(name, others[i], name_bytes))
			return false;
	return !prn_shard_key_read(name, name_bytes, &place) && !prn_target_note_is(name, name_bytes) &&
	       !(name_bytes > gate && !memcmp(name, PRN_GATE_KEY, gate));
}

static int put_text(struct prn_batch *batch, const char *key, const char *text, struct prn_error *error)
{
	return prn_batch_side_put(batch, PRN_SIDE_META, key, strlen(key), text, text ? strlen(text) : 0, error);
}

static int put_settings(const struct prn_reshard *reshard, struct prn_batch *batch, struct prn_error *error)
{
	const void *name, *value;
	size_t name_bytes, length;
	struct prn_walk *walk = NULL;
	struct prn_view *view;
	int got = 0, code = prn_view_open(&view, reshard->from->store, error);

	if (code)
		return code;
	code = prn_view_freeze(view, error);
	/* If an earlier process died after this, the sums are there already, and must not be added to again. */
	if (!code)
		code = prn_ledger_drop(batch, error);
	if (!code)
		code = put_text(batch, PRN_ANSWERS_NAME, NULL, error);
	if (!code)
		code = prn_walk_side(&walk, view, PRN_SIDE_META, error);
	while (!code && (got = prn_walk_side_next(walk, &name, &name_bytes, &value, &length, error)) == 1)
		if (is_common(name, name_bytes))
			code = prn_batch_side_put(batch, PRN_SIDE_META, name, name_bytes, value, length, error);
	prn_walk_free(walk);
	prn_view_close(view);
	if (!code && reshard->giants)
		code = put_text(batch, PRN_GIANTS_NAME, reshard->giants, error);
	return code ? code : got;
}

/* Puts the settings that a store with pages has: those of a part, not of the root. */
static int put_part_settings(const struct prn_reshard *reshard, struct prn_batch *batch, struct prn_error *error)
{
	struct prn_decider part = { .batch = batch };
	const struct prn_settings_place place = { .number = reshard->from->changes };
	int code = reshard->all_counted ? 0 : put_text(batch, PRN_SIBLINGS_NAME, NULL, error);

	return code || !place.number ? code : prn_settings_put_place(&part, &place, error);
}

/* Counts and puts the loads of a part's pages, if there is a budget. */
static int put_loads(struct prn_reshard *reshard, const struct prn_reshard_part *part, struct prn_loads *loads, struct prn_error *error)
{
	struct prn_view *view;
	int code;

	*loads = (struct prn_loads){ 0 };
	if (!(reshard->from->budget_per_day > 0))
		return 0;
	code = prn_view_open(&view, part->store, error);
	if (code)
		return code;
	code = prn_loads_of(reshard->from, view, loads, error);
	prn_view_close(view);
	return code ? code : prn_loads_put_to(reshard->from, part->batch, loads, error);
}

/* Puts the entry of a shard, or of a list, that was made, with its loads.  It says that something may be due at once. */
static int put_entry(const struct prn_reshard *reshard, struct prn_batch *list, size_t place, const struct prn_loads *loads, struct prn_error *error)
{
	const struct prn_shard_entry entry = { .found = { .pages = PRN_SHARD_PAGES_UNKNOWN }, .maker = prn_loads_maker(reshard->from), .loads = *loads };
	unsigned char bytes[PRN_SHARD_INDEX_BYTES];
	bool has_loads = reshard->from->budget_per_day > 0;
	char key[PRN_SHARD_KEY_BYTES + 1];

	prn_shard_key(place, key);
	if (has_loads)
		prn_shard_index_encode(&entry, bytes);
	return prn_batch_side_put(list, PRN_SIDE_META, key, PRN_SHARD_KEY_BYTES, has_loads ? (const void *)bytes : "1",
	                          has_loads ? sizeof bytes : 1, error);
}

/* Puts the entries of a list's shards into the list's batch, and writes the sum of their loads to *sum.  first: the list's first shard */
static int put_shards(struct prn_reshard *reshard, struct prn_batch *list, size_t first, struct prn_loads *sum, struct prn_error *error)
{
	size_t size = prn_shards_list_size(reshard->count);
	int code = 0;

	*sum = (struct prn_loads){ 0 };
	for (size_t i = 0; i < size && !code; i++) {
		struct prn_reshard_part *part;
		struct prn_loads loads;

		if (!reshard->made[first + i])
			continue;
		code = prn_reshard_part(reshard, first + i, &part, error);
		if (!code)
			code = put_part_settings(reshard, part->batch, error);
		if (!code)
			code = put_loads(reshard, part, &loads, error);
		if (!code)
			code = put_entry(reshard, list, i, &loads, error);
		if (!code)
			prn_loads_add(sum, &loads);
		reshard->done.made += !code;
	}
	if (!code && reshard->from->budget_per_day > 0)
		code = prn_loads_put_to(reshard->from, list, sum, error);
	return code;
}

static int make_list(struct prn_reshard *reshard, size_t number, struct prn_loads *sum, struct prn_error *error)
{
	size_t size = prn_shards_list_size(reshard->count);
	struct prn_reshard_part list = { 0 };
	int code = prn_shards_part_open(&list.store, reshard->mark.store, reshard->path, true, number, error);

	if (!code)
		code = prn_batch_open(&list.batch, list.store, error);
	if (!code)
		code = put_shards(reshard, list.batch, number * size, sum, error);
	if (!code)
		code = prn_reshard_part_commit(reshard, &list, error);
	prn_batch_free(list.batch);
	prn_store_free(list.store);
	return code;
}

/* If there are several lists, the root has a list of them. */
static int put_lists(struct prn_reshard *reshard, struct prn_batch *root, struct prn_error *error)
{
	size_t lists = prn_shards_lists(reshard->count), size = prn_shards_list_size(reshard->count);
	struct prn_loads all = { 0 };
	int code = 0;

	if (lists == 1)
		return put_shards(reshard, root, 0, &all, error);
	for (size_t i = 0; i < lists && !code; i++) {
		struct prn_loads sum;
		bool has_shards = false;

		for (size_t j = 0; j < size; j++)
			has_shards |= reshard->made[i * size + j] != PRN_RESHARD_UNMADE;
		if (!has_shards)
			continue;
		code = make_list(reshard, i, &sum, error);
		if (!code)
			code = put_entry(reshard, root, i, &sum, error);
		if (!code)
			prn_loads_add(&all, &sum);
	}
	if (!code && reshard->from->budget_per_day > 0)
		code = prn_loads_put_to(reshard->from, root, &all, error);
	return code;
}

static int fill_root(struct prn_reshard *reshard, struct prn_batch *root, struct prn_error *error)
{
	int code = put_settings(reshard, root, error);

	if (!code)
		code = prn_reshard_merge(reshard, root, error);
	code = prn_reshard_close_parts(reshard, code, error);
	if (!code)
		code = put_lists(reshard, root, error);
	return prn_reshard_close_parts(reshard, code, error);
}

/* Makes the root at its place, in one commit. */
static int put_in_place(const struct prn_reshard *reshard, struct prn_store *root, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(reshard->path, &place);
	struct prn_change *changes = NULL;
	enum prn_standing standing;
	struct prn_view *view;
	size_t count = 0;
	int code = prn_holding_check(reshard->mark.holding, error);

	if (!code)
		code = prn_tables_look(reshard->path, true, &standing, error);
	if (!code)
		code = prn_view_open(&view, root, error);
	if (code)
		return code;
	code = prn_tables_read_all(view, &changes, &count, error);
	if (!code)
		code = kind->create(place, changes, count, error);
	free(changes);
	prn_view_close(view);
	return code;
}

static int make_scratch(const struct prn_reshard *reshard, struct prn_store **root, struct prn_error *error)
{
	char id[PRN_SHARDS_ID_TEXT], count[32], address[PRN_SHARDS_ID_TEXT + 32];
	const struct prn_store_setting settings[] = { { PRN_SHARDS_NAME, count }, { PRN_SHARDS_ID, id }, { PRN_SIBLINGS_NAME, PRN_SIBLINGS_COUNTED } };
	int code = prn_shards_read_text(reshard->mark.store, PRN_SHARDS_ID, id, sizeof id, error);

	snprintf(count, sizeof count, "%zu", reshard->count);
	snprintf(address, sizeof address, "memory:reshard-%s", id);
	if (!code)
		code = prn_store_create_one(address, settings, 3, error);
	return code ? code : prn_store_open_one(root, address, PRN_STORE_WRITE, 0, error);
}

static int finish_several(struct prn_reshard *reshard, struct prn_error *error)
{
	struct prn_batch *batch = NULL;
	struct prn_store *root = NULL;
	int code = make_scratch(reshard, &root, error);

	if (code)
		return code;
	code = prn_batch_open(&batch, root, error);
	if (!code)
		code = fill_root(reshard, batch, error);
	if (!code)
		code = prn_batch_commit(batch, error);
	prn_batch_free(batch);
	if (!code)
		code = put_in_place(reshard, root, error);
	prn_store_remove_take(root, NULL);
	return code;
}

/* Finishes a store without shards: its one part is completed, and copied to the store's place. */
static int finish_one(struct prn_reshard *reshard, struct prn_error *error)
{
	struct prn_reshard_part *part;
	struct prn_loads loads;
	int code = prn_reshard_part(reshard, 0, &part, error);

	if (!code)
		code = put_settings(reshard, part->batch, error);
	if (!code)
		code = prn_reshard_merge(reshard, part->batch, error);
	if (!code)
		code = put_part_settings(reshard, part->batch, error);
	if (!code)
		code = prn_reshard_part_commit(reshard, part, error);
	if (!code)
		code = put_loads(reshard, part, &loads, error);
	if (!code)
		code = prn_reshard_part_commit(reshard, part, error);
	if (!code)
		code = prn_holding_check(reshard->mark.holding, error);
	if (!code)
		code = prn_store_backup_one(part->store, reshard->path, 0, NULL, NULL, error);
	reshard->done.made = !code;
	return prn_reshard_close_parts(reshard, code, error);
}

int prn_reshard_finish(struct prn_reshard *reshard, struct prn_error *error)
{
	return reshard->count == 1 ? finish_one(reshard, error) : finish_several(reshard, error);
}
