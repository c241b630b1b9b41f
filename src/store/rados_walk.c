/* Entries of a table in order, some at a time. */
#include "store/rados_internal.h"

#include <stdlib.h>
#include <string.h>

#define FIRST 128 /* entries that are asked for at first */

struct walk {
	struct prn_walk head;
	enum prn_table table;
	char after[PRN_RADOS_NAME_BYTES + 1]; /* the last name that was read, or where to begin; NUL-terminated */
	size_t after_bytes;
	bool at;      /* the one of that name is wanted too */
	bool is_last; /* there are no more behind page */
	size_t most;  /* to be asked for next */
	struct prn_rados_entry *page; /* [count], of which next is the next */
	size_t count, next, capacity;
	bool in_all;  /* next is a place in all of the view, which was frozen, perhaps on the way */
};

int prn_rados_scan(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
                   struct prn_error *error)
{
	struct walk *walk = calloc(1, sizeof *walk);

	if (!walk)
		return prn_error_memory(error);
	walk->head.view = view;
	walk->table = table;
	walk->after_bytes = prn_rados_name(table, from, walk->after);
	walk->at = true;
	walk->most = FIRST;
	*out = &walk->head;
	return 0;
}

void prn_rados_end(struct prn_walk *head)
{
	struct walk *walk = (struct walk *)head;

	free(walk->page);
	free(walk);
}

/* The next entries of the table; in the same question the one where the walk begins, which a listing leaves out. */
static int read_page(struct walk *walk, struct prn_error *error)
{
	struct prn_rados_view *view = prn_rados_view_of(walk->head.view);
	const struct prn_rados_library *library = &prn_rados_of(view->head.tables)->cluster->library;
	const char *first = walk->after, prefix[] = { prn_rados_letter(walk->table), 0 };
	rados_omap_iter_t one = NULL, list = NULL;
	int one_answer = 0, list_answer = 0, code;
	unsigned char more = 0;
	rados_read_op_t operation = library->create_read_op();

	if (!operation)
		return prn_error_memory(error);
	walk->count = walk->next = 0;
	if (walk->at)
		library->read_op_omap_get_vals_by_keys2(operation, &first, 1, &walk->after_bytes, &one, &one_answer);
	library->read_op_omap_get_vals2(operation, walk->after, prefix, walk->most, &list, &more, &list_answer);
	code = prn_rados_read_at(view, operation, error);
	if (!code && (one_answer < 0 || list_answer < 0))
		code = prn_rados_fail(prn_rados_of(view->head.tables), "read", one_answer < 0 ? one_answer : list_answer, error);
	if (!code && one)
		code = prn_rados_take(view, one, &walk->page, &walk->count, &walk->capacity, error);
	if (!code)
		code = prn_rados_take(view, list, &walk->page, &walk->count, &walk->capacity, error);
	if (one)
		library->omap_get_end(one);
	if (list)
		library->omap_get_end(list);
	library->release_read_op(operation);
	walk->is_last = !more;
	walk->at = false;
	walk->most = PRN_RADOS_ENTRIES;
	return code;
}

/* Finds the first frozen entry at or after the beginning of the walk, or after the last one that it has handed out. */
static void take_frozen(struct walk *walk)
{
	const struct prn_rados_view *view = prn_rados_view_of(walk->head.view);
	const struct prn_bytes from = { walk->after, walk->after_bytes };
	size_t low = 0, high = view->all_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct prn_rados_entry *entry = &view->all[middle];
		int order = prn_bytes_compare((struct prn_bytes){ entry->name, entry->name_bytes }, from);

		if (order < 0 || (!order && !walk->at))
			low = middle + 1;
		else
			high = middle;
	}
	walk->next = low;
	walk->in_all = true;
}

static const struct prn_rados_entry *next_frozen(struct walk *walk)
{
	const struct prn_rados_view *view = prn_rados_view_of(walk->head.view);
	const struct prn_rados_entry *entry;

	if (!walk->in_all)
		take_frozen(walk);
	if (walk->next == view->all_count)
		return NULL;
	entry = &view->all[walk->next++];
	return *entry->name == prn_rados_letter(walk->table) ? entry : NULL;
}

/* *entry NULL at the end. */
static int next_entry(struct walk *walk, const struct prn_rados_entry **entry, struct prn_error *error)
{
	int code = 0;

	if (prn_rados_view_of(walk->head.view)->is_frozen) {
		*entry = next_frozen(walk);
		return 0;
	}
	while (!code && walk->next == walk->count && !walk->is_last) {
		code = prn_rados_consider_all(prn_rados_view_of(walk->head.view), error);
		if (!code && prn_rados_view_of(walk->head.view)->is_frozen)
			return next_entry(walk, entry, error);
		if (!code)
			code = read_page(walk, error);
	}
	*entry = code || walk->next == walk->count ? NULL : &walk->page[walk->next++];
	if (*entry) {
		walk->after_bytes = (*entry)->name_bytes;
		memcpy(walk->after, (*entry)->name, walk->after_bytes);
		walk->after[walk->after_bytes] = 0;
	}
	return code;
}

/* Goes on behind a name that cannot be read, where that was told; otherwise *length is 0. */
static int next_named(struct walk *walk, const struct prn_rados_entry **entry, unsigned char *key, size_t *length, struct prn_error *error)
{
	bool passes = prn_rados_view_of(walk->head.view)->passes_strays, whole;
	enum prn_table table;
	int code;

	do {
		code = next_entry(walk, entry, error);
		whole = !code && *entry && !prn_rados_name_read((struct prn_bytes){ (*entry)->name, (*entry)->name_bytes }, &table, key, length);
	} while (!code && *entry && !whole && passes);
	if (!whole)
		*length = 0;
	return code;
}

int prn_rados_next(struct prn_walk *head, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error)
{
	struct walk *walk = (struct walk *)head;
	unsigned char bytes[PRN_TABLE_KEY_BYTES];
	const struct prn_rados_entry *entry;
	size_t length;
	int code = next_named(walk, &entry, bytes, &length, error);

	if (code || !entry)
		return code;
	if (!length)
		return prn_error_set(error, PRN_E_DAMAGED, "%s: the object has an entry that is of no table: 'perennial check --repair' "
		                     "removes it", head->view->tables->address);
	key->data = prn_rados_keep(prn_rados_view_of(head->view), bytes, length);
	key->length = length;
	*value = (struct prn_bytes){ entry->value, entry->value_bytes };
	return key->data ? 1 : prn_error_memory(error);
}
