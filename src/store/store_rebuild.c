/*
 * Makes a store whose file is damaged anew, from the pages whose records are whole, the queues that follow from them, and
 * the side tables as far as they can be read.
 */
#include "store/store_internal.h"

#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORTION 30000 /* changes of a commit */
#define TRIES 20      /* where others write meanwhile */

/* Offsets, because the bytes move when they grow. */
struct taken {
	enum prn_table table;
	size_t key_at, key_bytes, value_at, value_bytes;
};

struct rebuild {
	struct prn_store_rebuilt rebuilt;
	struct prn_buffer bytes;
	struct taken *taken; /* [count], of PORTION + 2 */
	size_t count;
	uint64_t entries[PRN_TABLES]; /* that were taken */
	struct prn_view *view;        /* of what was written, while loose ones are taken */
	const struct prn_store_proof *proof;
};

static struct prn_bytes bytes_at(const struct rebuild *rebuild, size_t at, size_t length)
{
	return (struct prn_bytes){ rebuild->bytes.data + at, length };
}

static int write_taken(struct rebuild *rebuild, struct prn_tables *into, struct prn_error *error)
{
	struct prn_change *changes = calloc(rebuild->count + 1, sizeof *changes);
	size_t count = 0;
	int code;

	if (!changes)
		return prn_error_memory(error);
	for (size_t i = 0; i < rebuild->count; i++) {
		const struct taken *taken = &rebuild->taken[i];

		changes[i] = (struct prn_change){ taken->table, false,
			                          bytes_at(rebuild, taken->key_at, taken->key_bytes),
			                          bytes_at(rebuild, taken->value_at, taken->value_bytes) };
	}
	prn_changes_sort(changes, rebuild->count);
	/* Loose pages may hold a record twice. */
	for (size_t i = 0; i < rebuild->count; i++)
		if (!count || prn_change_compare(&changes[count - 1], &changes[i]))
			changes[count++] = changes[i];
	code = count ? into->kind->write(into, changes, count, error) : 0;
	free(changes);
	rebuild->count = 0;
	prn_buffer_clear(&rebuild->bytes);
	return code;
}

static void end(void *context, struct prn_tables *into)
{
	struct rebuild *rebuild = context;

	if (rebuild->view)
		into->kind->close(rebuild->view);
	rebuild->view = NULL;
}

static int flush(struct rebuild *rebuild, struct prn_tables *into, struct prn_error *error)
{
	end(rebuild, into);
	return write_taken(rebuild, into, error);
}

static int put_entry(struct rebuild *rebuild, enum prn_table table, struct prn_bytes key, struct prn_bytes value,
                     struct prn_error *error)
{
	struct prn_buffer *bytes = &rebuild->bytes;

	rebuild->taken[rebuild->count++] = (struct taken){ table, bytes->length, key.length, bytes->length + key.length,
		                                           value.length };
	return prn_buffer_append(bytes, key.data, key.length) || prn_buffer_append(bytes, value.data, value.length)
	               ? prn_error_memory(error)
	               : 0;
}

static int put_page(struct rebuild *rebuild, const struct prn_record *record, struct prn_bytes key,
                    struct prn_bytes value, struct prn_error *error)
{
	struct prn_place place = prn_record_place(record);
	unsigned char name[PRN_WAITING_KEY_BYTES];
	int code = put_entry(rebuild, PRN_TABLE_PAGES, key, value, error);

	if (code || !place.queued)
		return code;
	return put_entry(rebuild, prn_queue_table(place.queue),
	                 (struct prn_bytes){ name, prn_place_key(&place, &record->key, name) },
	                 (struct prn_bytes){ "", 0 }, error);
}

/*
 * Counts over all pages are made anew; that all visits of a host were counted is not known where its record may be
 * lost.
 */
static bool is_of_all(struct prn_bytes key)
{
	return (key.length == strlen(PRN_COUNTS_NAME) && !memcmp(key.data, PRN_COUNTS_NAME, key.length)) ||
	       (key.length == strlen(PRN_SIBLINGS_NAME) && !memcmp(key.data, PRN_SIBLINGS_NAME, key.length));
}

static int take_entry(void *context, struct prn_tables *into, enum prn_table table, struct prn_bytes key,
                      struct prn_bytes value, struct prn_error *error)
{
	bool is_queue = table == PRN_TABLE_DUE || table == PRN_TABLE_LEASES || table == PRN_TABLE_WAITING;
	struct rebuild *rebuild = context;
	struct prn_record record;
	uint64_t host;
	int code = 0;

	if (table == PRN_TABLE_META && is_of_all(key)) {
		rebuild->entries[table]++;
		return 0;
	}
	if (is_queue || (table == PRN_TABLE_PAGES && !prn_store_is_whole(true, key, value, &record, &host)))
		return 0;
	if (rebuild->count + 2 > PORTION)
		code = flush(rebuild, into, error);
	if (code)
		return code;
	rebuild->entries[table]++;
	return table == PRN_TABLE_PAGES ? put_page(rebuild, &record, key, value, error)
	                                : put_entry(rebuild, table, key, value, error);
}

/* A page's record shows what it is by its checksum and by its URL, under whose key it stands. */
static int take_loose(void *context, struct prn_tables *into, struct prn_bytes key, struct prn_bytes value,
                      struct prn_error *error)
{
	struct rebuild *rebuild = context;
	struct prn_record record;
	struct prn_bytes there;
	uint64_t host;
	int code = 0;

	if (!prn_store_is_whole(true, key, value, &record, &host))
		return 0;
	if (!rebuild->view || rebuild->count + 2 > PORTION) {
		code = flush(rebuild, into, error);
		if (!code)
			code = into->kind->view(&rebuild->view, into, error);
		if (code)
			return code;
	}
	code = into->kind->get(rebuild->view, PRN_TABLE_PAGES, key, &there, error);
	if (code != PRN_E_NOT_FOUND)
		return code;
	rebuild->rebuilt.loose++;
	return put_page(rebuild, &record, key, value, error);
}

/* Repairs what was taken, which must then be whole. */
static int finish_tables(void *context, struct prn_tables *into, struct prn_error *error)
{
	const struct prn_store_check_options mending = { .repair = true };
	struct rebuild *rebuild = context;
	struct prn_store store = { .tables = into };
	struct prn_store_findings found;
	struct prn_error why = { 0 };
	int code = flush(rebuild, into, error);

	if (!code)
		code = prn_store_check_one(&store, &mending, &found, error);
	if (!code)
		code = prn_store_check_one(&store, NULL, &found, error);
	if (!code && prn_store_faults(&found))
		code = prn_error_set(error, PRN_E_DAMAGED, "%s: what was saved of it is not whole: restore a backup",
		                     into->address);
	if (code)
		return code;
	rebuild->rebuilt.pages = found.pages;
	code = prn_store_check_schema(&store, &why);
	if (!code && rebuild->proof->look)
		code = rebuild->proof->look(rebuild->proof->context, &store, &why);
	free(store.identity);
	if (code == PRN_E_NOT_FOUND || code == PRN_E_DAMAGED)
		return prn_error_set(error, PRN_E_DAMAGED, "%s: the settings of the store are damaged: restore a backup (%s)",
		                     into->address, why.text);
	if (code && error)
		*error = why;
	return code;
}

static uint64_t missing(uint64_t wanted, uint64_t got)
{
	return wanted > got ? wanted - got : 0;
}

int prn_store_rebuild_one(const char *path, double lock_wait_s, const struct prn_store_proof *proof, struct prn_store_rebuilt *rebuilt,
                          struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(path, &place);
	struct rebuild rebuild;
	const struct prn_salvage salvage = { take_entry, take_loose, finish_tables, end, &rebuild };
	struct prn_salvaged salvaged;
	int code = PRN_E_CONFLICT;

	if (!kind->rebuild)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: has no file that could be damaged", path);
	for (int i = 0; code == PRN_E_CONFLICT && i < TRIES; i++) {
		rebuild = (struct rebuild){ .proof = proof, .taken = calloc(PORTION + 2, sizeof *rebuild.taken) };
		salvaged = (struct prn_salvaged){ 0 };
		code = rebuild.taken ? kind->rebuild(place, lock_wait_s, &salvage, &salvaged, error)
		                     : prn_error_memory(error);
		free(rebuild.taken);
		prn_buffer_release(&rebuild.bytes);
	}
	if (code)
		return code;
	rebuild.rebuilt.lost = missing(salvaged.entries[PRN_TABLE_PAGES], rebuild.rebuilt.pages);
	for (enum prn_table i = PRN_TABLE_HOSTS; i < PRN_TABLES; i++)
		rebuild.rebuilt.lost_sides += missing(salvaged.entries[i], rebuild.entries[i]);
	rebuild.rebuilt.damaged_pages = salvaged.damaged_pages;
	rebuild.rebuilt.removed = salvaged.removed;
	rebuild.rebuilt.remade = 1;
	snprintf(rebuild.rebuilt.kept, sizeof rebuild.rebuilt.kept, "%s", salvaged.kept);
	*rebuilt = rebuild.rebuilt;
	return 0;
}
