#include "store/lmdb_internal.h"

#include <stdlib.h>
#include <string.h>

/* More keys than this at once are looked up in their order: neighbours share leaves. */
#define SORTED_FROM 16

struct view {
	struct prn_view head;
	struct prn_lmdb_hold hold;
	MDB_txn *txn;
};

struct walk {
	struct prn_walk head;
	MDB_cursor *cursor; /* NULL: of a table that is missing */
	MDB_cursor_op step; /* of the next call */
	struct prn_bytes from;
	unsigned char from_bytes[PRN_TABLE_KEY_BYTES];
};

static struct prn_lmdb *lmdb_of(const struct prn_view *view)
{
	return prn_lmdb_of(view->tables);
}

static MDB_txn *txn_of(const struct prn_view *view)
{
	return ((const struct view *)view)->txn;
}

/* Begins a read transaction; holds the map when it returns 0. */
static int begin_read(struct prn_lmdb *lmdb, struct prn_lmdb_hold *hold, MDB_txn **txn, struct prn_error *error)
{
	for (;;) {
		int code, failed;

		prn_lmdb_hold(&lmdb->holds, hold);
		code = lmdb->broken ? MDB_PANIC : mdb_txn_begin(lmdb->env, NULL, MDB_RDONLY, txn);
		if (!code)
			return 0;
		prn_lmdb_let_go(&lmdb->holds, hold);
		if (code == MDB_PANIC) {
			lmdb->broken = true;
			pthread_mutex_lock(&lmdb->writing);
			failed = prn_lmdb_reopen(lmdb, error);
			pthread_mutex_unlock(&lmdb->writing);
		} else if (code != MDB_MAP_RESIZED) {
			failed = prn_lmdb_fail(lmdb->path, "read", code, error);
		} else if (prn_lmdb_move_begin(&lmdb->holds, true)) {
			failed = prn_lmdb_place_map(lmdb, 0, error);
		} else {
			failed = prn_error_set(error, PRN_E_LIMIT, "%s: the store has grown and older reads stay open",
			                       lmdb->path);
		}
		if (failed)
			return failed;
	}
}

int prn_lmdb_view(struct prn_view **out, struct prn_tables *tables, struct prn_error *error)
{
	struct view *view = malloc(sizeof *view);
	int failed;

	if (!view)
		return prn_error_memory(error);
	view->head.tables = tables;
	failed = begin_read(prn_lmdb_of(tables), &view->hold, &view->txn, error);
	if (failed)
		free(view);
	else
		*out = &view->head;
	return failed;
}

void prn_lmdb_close(struct prn_view *view)
{
	mdb_txn_abort(txn_of(view));
	prn_lmdb_let_go(&lmdb_of(view)->holds, &((struct view *)view)->hold);
	free(view);
}

int prn_lmdb_get(struct prn_view *view, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
                 struct prn_error *error)
{
	MDB_val name = prn_lmdb_value(key), found;
	int code = lmdb_of(view)->missing[table]
	                   ? MDB_NOTFOUND
	                   : mdb_get(txn_of(view), lmdb_of(view)->tables[table], &name, &found);

	if (code == MDB_NOTFOUND)
		return PRN_E_NOT_FOUND;
	if (code)
		return prn_lmdb_fail(lmdb_of(view)->path, "read", code, error);
	*value = prn_lmdb_bytes(found);
	return 0;
}

static int compare_keys(const void *a, const void *b)
{
	const struct prn_bytes *const *x = a, *const *y = b;

	return prn_bytes_compare(**x, **y);
}

int prn_lmdb_get_many(struct prn_view *view, enum prn_table table, const struct prn_bytes *keys, size_t count,
                      struct prn_bytes *values, struct prn_error *error)
{
	const struct prn_bytes **order = calloc(count ? count : 1, sizeof *order);
	int failed = order ? 0 : prn_error_memory(error);

	for (size_t i = 0; i < count && !failed; i++)
		order[i] = &keys[i];
	if (!failed && count >= SORTED_FROM)
		qsort(order, count, sizeof(struct prn_bytes *), compare_keys);
	for (size_t i = 0; i < count && !failed; i++) {
		struct prn_bytes *value = &values[order[i] - keys];

		failed = prn_lmdb_get(view, table, *order[i], value, error);
		if (failed == PRN_E_NOT_FOUND) {
			*value = (struct prn_bytes){ NULL, 0 };
			failed = 0;
		}
	}
	free(order);
	return failed;
}

/* What LMDB's own list of free pages adds up to. */
static int count_free(MDB_txn *txn, size_t *pages)
{
	MDB_cursor *cursor;
	MDB_val key, list;
	int code = mdb_cursor_open(txn, 0, &cursor);

	*pages = 0;
	if (code)
		return code;
	while (!(code = mdb_cursor_get(cursor, &key, &list, MDB_NEXT))) {
		size_t count;

		memcpy(&count, list.mv_data, sizeof count);
		*pages += count;
	}
	mdb_cursor_close(cursor);
	return code == MDB_NOTFOUND ? 0 : code;
}

int prn_lmdb_size(struct prn_view *view, struct prn_tables_size *size, struct prn_error *error)
{
	struct prn_lmdb *lmdb = lmdb_of(view);
	struct prn_tables_size sum;
	size_t free_pages;
	MDB_stat stat;
	int code = count_free(txn_of(view), &free_pages);

	for (size_t i = 0; i < PRN_TABLES && !code; i++) {
		sum.entries[i] = 0;
		if (lmdb->missing[i])
			continue;
		code = mdb_stat(txn_of(view), lmdb->tables[i], &stat);
		sum.entries[i] = stat.ms_entries;
	}
	if (code)
		return prn_lmdb_fail(lmdb->path, "read", code, error);
	sum.bytes = (uint64_t)prn_lmdb_bytes_in_use(lmdb);
	sum.bytes_free = (uint64_t)free_pages * stat.ms_psize;
	*size = sum;
	return 0;
}

int prn_lmdb_scan(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
                  struct prn_error *error)
{
	struct prn_lmdb *lmdb = lmdb_of(view);
	struct walk *walk = malloc(sizeof *walk);
	int code;

	if (!walk)
		return prn_error_memory(error);
	walk->head.view = view;
	walk->step = from.length ? MDB_SET_RANGE : MDB_FIRST;
	walk->from = (struct prn_bytes){ walk->from_bytes, from.length };
	if (from.length)
		memcpy(walk->from_bytes, from.data, from.length);
	walk->cursor = NULL;
	code = lmdb->missing[table] ? 0 : mdb_cursor_open(txn_of(view), lmdb->tables[table], &walk->cursor);
	if (code) {
		free(walk);
		return prn_lmdb_fail(lmdb->path, "read", code, error);
	}
	*out = &walk->head;
	return 0;
}

int prn_lmdb_next(struct prn_walk *head, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error)
{
	struct walk *walk = (struct walk *)head;
	MDB_val name = prn_lmdb_value(walk->from), found;
	int code = walk->cursor ? mdb_cursor_get(walk->cursor, &name, &found, walk->step) : MDB_NOTFOUND;

	if (code == MDB_NOTFOUND)
		return 0;
	if (code)
		return prn_lmdb_fail(lmdb_of(head->view)->path, "read", code, error);
	walk->step = MDB_NEXT;
	*key = prn_lmdb_bytes(name);
	*value = prn_lmdb_bytes(found);
	return 1;
}

void prn_lmdb_end(struct prn_walk *head)
{
	if (((struct walk *)head)->cursor)
		mdb_cursor_close(((struct walk *)head)->cursor);
	free(head);
}

/* Whether a table's keys rise, and are as many as LMDB says. */
static int check_table(struct prn_view *view, enum prn_table table, bool *sound, struct prn_error *error)
{
	struct prn_lmdb *lmdb = lmdb_of(view);
	struct prn_bytes key, value, before = { NULL, 0 };
	struct prn_walk *walk;
	uint64_t count = 0;
	MDB_stat stat;
	int got, code = lmdb->missing[table] ? 0 : mdb_stat(txn_of(view), lmdb->tables[table], &stat);

	*sound = true;
	if (lmdb->missing[table])
		return 0;
	if (code)
		return prn_lmdb_fail(lmdb->path, "read", code, error);
	got = prn_lmdb_scan(&walk, view, table, before, error);
	if (got)
		return got;
	while (*sound && (got = prn_lmdb_next(walk, &key, &value, error)) == 1) {
		*sound = key.length && key.length <= PRN_TABLE_KEY_BYTES && prn_bytes_compare(before, key) < 0;
		before = key;
		count++;
	}
	prn_lmdb_end(walk);
	*sound = *sound && (got || count == stat.ms_entries);
	return got < 0 ? got : 0;
}

int prn_lmdb_check(struct prn_view *view, prn_skipped_fn *report, void *context, uint64_t *faults,
                   struct prn_error *error)
{
	for (size_t i = 0; i < PRN_TABLES; i++) {
		struct prn_error what;
		bool sound;
		int failed = check_table(view, (enum prn_table)i, &sound, error);

		if (failed)
			return failed;
		*faults += !sound;
		prn_error_set(&what, PRN_E_DAMAGED, "%s: the table of %s is out of order: restore a backup", view->tables->address,
		              prn_table_name((enum prn_table)i));
		if (!sound && report)
			report(context, &what);
	}
	return 0;
}
