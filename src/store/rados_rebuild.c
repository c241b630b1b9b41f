/*
 * An object whose entries are not those that it counts is put in order in its place.  What follows from its whole entries is made in
 * memory, by the same rules as a new file; then what differs from that is written, if nobody has written since all was read.
 */
#include "store/rados_internal.h"

#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rebuilding {
	struct prn_rados_view *view; /* frozen, of the object */
	struct prn_tables *into;     /* in memory */
	struct prn_view *made;       /* of what is there */
	struct prn_change *changes;  /* [count], that make the object what was made */
	size_t count, capacity;
	struct prn_rados_entry *strays; /* [stray_count], which are of no table */
	size_t stray_count, stray_capacity;
	struct prn_tables_size size; /* of the object then */
	struct prn_error *error;
};

enum prn_rados_entry_kind prn_rados_entry_kind(const struct prn_rados_entry *entry, enum prn_table *table, unsigned char *key,
                                               size_t *length)
{
	const struct prn_bytes name = { entry->name, entry->name_bytes };
	char second = entry->name_bytes == 2 ? entry->name[1] : 0;

	if (!prn_bytes_compare(name, (struct prn_bytes){ PRN_RADOS_MARK, strlen(PRN_RADOS_MARK) }) ||
	    !prn_bytes_compare(name, (struct prn_bytes){ PRN_RADOS_BEGUN, strlen(PRN_RADOS_BEGUN) }))
		return PRN_RADOS_ENTRY_OWN;
	if (*entry->name == PRN_RADOS_COUNT && (entry->name_bytes == 1 || (second >= 'a' && second <= 'z')))
		return PRN_RADOS_ENTRY_OWN;
	switch (prn_rados_name_read(name, table, key, length)) {
	case 0:
		return PRN_RADOS_ENTRY_OF_TABLE;
	case PRN_E_VERSION:
		return PRN_RADOS_ENTRY_NEWER;
	default:
		return PRN_RADOS_ENTRY_STRAY;
	}
}

/* A queue's entry says by its key alone which page is when; what stands beside it only saves time. */
static bool is_queue(enum prn_table table)
{
	return table == PRN_TABLE_DUE || table == PRN_TABLE_LEASES || table == PRN_TABLE_WAITING;
}

static int add_change(struct rebuilding *rebuilding, const struct prn_change *change)
{
	struct prn_change *grown = prn_array_grow(rebuilding->changes, &rebuilding->capacity, rebuilding->count + 1, sizeof *grown);

	if (!grown)
		return prn_error_memory(rebuilding->error);
	rebuilding->changes = grown;
	grown[rebuilding->count] = *change;
	grown[rebuilding->count].key.data = prn_rados_keep(rebuilding->view, change->key.data, change->key.length);
	return grown[rebuilding->count++].key.data ? 0 : prn_error_memory(rebuilding->error);
}

static int add_stray(struct rebuilding *rebuilding, const struct prn_rados_entry *entry)
{
	struct prn_rados_entry *grown = prn_array_grow(rebuilding->strays, &rebuilding->stray_capacity, rebuilding->stray_count + 1,
	                                               sizeof *grown);

	if (!grown)
		return prn_error_memory(rebuilding->error);
	rebuilding->strays = grown;
	grown[rebuilding->stray_count++] = *entry;
	return 0;
}

static int take_all(struct rebuilding *rebuilding, const struct prn_salvage *salvage)
{
	int code = 0;

	for (size_t i = 0; i < rebuilding->view->all_count && !code; i++) {
		const struct prn_rados_entry *entry = &rebuilding->view->all[i];
		unsigned char bytes[PRN_TABLE_KEY_BYTES];
		struct prn_bytes key = { bytes, 0 }, value = { entry->value, entry->value_bytes };
		enum prn_table table;

		switch (prn_rados_entry_kind(entry, &table, bytes, &key.length)) {
		case PRN_RADOS_ENTRY_OF_TABLE:
			code = salvage->take(salvage->context, rebuilding->into, table, key, value, rebuilding->error);
			break;
		case PRN_RADOS_ENTRY_NEWER:
			rebuilding->size.bytes += entry->name_bytes + entry->value_bytes;
			break;
		case PRN_RADOS_ENTRY_STRAY:
			code = add_stray(rebuilding, entry);
			break;
		case PRN_RADOS_ENTRY_OWN:
			break;
		}
	}
	return code ? code : salvage->finish(salvage->context, rebuilding->into, rebuilding->error);
}

/* What the object has and what was made does not. */
static int compare_old(struct rebuilding *rebuilding)
{
	int code = 0;

	for (size_t i = 0; i < rebuilding->view->all_count && !code; i++) {
		unsigned char bytes[PRN_TABLE_KEY_BYTES];
		struct prn_change change = { .removed = true, .key = { bytes, 0 } };
		struct prn_bytes value;

		if (prn_rados_entry_kind(&rebuilding->view->all[i], &change.table, bytes, &change.key.length) != PRN_RADOS_ENTRY_OF_TABLE)
			continue;
		code = rebuilding->into->kind->get(rebuilding->made, change.table, change.key, &value, rebuilding->error);
		if (code == PRN_E_NOT_FOUND)
			code = add_change(rebuilding, &change);
	}
	return code;
}

/* What was made and the object does not have so; counts both. */
static int compare_made(struct rebuilding *rebuilding, const struct prn_change *made)
{
	char name[PRN_RADOS_NAME_BYTES];
	size_t length = prn_rados_name(made->table, made->key, name), bytes = made->value.length;
	const struct prn_rados_entry *there = prn_rados_find(rebuilding->view, name, length);
	bool same = there->value && (is_queue(made->table) ||
	                             !prn_bytes_compare(made->value, (struct prn_bytes){ there->value, there->value_bytes }));

	if (same)
		bytes = there->value_bytes;
	rebuilding->size.entries[made->table]++;
	rebuilding->size.bytes += length + bytes;
	return same ? 0 : add_change(rebuilding, made);
}

static int compare(struct rebuilding *rebuilding)
{
	struct prn_change *all = NULL;
	size_t count = 0;
	int code = compare_old(rebuilding);

	if (!code)
		code = prn_tables_read_all(rebuilding->made, &all, &count, rebuilding->error);
	for (size_t i = 0; i < count && !code; i++)
		code = compare_made(rebuilding, &all[i]);
	free(all);
	return code;
}

/* The tables in memory have a name that nobody else in the process can have: the address of their view. */
static int make_memory(struct rebuilding *rebuilding, char name[64], const struct prn_tables *object)
{
	int code;

	snprintf(name, 64, "repair of an object, %p", (const void *)rebuilding->view);
	code = prn_tables_memory.create(name, NULL, 0, rebuilding->error);
	if (!code)
		code = prn_tables_memory.open(&rebuilding->into, name, true, 0, rebuilding->error);
	if (code)
		return code;
	rebuilding->into->kind = &prn_tables_memory;
	rebuilding->into->address = object->address; /* what messages call it */
	rebuilding->into->writable = true;
	return 0;
}

int prn_rados_rebuild(struct prn_view *view, const struct prn_salvage *salvage, struct prn_salvaged *salvaged, struct prn_error *error)
{
	struct rebuilding rebuilding = { .view = prn_rados_view_of(view), .error = error };
	struct prn_tables_size counted;
	char name[64];
	int code = prn_rados_freeze(view, error);

	if (!code)
		code = prn_rados_size(view, &counted, error);
	if (!code)
		code = make_memory(&rebuilding, name, view->tables);
	if (code)
		return code;
	code = take_all(&rebuilding, salvage);
	salvage->end(salvage->context, rebuilding.into);
	if (!code)
		code = prn_tables_memory.view(&rebuilding.made, rebuilding.into, error);
	if (!code)
		code = compare(&rebuilding);
	if (!code)
		code = prn_rados_put_in_order(view, rebuilding.changes, rebuilding.count, rebuilding.strays, rebuilding.stray_count,
		                              &rebuilding.size, error);
	if (rebuilding.made)
		prn_tables_memory.close(rebuilding.made);
	prn_tables_memory.remove_take(rebuilding.into, NULL);
	if (!code) {
		memcpy(salvaged->entries, counted.entries, sizeof salvaged->entries);
		salvaged->removed = rebuilding.stray_count;
	}
	free(rebuilding.changes);
	free(rebuilding.strays);
	return code;
}
