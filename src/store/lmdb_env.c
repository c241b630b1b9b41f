#include "store/lmdb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_MAP_BYTES ((size_t)16 << 20)
#define LOCK_BYTES ((off_t)64 << 10) /* room for 1000 readers and their header */
#define TAIL_PAGES 64 /* LMDB leaves pages at the end unwritten that it took and freed within one write */

int prn_lmdb_find(const char *path, off_t *bytes, struct prn_error *error)
{
	char *file = prn_lmdb_file(path, "data.mdb");
	struct stat about;
	int failed = 0;

	if (!file)
		return prn_error_memory(error);
	if (stat(file, &about))
		failed = errno == ENOENT || errno == ENOTDIR
		                 ? prn_error_set(error, PRN_E_NOT_FOUND,
		                                 "%s: there is no store: 'perennial init' makes one", path)
		                 : prn_error_set(error, PRN_E_IO, "%s: %s", file, strerror(errno));
	else if (bytes)
		*bytes = about.st_size;
	free(file);
	return failed;
}

/*
 * LMDB maps the lock file and writes through the map, where a full disk would kill the process with a signal.  So the file gets
 * its blocks before LMDB opens it; if it were closed here later, LMDB's own locks would be given back.  In a folder that cannot be
 * written this is left to LMDB, whose readers can do without the file.
 */
static int reserve_lock(const char *path, struct prn_error *error)
{
	int lock, code, failed = prn_lmdb_lock_file(path, "lock.mdb", &lock, &code, error);

	if (failed || lock < 0)
		return failed;
	code = posix_fallocate(lock, 0, LOCK_BYTES);
	close(lock);
	if (code == EFBIG)
		return prn_error_set(error, PRN_E_IO, "%s: cannot lock it: lock.mdb takes %lld bytes, and files may not be as long here (ulimit -f, or the file system)",
		                     path, (long long)LOCK_BYTES);
	return code ? prn_lmdb_fail(path, "lock it", code, error) : 0;
}

static int open_env(struct prn_lmdb *lmdb, const char *path, off_t file_bytes, struct prn_error *error)
{
	unsigned flags = MDB_NOTLS | MDB_NORDAHEAD | (lmdb->writable ? 0 : MDB_RDONLY);
	size_t map = FIRST_MAP_BYTES;
	int code = mdb_env_create(&lmdb->env);

	if (code)
		return prn_lmdb_fail(lmdb->path, "open", code, error);
	/* The map is twice what the file holds, so that it seldom has to be doubled. */
	while (map < 2 * (size_t)file_bytes)
		map *= 2;
	code = mdb_env_set_maxdbs(lmdb->env, PRN_TABLES);
	if (!code)
		code = mdb_env_set_mapsize(lmdb->env, map);
	if (!code)
		code = mdb_env_open(lmdb->env, path, flags, 0600);
	return code ? prn_lmdb_fail(lmdb->path, "open", code, error) : 0;
}

/* Opens the tables for LMDB to write, or makes them.  Returns a code of LMDB. */
static int open_in_one(struct prn_lmdb *lmdb, bool reading, bool create)
{
	MDB_txn *txn;
	int code = mdb_txn_begin(lmdb->env, NULL, reading ? MDB_RDONLY : 0, &txn);

	if (code)
		return code;
	for (size_t i = 0; i < PRN_TABLES && !code; i++)
		code = mdb_dbi_open(txn, prn_table_name((enum prn_table)i),
		                    create || (!reading && prn_lmdb_came_later(i)) ? MDB_CREATE : 0, &lmdb->tables[i]);
	if (!code)
		return mdb_txn_commit(txn);
	mdb_txn_abort(txn);
	return code;
}

/* Tables that an older program did not make are made.  LMDB reads the names of the tables, so these are checked before. */
static int open_tables(struct prn_lmdb *lmdb, bool create, struct prn_error *error)
{
	int failed = create ? 0 : prn_lmdb_look_ahead(lmdb, NULL, 0, error), code;

	if (failed)
		return failed;
	code = create ? MDB_NOTFOUND : open_in_one(lmdb, true, false);
	if (code == MDB_NOTFOUND)
		code = open_in_one(lmdb, false, create);
	if (code == MDB_NOTFOUND || code == MDB_INCOMPATIBLE)
		return prn_error_set(error, PRN_E_DAMAGED, "%s: an LMDB file, but not of a store", lmdb->path);
	return code ? prn_lmdb_fail(lmdb->path, "write", code, error) : 0;
}

off_t prn_lmdb_bytes_in_use(const struct prn_lmdb *lmdb)
{
	MDB_envinfo info;
	MDB_stat stat;

	mdb_env_info(lmdb->env, &info);
	mdb_env_stat(lmdb->env, &stat);
	return (off_t)(info.me_last_pgno + 1) * (off_t)stat.ms_psize;
}

int prn_lmdb_extend(const struct prn_lmdb *lmdb, off_t length, struct prn_error *error)
{
	mdb_filehandle_t file;

	mdb_env_get_fd(lmdb->env, &file);
	return ftruncate(file, length) ? prn_lmdb_fail(lmdb->path, "extend it", errno, error) : 0;
}

/*
 * The head is read before the length, because a writer in another process writes them in the other order.  Reading
 * the map beyond the file's end would kill this process with a signal.  A few pages may be missing at the end: a
 * writer that was killed left them out, and the next one adds them.  If more than those were lost, LMDB finds
 * zeros there and reports them.
 */
static int check_length(const struct prn_lmdb *lmdb, struct prn_error *error)
{
	off_t wanted = prn_lmdb_bytes_in_use(lmdb);
	mdb_filehandle_t file;
	struct stat about;
	MDB_stat stat;

	mdb_env_stat(lmdb->env, &stat);
	mdb_env_get_fd(lmdb->env, &file);
	if (fstat(file, &about))
		return prn_lmdb_fail(lmdb->path, "read", errno, error);
	if (about.st_size >= wanted)
		return 0;
	if (lmdb->writable && wanted - about.st_size <= TAIL_PAGES * (off_t)stat.ms_psize)
		return prn_lmdb_extend(lmdb, wanted, error);
	return prn_error_set(error, PRN_E_TRUNCATED,
	                     "%s: data.mdb is cut off: it has %lld of %lld bytes; restore a backup, or "
	                     "'perennial check --repair' saves what is whole",
	                     lmdb->path, (long long)about.st_size, (long long)wanted);
}

/*
 * If the file was open before, the tables that share it belong to it, so it must not be opened again as another file.  If this
 * process has that other file open, closing it would give back its locks.
 */
static int check_same(const struct prn_lmdb *lmdb, const char *path, struct prn_error *error)
{
	char *file = prn_lmdb_file(path, "data.mdb");
	struct stat about;
	bool same;

	if (!file)
		return prn_error_memory(error);
	same = !lmdb->users || (!stat(file, &about) && lmdb->device == about.st_dev && lmdb->inode == about.st_ino);
	free(file);
	return same ? 0 : prn_lmdb_replaced(lmdb->path, error);
}

/* Readers of a folder that cannot be written may do without lock.mdb. */
static int identify(struct prn_lmdb *lmdb, const char *path, struct prn_error *error)
{
	char *name = prn_lmdb_file(path, "lock.mdb");
	bool has_lock;
	mdb_filehandle_t file;
	struct stat about, lock;

	if (!name)
		return prn_error_memory(error);
	has_lock = !stat(name, &lock);
	free(name);
	mdb_env_get_fd(lmdb->env, &file);
	if (fstat(file, &about))
		return prn_lmdb_fail(lmdb->path, "read", errno, error);
	lmdb->device = about.st_dev;
	lmdb->inode = about.st_ino;
	lmdb->lock_device = has_lock ? lock.st_dev : 0;
	lmdb->lock_inode = has_lock ? lock.st_ino : 0;
	return 0;
}

int prn_lmdb_open_file(struct prn_lmdb *lmdb, const char *path, bool create, struct prn_error *error)
{
	off_t bytes = 0;
	int code = create ? 0 : prn_lmdb_find(path, &bytes, error);

	/* LMDB would begin an empty file anew. */
	if (!code && !create && !bytes)
		code = prn_error_set(error, PRN_E_TRUNCATED, "%s: data.mdb is empty: restore a backup", lmdb->path);
	if (!code && !create)
		code = check_same(lmdb, path, error);
	if (!code && !create)
		code = prn_lmdb_check_heads(path, error);
	/* LMDB follows what the lock file's name leads to, so nothing comes in between that takes time. */
	if (!code)
		code = reserve_lock(path, error);
	if (!code)
		code = open_env(lmdb, path, bytes, error);
	if (!code)
		code = identify(lmdb, path, error);
	if (!code && !create)
		code = check_length(lmdb, error);
	if (!code)
		code = prn_lmdb_map(lmdb, error);
	return code || !lmdb->writable ? code : open_tables(lmdb, create, error);
}

void prn_lmdb_forget_sound(struct prn_lmdb *lmdb)
{
	free(lmdb->sound);
	lmdb->sound = NULL;
	lmdb->sound_pages = 0;
	lmdb->free_sound = false;
}

void prn_lmdb_close_file(struct prn_lmdb *lmdb)
{
	prn_lmdb_unmap(lmdb);
	/* A parent's environment is left open: closing the file would give back the locks that this process has on it by now. */
	if (lmdb->env && lmdb->process == getpid())
		mdb_env_close(lmdb->env);
	lmdb->env = NULL;
	prn_lmdb_forget_sound(lmdb);
}

int prn_lmdb_place_map(struct prn_lmdb *lmdb, size_t bytes, struct prn_error *error)
{
	int failed;

	prn_lmdb_unmap(lmdb);
	failed = mdb_env_set_mapsize(lmdb->env, bytes);
	if (!failed)
		failed = prn_lmdb_map(lmdb, NULL);
	if (failed)
		lmdb->broken = true;
	prn_lmdb_move_end(&lmdb->holds);
	return failed ? prn_error_set(error, PRN_E_MEMORY, "%s: there is no address space for the store to grow", lmdb->path)
	              : 0;
}

int prn_lmdb_reopen(struct prn_lmdb *lmdb, struct prn_error *error)
{
	int code = 0;

	if (!prn_lmdb_move_begin(&lmdb->holds, true))
		return prn_error_set(error, PRN_E_LIMIT, "%s: a write failed, and reads of this process stay open",
		                     lmdb->path);
	/* Another thread may have done this already. */
	if (lmdb->broken) {
		prn_lmdb_close_file(lmdb);
		lmdb->writable = lmdb->has_writer;
		code = prn_lmdb_open_file(lmdb, lmdb->place, false, error);
		lmdb->broken = code != 0;
	}
	prn_lmdb_move_end(&lmdb->holds);
	return code;
}
