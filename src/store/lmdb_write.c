#include "store/lmdb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define LEFT_BYTES 65536u /* a write that ended short left at most this much room: others may have given some back since */

static int grow(struct prn_lmdb *lmdb, struct prn_error *error)
{
	MDB_envinfo info;

	if (!prn_lmdb_move_begin(&lmdb->holds, true))
		return prn_error_set(error, PRN_E_LIMIT, "%s: cannot grow: reads of this process stay open",
		                     lmdb->path);
	mdb_env_info(lmdb->env, &info);
	return prn_lmdb_place_map(lmdb, 2 * info.me_mapsize, error);
}

/* While no view of this process is open, growing the map makes nobody wait. */
static int grow_ahead(struct prn_lmdb *lmdb, struct prn_error *error)
{
	MDB_envinfo info;

	mdb_env_info(lmdb->env, &info);
	if ((size_t)prn_lmdb_bytes_in_use(lmdb) < info.me_mapsize / 4 * 3 ||
	    !prn_lmdb_move_begin(&lmdb->holds, false))
		return 0;
	return prn_lmdb_place_map(lmdb, 2 * info.me_mapsize, error);
}

static int apply_one(MDB_cursor *cursor, const struct prn_change *change)
{
	MDB_val key = prn_lmdb_value(change->key), value = prn_lmdb_value(change->value), old;
	int code;

	if (!change->removed)
		return mdb_cursor_put(cursor, &key, &value, 0);
	code = mdb_cursor_get(cursor, &key, &old, MDB_SET);
	if (code)
		return code == MDB_NOTFOUND ? 0 : code;
	return mdb_cursor_del(cursor, 0);
}

/* One table's changes, from *at on: neighbours in the order of keys share leaves, and a cursor keeps its place. */
static int apply_table(const struct prn_lmdb *lmdb, MDB_txn *txn, const struct prn_change *changes, size_t count,
                       size_t *at)
{
	enum prn_table table = changes[*at].table;
	MDB_cursor *cursor;
	int code = mdb_cursor_open(txn, lmdb->tables[table], &cursor);

	if (code)
		return code;
	for (; *at < count && changes[*at].table == table && !code; ++*at)
		code = apply_one(cursor, &changes[*at]);
	mdb_cursor_close(cursor);
	return code;
}

/* Returns a code of LMDB. */
static int write_once(struct prn_lmdb *lmdb, const struct prn_change *changes, size_t count)
{
	MDB_txn *txn;
	int code = mdb_txn_begin(lmdb->env, NULL, 0, &txn);

	if (code)
		return code;
	for (size_t at = 0; at < count && !code;)
		code = apply_table(lmdb, txn, changes, count, &at);
	if (!code)
		return mdb_txn_commit(txn);
	mdb_txn_abort(txn);
	return code;
}

/* What is written to a file that has no name any more ends with this process; a folder that was only renamed has its file. */
static int check_named(const struct prn_lmdb *lmdb, off_t *size, struct prn_error *error)
{
	mdb_filehandle_t file;
	struct stat about;

	*size = INT64_MAX;
	mdb_env_get_fd(lmdb->env, &file);
	if (fstat(file, &about))
		return 0;
	*size = about.st_size;
	return about.st_nlink ? 0 : prn_error_set(error, PRN_E_IO, "%s: was removed while this process had it open: nothing that is written to it is kept", lmdb->path);
}

/* A reader of another process must never find the file shorter than its head says. */
static int settle(const struct prn_lmdb *lmdb, struct prn_error *error)
{
	off_t size, wanted = prn_lmdb_bytes_in_use(lmdb);
	int failed = check_named(lmdb, &size, error);

	if (!failed && size < wanted)
		prn_lmdb_extend(lmdb, wanted, NULL);
	return failed;
}

/*
 * LMDB reports a write that ended short as an I/O error.  A short write is the first sign of a disk that fills up, and of a
 * file that reaches the largest size that the process may write.
 */
static int cause_of(const struct prn_lmdb *lmdb, int code)
{
	char *name = code == EIO ? prn_lmdb_file(lmdb->place, "data.mdb") : NULL;
	struct statvfs disk;
	struct rlimit limit;
	struct stat file;

	if (!name)
		return code;
	if (!stat(name, &file) && !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	    (uint64_t)file.st_size + LEFT_BYTES > limit.rlim_cur)
		code = EFBIG;
	else if (!statvfs(name, &disk) && (uint64_t)disk.f_bavail * disk.f_frsize < LEFT_BYTES)
		code = ENOSPC;
	free(name);
	return code;
}

/*
 * After a failed write of its head LMDB refuses everything for as long as the file is open (MDB_PANIC), and a
 * daemon may keep it open for months.  It is therefore opened again, and what was refused is written then.
 */
static int write_all(struct prn_lmdb *lmdb, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	bool reopened = false;
	off_t size;
	int failed = lmdb->broken ? prn_lmdb_reopen(lmdb, error) : 0;

	/* Else who is told that a write failed would read it, and think it durable, when it comes again. */
	if (!failed)
		failed = check_named(lmdb, &size, error);
	if (!failed)
		failed = grow_ahead(lmdb, error);
	if (failed)
		return failed;
	/* Without this, pages that a killed reader still holds would never be used again. */
	mdb_reader_check(lmdb->env, NULL);
	/* A store that is being made has no pages that could be damaged. */
	failed = lmdb->is_new ? 0 : prn_lmdb_look_ahead(lmdb, changes, count, error);
	while (!failed) {
		int code = write_once(lmdb, changes, count);

		if (!code)
			return settle(lmdb, error);
		if (code == MDB_PANIC && !reopened) {
			lmdb->broken = reopened = true;
			failed = prn_lmdb_reopen(lmdb, error);
		} else if (code == MDB_MAP_FULL) {
			failed = grow(lmdb, error);
		} else {
			failed = prn_lmdb_fail(lmdb->path, "write", cause_of(lmdb, code), error);
		}
	}
	return failed;
}

int prn_lmdb_write(struct prn_tables *tables, const struct prn_change *changes, size_t count, struct prn_error *error)
{
	struct prn_lmdb *lmdb = prn_lmdb_of(tables);
	int code;

	pthread_mutex_lock(&lmdb->writing);
	code = write_all(lmdb, changes, count, error);
	pthread_mutex_unlock(&lmdb->writing);
	return code;
}

/* LMDB copies without looking. */
static int check_source(struct prn_tables *tables, struct prn_error *error)
{
	struct prn_view *view;
	uint64_t faults = 0;
	int code = prn_lmdb_view(&view, tables, error);

	if (code)
		return code;
	code = prn_lmdb_check(view, NULL, NULL, &faults, error);
	prn_lmdb_close(view);
	if (code || !faults)
		return code;
	return prn_error_set(
		error, PRN_E_DAMAGED,
		"%s: data.mdb is damaged, and was not copied: 'perennial check' tells where, with --repair it saves "
		"what is whole",
		prn_lmdb_of(tables)->path);
}

int prn_lmdb_copy(struct prn_tables *tables, const char *path, struct prn_error *error)
{
	struct prn_lmdb *lmdb = prn_lmdb_of(tables);
	int failed = check_source(tables, error), file, code;
	struct prn_lmdb_hold hold;
	char *name;

	if (failed)
		return failed;
	name = prn_lmdb_file(path, "data.mdb");
	file = name ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	code = !name ? ENOMEM : file < 0 ? errno : 0;
	if (!code) {
		prn_lmdb_hold(&lmdb->holds, &hold);
		code = lmdb->broken ? MDB_PANIC : mdb_env_copyfd2(lmdb->env, file, MDB_CP_COMPACT);
		prn_lmdb_let_go(&lmdb->holds, &hold);
	}
	if (!code && fsync(file))
		code = errno;
	if (file >= 0 && close(file) && !code)
		code = errno;
	free(name);
	return code ? prn_lmdb_fail(path, "write a copy", code, error) : 0;
}
