/*
 * Changes wait in memory, in a table by key over one run of bytes, and go to the disk sorted: neighbours share a leaf,
 * and what changed twice is written once.  Each page remembers where the last commit has it queued, so that the commit
 * can move it.
 */
#include "store/batch_internal.h"
#include "perennial/url.h"
#include "store/schema.h"
#include "store/shared.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define NONE UINT32_MAX
#define FEWEST_SLOTS 1024

static void clear_slots(struct prn_batch *batch)
{
	for (size_t i = 0; i < batch->slot_count; i++)
		batch->slots[i] = NONE;
}

int prn_batch_open(struct prn_batch **out, struct prn_store *store, struct prn_error *error)
{
	struct prn_batch *batch;

	if (!store->tables->writable)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: it is open for reading only", prn_store_path(store));
	if (store->batch)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: has a batch already", prn_store_path(store));
	batch = calloc(1, sizeof *batch);
	if (!batch)
		return prn_error_memory(error);
	batch->store = store;
	store->batch = batch;
	*out = batch;
	return 0;
}

static void close_view(struct prn_batch *batch)
{
	prn_view_close(batch->view);
	batch->view = NULL;
	batch->has_missed = false;
}

void prn_batch_free(struct prn_batch *batch)
{
	if (!batch)
		return;
	close_view(batch);
	batch->store->batch = NULL;
	prn_buffer_release(&batch->bytes);
	prn_buffer_release(&batch->taken);
	free(batch->waiting);
	free(batch->earlier);
	free(batch->slots);
	free(batch);
}

void prn_batch_abandon(struct prn_batch *batch)
{
	close_view(batch);
	prn_buffer_clear(&batch->bytes);
	batch->count = batch->earlier_count = 0;
	batch->saving = false;
	batch->saved = 0;
	batch->commits++;
	clear_slots(batch);
}

struct prn_savepoint prn_batch_save(struct prn_batch *batch)
{
	batch->saving = true;
	if (batch->saved < batch->count)
		batch->saved = batch->count;
	return (struct prn_savepoint){ .commits = batch->commits, .changes = batch->count, .bytes = batch->bytes.length,
		                       .earlier = batch->earlier_count };
}

void prn_batch_restore(struct prn_batch *batch, const struct prn_savepoint *savepoint)
{
	struct prn_savepoint to = *savepoint;

	/* What was staged at that time has been committed since: all that is staged now came after it. */
	if (to.commits != batch->commits)
		to = (struct prn_savepoint){ 0 };
	while (batch->earlier_count > to.earlier) {
		const struct prn_earlier *earlier = &batch->earlier[--batch->earlier_count];

		batch->waiting[earlier->index] = earlier->was;
	}
	/* Changes are removed from the hash table in the reverse of the order in which they came, so each finds the table as it left it. */
	while (batch->count > to.changes) {
		size_t index = --batch->count, at = batch->waiting[index].hash & (batch->slot_count - 1);

		while (batch->slots[at] != index)
			at = (at + 1) & (batch->slot_count - 1);
		batch->slots[at] = NONE;
	}
	batch->bytes.length = to.bytes;
}

/* Reserves memory for keep_earlier, so that a change that was found or added cannot fail any more. */
static int reserve_earlier(struct prn_batch *batch, struct prn_error *error)
{
	struct prn_earlier *grown;

	if (!batch->saving)
		return 0;
	grown = prn_array_grow(batch->earlier, &batch->earlier_capacity, batch->earlier_count + 1, sizeof *grown);
	if (!grown)
		return prn_error_memory(error);
	batch->earlier = grown;
	return 0;
}

/* Called before a staged change is changed again.  One that no savepoint knows need not be kept. */
static void keep_earlier(struct prn_batch *batch, const struct prn_waiting *waiting)
{
	if (batch->saving && (size_t)(waiting - batch->waiting) < batch->saved)
		batch->earlier[batch->earlier_count++] =
			(struct prn_earlier){ (size_t)(waiting - batch->waiting), *waiting };
}

size_t prn_batch_changes(const struct prn_batch *batch)
{
	return batch->count;
}

static int need_view(struct prn_batch *batch, struct prn_error *error)
{
	return batch->view ? 0 : prn_view_open(&batch->view, batch->store, error);
}

int prn_batch_view(struct prn_batch *batch, struct prn_view **view, struct prn_error *error)
{
	int code = need_view(batch, error);

	if (!code)
		*view = batch->view;
	return code;
}

int prn_batch_want(struct prn_batch *batch, const struct prn_wanted *wanted, size_t count, struct prn_error *error)
{
	int code = prn_store_is_shared(batch->store) ? need_view(batch, error) : 0;

	return batch->view && !code ? prn_view_want(batch->view, wanted, count, error) : code;
}

static uint64_t hash_key(enum prn_table table, struct prn_bytes key)
{
	return XXH3_64bits_withSeed(key.data, key.length, table);
}

static struct prn_waiting *find_waiting(const struct prn_batch *batch, enum prn_table table, struct prn_bytes key)
{
	uint64_t hash = hash_key(table, key);

	if (!batch->slot_count)
		return NULL;
	for (size_t at = hash & (batch->slot_count - 1);; at = (at + 1) & (batch->slot_count - 1)) {
		struct prn_waiting *waiting;

		if (batch->slots[at] == NONE)
			return NULL;
		waiting = &batch->waiting[batch->slots[at]];
		if (waiting->hash == hash && waiting->table == table && waiting->key_bytes == key.length &&
		    !memcmp(prn_waiting_key(batch, waiting).data, key.data, key.length))
			return waiting;
	}
}

static void take_slot(struct prn_batch *batch, size_t index)
{
	size_t at = batch->waiting[index].hash & (batch->slot_count - 1);

	while (batch->slots[at] != NONE)
		at = (at + 1) & (batch->slot_count - 1);
	batch->slots[at] = (uint32_t)index;
}

static int grow_slots(struct prn_batch *batch)
{
	size_t wanted = batch->slot_count ? 2 * batch->slot_count : FEWEST_SLOTS;
	uint32_t *slots;

	if (2 * (batch->count + 1) <= batch->slot_count)
		return 0;
	slots = wanted > NONE ? NULL : realloc(batch->slots, wanted * sizeof *slots);
	if (!slots)
		return PRN_E_MEMORY;
	batch->slots = slots;
	batch->slot_count = wanted;
	clear_slots(batch);
	for (size_t i = 0; i < batch->count; i++)
		take_slot(batch, i);
	return 0;
}

/* Adds a change of a key that has none yet; the caller fills it. */
static int add_waiting(struct prn_batch *batch, enum prn_table table, struct prn_bytes key, struct prn_waiting **out)
{
	struct prn_waiting *grown = prn_array_grow(batch->waiting, &batch->capacity, batch->count + 1, sizeof *grown);

	if (!grown)
		return PRN_E_MEMORY;
	batch->waiting = grown;
	if (grow_slots(batch) || prn_buffer_append(&batch->bytes, key.data, key.length))
		return PRN_E_MEMORY;
	*out = &batch->waiting[batch->count];
	**out = (struct prn_waiting){
		.hash = hash_key(table, key),
		.table = table,
		.key_at = batch->bytes.length - key.length,
		.key_bytes = key.length,
	};
	take_slot(batch, batch->count++);
	return 0;
}

int prn_batch_get(struct prn_batch *batch, const struct prn_digest *key, struct prn_record *record,
                  struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];
	const struct prn_waiting *waiting;
	int code;

	prn_key_bytes(key, name);
	waiting = find_waiting(batch, PRN_TABLE_PAGES, (struct prn_bytes){ name, sizeof name });
	if (waiting)
		return waiting->removed ? PRN_E_NOT_FOUND
		                        : prn_store_decode(batch->store->tables, key,
		                                           prn_waiting_value(batch, waiting), record, error);
	code = need_view(batch, error);
	if (!code)
		code = prn_view_get(batch->view, key, record, error);
	batch->has_missed = code == PRN_E_NOT_FOUND;
	batch->missed = *key;
	return code;
}

int prn_batch_is_spoilt(struct prn_batch *batch, const struct prn_digest *key, bool *spoilt, struct prn_error *error)
{
	unsigned char name[PRN_KEY_BYTES];
	int code;

	prn_key_bytes(key, name);
	*spoilt = false;
	if (find_waiting(batch, PRN_TABLE_PAGES, (struct prn_bytes){ name, sizeof name }))
		return 0;
	code = need_view(batch, error);
	return code ? code : prn_view_is_spoilt(batch->view, key, spoilt, error);
}

int prn_batch_side(struct prn_batch *batch, enum prn_side side, const void *name, size_t name_bytes,
                   const void **bytes, size_t *count, struct prn_error *error)
{
	const struct prn_waiting *waiting = find_waiting(batch, prn_side_table(side),
	                                                 (struct prn_bytes){ name, name_bytes });
	int code = prn_side_check(prn_store_path(batch->store), side, error);

	if (code)
		return code;

	if (!waiting) {
		code = need_view(batch, error);
		return code ? code : prn_view_side(batch->view, side, name, name_bytes, bytes, count, error);
	}
	if (waiting->removed)
		return PRN_E_NOT_FOUND;
	*bytes = prn_waiting_value(batch, waiting).data;
	*count = waiting->value_bytes;
	return 0;
}

/* A caller that adds a page has mostly asked for it just before, so whether the store lacks it is known. */
static bool is_missed(const struct prn_batch *batch, const struct prn_digest *key)
{
	return batch->has_missed && !prn_digest_compare(&batch->missed, key);
}

/* Finds the staged change of a page, or adds one.  If the page's record is damaged, its place in the queues is not known. */
static int find_page(struct prn_batch *batch, const struct prn_digest *key, struct prn_waiting **out,
                     struct prn_error *error)
{
	unsigned char bytes[PRN_KEY_BYTES];
	struct prn_bytes name = { bytes, sizeof bytes };
	struct prn_record record;
	bool spoilt = false;
	int code, found;

	prn_key_bytes(key, bytes);
	*out = is_missed(batch, key) ? NULL : find_waiting(batch, PRN_TABLE_PAGES, name);
	if (*out)
		return 0;
	code = need_view(batch, error);
	if (code)
		return code;
	found = is_missed(batch, key) ? PRN_E_NOT_FOUND : prn_view_get(batch->view, key, &record, error);
	batch->has_missed = false;
	if (found == PRN_E_DAMAGED)
		code = prn_view_is_spoilt(batch->view, key, &spoilt, error);
	if (found && found != PRN_E_NOT_FOUND && !spoilt)
		return code ? code : found;
	if (add_waiting(batch, PRN_TABLE_PAGES, name, out))
		return prn_error_memory(error);
	(*out)->removed = found == PRN_E_NOT_FOUND;
	if (!found)
		(*out)->before = prn_record_place(&record);
	if (spoilt && error)
		*error = (struct prn_error){ 0 };
	return 0;
}

/* Reserves memory for the value and its key first: after that, a change that was added also gets its value. */
static int reserve_taken(struct prn_batch *batch, size_t key_bytes, struct prn_error *error)
{
	return prn_buffer_reserve(&batch->bytes, batch->taken.length + key_bytes) ? prn_error_memory(error) : 0;
}

static void give_taken(struct prn_batch *batch, struct prn_waiting *waiting)
{
	waiting->value_at = batch->bytes.length;
	waiting->value_bytes = batch->taken.length;
	if (batch->taken.length)
		memcpy(batch->bytes.data + waiting->value_at, batch->taken.data, batch->taken.length);
	batch->bytes.length += batch->taken.length;
}

int prn_batch_put_worth(struct prn_batch *batch, const struct prn_record *record, struct prn_bytes worth, struct prn_error *error)
{
	struct prn_place after = prn_record_place(record);
	struct prn_digest key = record->key;
	struct prn_waiting *waiting;
	int code;

	prn_buffer_clear(&batch->taken);
	code = prn_record_encode(record, &batch->taken, error);
	if (!code)
		code = reserve_taken(batch, PRN_KEY_BYTES, error);
	if (!code)
		code = reserve_earlier(batch, error);
	if (!code)
		code = find_page(batch, &key, &waiting, error);
	if (code)
		return code;
	keep_earlier(batch, waiting);
	give_taken(batch, waiting);
	waiting->removed = false;
	waiting->after = after;
	waiting->worth_bytes = (unsigned char)worth.length;
	if (worth.length)
		memcpy(waiting->worth, worth.data, worth.length);
	return 0;
}

int prn_batch_put_known(struct prn_batch *batch, const struct prn_record *record, struct prn_error *error)
{
	return prn_batch_put_worth(batch, record, (struct prn_bytes){ NULL, 0 }, error);
}

/* A page under another key than its URL's would not be found again, and a check would take it out. */
static int check_key(const struct prn_record *record, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_digest key;
	int code;

	/* A record without a URL, or with one that is too long, is refused later like any field outside its range. */
	if (!record->url || !*record->url || strnlen(record->url, PRN_URL_BYTES + 1) > PRN_URL_BYTES)
		return 0;
	code = prn_url_normalize(record->url, SIZE_MAX, normal, sizeof normal);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, PRN_E_ARGUMENT, "%.200s: this is not an http or https URL", record->url);
	key = prn_url_key(normal);
	return prn_digest_compare(&key, &record->key)
	               ? prn_error_set(error, PRN_E_ARGUMENT, "%.200s: its key is not that of its URL", record->url)
	               : 0;
}

int prn_batch_put(struct prn_batch *batch, const struct prn_record *record, struct prn_error *error)
{
	int code = check_key(record, error);

	return code ? code : prn_batch_put_known(batch, record, error);
}

int prn_batch_delete(struct prn_batch *batch, const struct prn_digest *key, struct prn_error *error)
{
	struct prn_record record;
	struct prn_waiting *waiting;
	int code = prn_batch_get(batch, key, &record, error);

	/* A page whose record is damaged can be removed, as long as the file can be read. */
	if (!code || code == PRN_E_DAMAGED)
		code = reserve_earlier(batch, error);
	if (!code)
		code = find_page(batch, key, &waiting, error);
	if (code)
		return code;
	keep_earlier(batch, waiting);
	waiting->removed = true;
	waiting->after = (struct prn_place){ 0 };
	return 0;
}

/* Settings that only the store itself writes.  Whoever has moved the pages may drop the note that they are to be moved. */
static bool is_own(enum prn_side side, struct prn_bytes name, bool dropped)
{
	static const char schema[] = PRN_SCHEMA_NAME, moving[] = PRN_MOVING_NAME;

	if (side != PRN_SIDE_META)
		return false;
	return (name.length == sizeof schema - 1 && !memcmp(name.data, schema, name.length)) ||
	       (!dropped && name.length == sizeof moving - 1 && !memcmp(name.data, moving, name.length));
}

/* Puts bytes under a key of any table except the pages'; bytes NULL removes the key. */
static int put_value(struct prn_batch *batch, enum prn_table table, struct prn_bytes key, const void *bytes,
                     size_t count, struct prn_error *error)
{
	struct prn_waiting *waiting;
	int code;

	prn_buffer_clear(&batch->taken);
	if (prn_buffer_append(&batch->taken, bytes, bytes ? count : 0))
		return prn_error_memory(error);
	waiting = find_waiting(batch, table, key);
	code = reserve_taken(batch, key.length, error);
	if (!code)
		code = reserve_earlier(batch, error);
	if (code)
		return code;
	if (waiting)
		keep_earlier(batch, waiting);
	else if (add_waiting(batch, table, key, &waiting))
		return prn_error_memory(error);
	give_taken(batch, waiting);
	waiting->removed = !bytes;
	return 0;
}

int prn_batch_side_put(struct prn_batch *batch, enum prn_side side, const void *name, size_t name_bytes,
                       const void *bytes, size_t count, struct prn_error *error)
{
	struct prn_bytes key = { name, name_bytes };
	int code = prn_side_check(prn_store_path(batch->store), side, error);

	if (code)
		return code;
	if (is_own(side, key, !bytes))
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: '%.*s' is the store's own setting",
		                     prn_store_path(batch->store), (int)name_bytes, (const char *)name);
	if (!name_bytes || name_bytes > PRN_TABLE_KEY_BYTES)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: a name has 1 to %d bytes, not %zu",
		                     prn_store_path(batch->store), PRN_TABLE_KEY_BYTES, name_bytes);
	return put_value(batch, prn_side_table(side), key, bytes, count, error);
}

static int put_entry(struct prn_batch *batch, const struct prn_place *place, const struct prn_digest *key,
                     const void *value, struct prn_error *error)
{
	unsigned char name[PRN_WAITING_KEY_BYTES];
	struct prn_bytes entry = { name, prn_place_key(place, key, name) };

	return place->queued ? put_value(batch, prn_queue_table(place->queue), entry, value, 0, error) : 0;
}

int prn_batch_move_entry(struct prn_batch *batch, const struct prn_digest *key, const struct prn_place *from,
                         const struct prn_place *to, struct prn_error *error)
{
	struct prn_savepoint before = prn_batch_save(batch);
	int code = put_entry(batch, from, key, NULL, error);

	if (!code)
		code = put_entry(batch, to, key, "", error);
	if (code)
		prn_batch_restore(batch, &before);
	return code;
}

/*
 * The view is closed before the write: while it is open, LMDB can neither reuse freed pages nor move its map.  In a shared
 * store the view says which state the changes were decided by, and stays open after a failure, so that a later write is
 * checked against the same state.
 */
int prn_batch_commit(struct prn_batch *batch, struct prn_error *error)
{
	bool shared = prn_tables_is_shared(batch->store->tables);
	int code = prn_tables_check_process(batch->store->tables, error);

	if (code)
		return code;
	if (!shared)
		close_view(batch);
	if (batch->count && shared)
		code = need_view(batch, error);
	if (batch->count && !code)
		code = prn_batch_write(batch, error);
	if (!code && batch->count)
		prn_batch_abandon(batch);
	else if (!code)
		close_view(batch);
	return code;
}
