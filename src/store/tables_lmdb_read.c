#include "store/tables_lmdb_internal.h"

#include <stdlib.h>
#include <string.h>

struct prn_table_view {
	struct prn_tables *tables;
	MDB_txn *txn;
};

struct prn_scan {
	struct prn_table_view *view;
	MDB_cursor *cursor;
	MDB_cursor_op step; /* of the next call */
	struct prn_bytes from;
	unsigned char from_bytes[PRN_TABLE_KEY_BYTES];
};

static struct prn_bytes bytes_of(MDB_val value)
{
	return (struct prn_bytes){ .data = value.mv_data, .length = value.mv_size };
}

static int begin_read(struct prn_table_view *view, struct prn_error *error)
{
	struct prn_tables *tables = view->tables;

	for (;;) {
		int lmdb, failed;

		pthread_rwlock_rdlock(&tables->growing);
		lmdb = tables->lost ? PRN_LMDB_LOST : mdb_txn_begin(tables->env, NULL, MDB_RDONLY, &view->txn);
		if (!lmdb)
			return 0;
		pthread_rwlock_unlock(&tables->growing);
		if (lmdb != MDB_MAP_RESIZED)
			return prn_lmdb_fail(tables->path, "read", lmdb, error);
		if (!prn_lmdb_wait_for_views(tables))
			return prn_error_set(error, PRN_E_LIMIT, "%s: the store has grown and older reads stay open",
			                     tables->path);
		failed = prn_lmdb_place_map(tables, 0, error);
		if (failed)
			return failed;
	}
}

int prn_table_view_open(struct prn_table_view **out, struct prn_tables *tables, struct prn_error *error)
{
	struct prn_table_view *view = malloc(sizeof *view);
	int failed;

	if (!view)
		return prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", tables->path);
	*view = (struct prn_table_view){ .tables = tables };
	failed = begin_read(view, error);
	if (failed)
		free(view);
	else
		*out = view;
	return failed;
}

void prn_table_view_close(struct prn_table_view *view)
{
	if (!view)
		return;
	mdb_txn_abort(view->txn);
	pthread_rwlock_unlock(&view->tables->growing);
	free(view);
}

int prn_table_view_get(struct prn_table_view *view, enum prn_table table, struct prn_bytes key,
                     struct prn_bytes *value, struct prn_error *error)
{
	MDB_val name = prn_lmdb_value(key), found;
	int lmdb = mdb_get(view->txn, view->tables->tables[table], &name, &found);

	if (lmdb == MDB_NOTFOUND)
		return PRN_E_NOT_FOUND;
	if (lmdb)
		return prn_lmdb_fail(view->tables->path, "read", lmdb, error);
	*value = bytes_of(found);
	return 0;
}

/* What LMDB's own list of free pages adds up to. */
static int count_free(struct prn_table_view *view, size_t *pages)
{
	MDB_cursor *cursor;
	MDB_val key, list;
	int lmdb = mdb_cursor_open(view->txn, 0, &cursor);

	*pages = 0;
	if (lmdb)
		return lmdb;
	while (!(lmdb = mdb_cursor_get(cursor, &key, &list, MDB_NEXT))) {
		size_t count;

		memcpy(&count, list.mv_data, sizeof count);
		*pages += count;
	}
	mdb_cursor_close(cursor);
	return lmdb == MDB_NOTFOUND ? 0 : lmdb;
}

int prn_table_view_size(struct prn_table_view *view, struct prn_tables_size *size, struct prn_error *error)
{
	struct prn_tables *tables = view->tables;
	struct prn_tables_size sum;
	size_t free_pages;
	MDB_stat stat;
	int lmdb = count_free(view, &free_pages);

	for (size_t i = 0; i < PRN_TABLES && !lmdb; i++) {
		lmdb = mdb_stat(view->txn, tables->tables[i], &stat);
		sum.entries[i] = stat.ms_entries;
	}
	if (lmdb)
		return prn_lmdb_fail(tables->path, "read", lmdb, error);
	sum.bytes = (uint64_t)prn_lmdb_bytes_in_use(tables);
	sum.bytes_free = (uint64_t)free_pages * stat.ms_psize;
	*size = sum;
	return 0;
}

int prn_scan_open(struct prn_scan **out, struct prn_table_view *view, enum prn_table table, struct prn_bytes from,
                  struct prn_error *error)
{
	struct prn_tables *tables = view->tables;
	struct prn_scan *scan;
	int lmdb;

	if (from.length > PRN_TABLE_KEY_BYTES)
		return prn_error_set(error, PRN_E_RANGE, "%s: a key is too long", tables->path);
	scan = malloc(sizeof *scan);
	if (!scan)
		return prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", tables->path);
	scan->view = view;
	scan->step = from.length ? MDB_SET_RANGE : MDB_FIRST;
	scan->from = (struct prn_bytes){ scan->from_bytes, from.length };
	if (from.length)
		memcpy(scan->from_bytes, from.data, from.length);
	lmdb = mdb_cursor_open(view->txn, tables->tables[table], &scan->cursor);
	if (lmdb) {
		free(scan);
		return prn_lmdb_fail(tables->path, "read", lmdb, error);
	}
	*out = scan;
	return 0;
}

int prn_scan_next(struct prn_scan *scan, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error)
{
	MDB_val name = prn_lmdb_value(scan->from), found;
	int lmdb = mdb_cursor_get(scan->cursor, &name, &found, scan->step);

	if (lmdb == MDB_NOTFOUND)
		return 0;
	if (lmdb)
		return prn_lmdb_fail(scan->view->tables->path, "read", lmdb, error);
	scan->step = MDB_NEXT;
	*key = bytes_of(name);
	*value = bytes_of(found);
	return 1;
}

void prn_scan_free(struct prn_scan *scan)
{
	if (!scan)
		return;
	mdb_cursor_close(scan->cursor);
	free(scan);
}
