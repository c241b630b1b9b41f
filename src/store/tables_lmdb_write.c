#include "store/tables_lmdb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int grow(struct prn_tables *tables, struct prn_error *error)
{
	MDB_envinfo info;

	if (!prn_lmdb_wait_for_views(tables))
		return prn_error_set(error, PRN_E_LIMIT, "%s: cannot grow: reads of this process stay open", tables->path);
	mdb_env_info(tables->env, &info);
	return prn_lmdb_place_map(tables, 2 * info.me_mapsize, error);
}

/* While nobody reads here, growing costs nobody a wait. */
static int grow_ahead(struct prn_tables *tables, struct prn_error *error)
{
	MDB_envinfo info;

	mdb_env_info(tables->env, &info);
	if ((size_t)prn_lmdb_bytes_in_use(tables) < info.me_mapsize / 4 * 3 ||
	    pthread_rwlock_trywrlock(&tables->growing))
		return 0;
	return prn_lmdb_place_map(tables, 2 * info.me_mapsize, error);
}

static int apply_one(MDB_cursor *cursor, const struct prn_change *change)
{
	MDB_val key = prn_lmdb_value(change->key), value = prn_lmdb_value(change->value), old;
	int lmdb;

	if (!change->removed)
		return mdb_cursor_put(cursor, &key, &value, 0);
	lmdb = mdb_cursor_get(cursor, &key, &old, MDB_SET);
	if (lmdb)
		return lmdb == MDB_NOTFOUND ? 0 : lmdb;
	return mdb_cursor_del(cursor, 0);
}

/* One table's changes, from *at on: neighbours in the order of keys share leaves, and a cursor keeps its place. */
static int apply_table(const struct prn_tables *tables, MDB_txn *txn, const struct prn_change *changes, size_t count,
                       size_t *at)
{
	enum prn_table table = changes[*at].table;
	MDB_cursor *cursor;
	int lmdb = mdb_cursor_open(txn, tables->tables[table], &cursor);

	if (lmdb)
		return lmdb;
	for (; *at < count && changes[*at].table == table && !lmdb; ++*at)
		lmdb = apply_one(cursor, &changes[*at]);
	mdb_cursor_close(cursor);
	return lmdb;
}

/* Returns a code of LMDB. */
static int write_once(struct prn_tables *tables, const struct prn_change *changes, size_t count)
{
	MDB_txn *txn;
	int lmdb = tables->lost ? PRN_LMDB_LOST : mdb_txn_begin(tables->env, NULL, 0, &txn);

	if (lmdb)
		return lmdb;
	for (size_t at = 0; at < count && !lmdb;)
		lmdb = apply_table(tables, txn, changes, count, &at);
	if (!lmdb)
		return mdb_txn_commit(txn);
	mdb_txn_abort(txn);
	return lmdb;
}

/* A reader of another process must never find the file shorter than its head says. */
static void settle_length(const struct prn_tables *tables)
{
	off_t wanted = prn_lmdb_bytes_in_use(tables);
	mdb_filehandle_t file;
	struct stat about;

	mdb_env_get_fd(tables->env, &file);
	if (!fstat(file, &about) && about.st_size < wanted)
		prn_lmdb_extend(tables, wanted, NULL);
}

int prn_tables_write(struct prn_tables *tables, const struct prn_change *changes, size_t count,
                     struct prn_error *error)
{
	int failed = grow_ahead(tables, error);

	/* What a reader that was killed still holds would never be used again. */
	mdb_reader_check(tables->env, NULL);
	while (!failed) {
		int lmdb = write_once(tables, changes, count);

		if (!lmdb) {
			settle_length(tables);
			return 0;
		}
		failed = lmdb == MDB_MAP_FULL ? grow(tables, error) : prn_lmdb_fail(tables->path, "write", lmdb, error);
	}
	return failed;
}

static int copy_to(struct prn_tables *tables, int file)
{
	int lmdb;

	pthread_rwlock_rdlock(&tables->growing);
	lmdb = tables->lost ? PRN_LMDB_LOST : mdb_env_copyfd2(tables->env, file, MDB_CP_COMPACT);
	pthread_rwlock_unlock(&tables->growing);
	return lmdb ? lmdb : fsync(file) ? errno : 0;
}

int prn_tables_copy(struct prn_tables *tables, const char *path, struct prn_error *error)
{
	char *name = prn_lmdb_file(path, "data.mdb");
	int file = name ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
	int failed = !name ? ENOMEM : file < 0 ? errno : copy_to(tables, file);

	if (file >= 0 && close(file) && !failed)
		failed = errno;
	free(name);
	return failed ? prn_lmdb_fail(path, "write a copy", failed, error) : 0;
}
