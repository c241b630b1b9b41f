#include "store/tables_lmdb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIRST_MAP_BYTES ((size_t)16 << 20)
#define LOCK_BYTES ((off_t)64 << 10) /* room for 1000 readers and their header */
#define GROW_WAIT_S 3
#define TAIL_PAGES 64 /* LMDB leaves pages at the end unwritten that it took and freed within one write */

static const char *const table_names[PRN_TABLES] = {
	"pages", "due", "leases", "hosts", "suspects", "meta",
};

int prn_change_compare(const struct prn_change *a, const struct prn_change *b)
{
	size_t shorter = a->key.length < b->key.length ? a->key.length : b->key.length;
	int order;

	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	order = memcmp(a->key.data, b->key.data, shorter);
	return order ? order : (a->key.length > b->key.length) - (a->key.length < b->key.length);
}

int prn_lmdb_fail(const char *path, const char *what, int lmdb, struct prn_error *error)
{
	switch (lmdb) {
	case ENOMEM:
		return prn_error_set(error, PRN_E_MEMORY, "%s: cannot %s: out of memory", path, what);
	case ENOSPC:
	case EDQUOT:
		return prn_error_set(error, PRN_E_IO, "%s: cannot %s: the disk is full; nothing was changed", path, what);
	case EACCES:
		return prn_error_set(error, PRN_E_IO,
		                     "%s: cannot %s: permission denied (to read, data.mdb must be readable and lock.mdb writable)",
		                     path, what);
	case PRN_LMDB_LOST:
		return prn_error_set(error, PRN_E_MEMORY, "%s: no address space to %s: open the store again with more",
		                     path, what);
	case MDB_PANIC:
		return prn_error_set(error, PRN_E_IO, "%s: cannot %s after a write that failed: open the store again",
		                     path, what);
	case MDB_READERS_FULL:
		return prn_error_set(error, PRN_E_LIMIT, "%s: cannot %s: too many readers at a time", path, what);
	case MDB_INVALID:
	case MDB_VERSION_MISMATCH:
		return prn_error_set(error, PRN_E_INPUT, "%s: data.mdb is not a store, or its head is damaged", path);
	case MDB_CORRUPTED:
	case MDB_PAGE_NOTFOUND:
	case MDB_BAD_TXN:
		return prn_error_set(error, PRN_E_INPUT, "%s: data.mdb is damaged (%s): restore a backup", path,
		                     mdb_strerror(lmdb));
	default:
		return prn_error_set(error, PRN_E_IO, "%s: cannot %s: %s", path, what, mdb_strerror(lmdb));
	}
}

MDB_val prn_lmdb_value(struct prn_bytes bytes)
{
	return (MDB_val){ .mv_size = bytes.length, .mv_data = (void *)(uintptr_t)bytes.data };
}

char *prn_lmdb_file(const char *path, const char *name)
{
	char *file;

	return asprintf(&file, "%s/%s", path, name) < 0 ? NULL : file;
}

/* How large the data file is; also tells whether there is one. */
static int stat_data(const char *path, struct stat *about, struct prn_error *error)
{
	char *file = prn_lmdb_file(path, "data.mdb");
	int failed = 0;

	if (!file)
		return prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", path);
	if (stat(file, about))
		failed = errno == ENOENT || errno == ENOTDIR
		                 ? prn_error_set(error, PRN_E_NOT_FOUND,
		                                 "%s: no store there: 'perennial init' makes one", path)
		                 : prn_error_set(error, PRN_E_IO, "%s: %s", file, strerror(errno));
	free(file);
	return failed;
}

/*
 * LMDB maps the lock file and writes through the map, where a full disk is a signal that kills: the file gets its
 * blocks before.  A folder that cannot be written leaves it to LMDB, whose readers can do without.
 */
static int reserve_lock(const char *path, struct prn_error *error)
{
	char *file = prn_lmdb_file(path, "lock.mdb");
	int lock = file ? open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
	int failed = 0;

	if (!file)
		return prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", path);
	if (lock >= 0) {
		failed = posix_fallocate(lock, 0, LOCK_BYTES);
		close(lock);
	}
	free(file);
	return failed ? prn_lmdb_fail(path, "lock it", failed, error) : 0;
}

/* Twice what the file holds, so that a doubling is rare. */
static size_t first_map(off_t file_bytes)
{
	size_t map = FIRST_MAP_BYTES;

	while (map < 2 * (size_t)file_bytes)
		map *= 2;
	return map;
}

static int open_env(struct prn_tables *tables, off_t file_bytes, struct prn_error *error)
{
	unsigned flags = MDB_NOTLS | MDB_NORDAHEAD | (tables->writable ? 0 : MDB_RDONLY);
	int lmdb = mdb_env_create(&tables->env);

	if (lmdb)
		return prn_lmdb_fail(tables->path, "open", lmdb, error);
	lmdb = mdb_env_set_maxdbs(tables->env, PRN_TABLES);
	if (!lmdb)
		lmdb = mdb_env_set_mapsize(tables->env, first_map(file_bytes));
	if (!lmdb)
		lmdb = mdb_env_open(tables->env, tables->path, flags, 0666);
	return lmdb ? prn_lmdb_fail(tables->path, "open", lmdb, error) : 0;
}

static int open_tables(struct prn_tables *tables, bool create, struct prn_error *error)
{
	MDB_txn *txn;
	int lmdb = mdb_txn_begin(tables->env, NULL, create ? 0 : MDB_RDONLY, &txn);

	if (lmdb)
		return prn_lmdb_fail(tables->path, "read", lmdb, error);
	for (size_t i = 0; i < PRN_TABLES && !lmdb; i++)
		lmdb = mdb_dbi_open(txn, table_names[i], create ? MDB_CREATE : 0, &tables->tables[i]);
	if (lmdb == MDB_NOTFOUND || lmdb == MDB_INCOMPATIBLE) {
		mdb_txn_abort(txn);
		return prn_error_set(error, PRN_E_INPUT, "%s: an LMDB file, but not of a store", tables->path);
	}
	if (lmdb)
		mdb_txn_abort(txn);
	else
		lmdb = mdb_txn_commit(txn);
	return lmdb ? prn_lmdb_fail(tables->path, create ? "write" : "read", lmdb, error) : 0;
}

off_t prn_lmdb_bytes_in_use(const struct prn_tables *tables)
{
	MDB_envinfo info;
	MDB_stat stat;

	mdb_env_info(tables->env, &info);
	mdb_env_stat(tables->env, &stat);
	return (off_t)(info.me_last_pgno + 1) * (off_t)stat.ms_psize;
}

int prn_lmdb_extend(const struct prn_tables *tables, off_t length, struct prn_error *error)
{
	mdb_filehandle_t file;

	mdb_env_get_fd(tables->env, &file);
	return ftruncate(file, length) ? prn_lmdb_fail(tables->path, "extend it", errno, error) : 0;
}

/*
 * The head is read before the length: a writer beside us writes them in the other order.  To read the map beyond the
 * file's end is a signal that kills; a few pages that are missing at the end may have been left out by a writer that
 * was killed, and the next one adds them: if more than that was lost there, LMDB finds zeros, and says so.
 */
static int check_length(const struct prn_tables *tables, struct prn_error *error)
{
	off_t wanted = prn_lmdb_bytes_in_use(tables);
	mdb_filehandle_t file;
	struct stat about;
	MDB_stat stat;

	mdb_env_stat(tables->env, &stat);
	mdb_env_get_fd(tables->env, &file);
	if (fstat(file, &about))
		return prn_lmdb_fail(tables->path, "read", errno, error);
	if (about.st_size >= wanted)
		return 0;
	if (tables->writable && wanted - about.st_size <= TAIL_PAGES * (off_t)stat.ms_psize)
		return prn_lmdb_extend(tables, wanted, error);
	return prn_error_set(error, PRN_E_TRUNCATED, "%s: data.mdb is cut off: it has %lld of %lld bytes; restore a backup",
	                     tables->path, (long long)about.st_size, (long long)wanted);
}

static int open_all(struct prn_tables *tables, off_t file_bytes, bool create, struct prn_error *error)
{
	int failed = reserve_lock(tables->path, error);

	if (!failed)
		failed = open_env(tables, file_bytes, error);
	if (!failed && !create)
		failed = check_length(tables, error);
	return failed ? failed : open_tables(tables, create, error);
}

static int open_new(struct prn_tables **out, const char *path, bool writable, bool create, off_t file_bytes,
                    struct prn_error *error)
{
	struct prn_tables *tables = calloc(1, sizeof *tables);
	int failed;

	if (!tables)
		return prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", path);
	pthread_rwlock_init(&tables->growing, NULL);
	tables->writable = writable;
	tables->path = strdup(path);
	failed = tables->path ? open_all(tables, file_bytes, create, error)
	                      : prn_error_set(error, PRN_E_MEMORY, "%s: out of memory", path);
	if (failed)
		prn_tables_free(tables);
	else
		*out = tables;
	return failed;
}

int prn_tables_create(const char *path, struct prn_error *error)
{
	struct prn_tables *tables;
	int failed = open_new(&tables, path, true, true, 0, error);

	if (!failed)
		prn_tables_free(tables);
	return failed;
}

int prn_tables_find(const char *path, struct prn_error *error)
{
	struct stat about;

	return stat_data(path, &about, error);
}

int prn_tables_open(struct prn_tables **out, const char *path, bool writable, struct prn_error *error)
{
	struct stat about;
	int failed = stat_data(path, &about, error);

	/* LMDB takes an empty file for one that it is to begin. */
	if (!failed && !about.st_size)
		failed = prn_error_set(error, PRN_E_TRUNCATED, "%s: data.mdb is empty: restore a backup", path);
	return failed ? failed : open_new(out, path, writable, false, about.st_size, error);
}

void prn_tables_free(struct prn_tables *tables)
{
	if (!tables)
		return;
	if (tables->env)
		mdb_env_close(tables->env);
	pthread_rwlock_destroy(&tables->growing);
	free(tables->path);
	free(tables);
}

bool prn_lmdb_wait_for_views(struct prn_tables *tables)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += GROW_WAIT_S;
	return !pthread_rwlock_clockwrlock(&tables->growing, CLOCK_MONOTONIC, &until);
}

int prn_lmdb_place_map(struct prn_tables *tables, size_t bytes, struct prn_error *error)
{
	if (!tables->lost && mdb_env_set_mapsize(tables->env, bytes))
		tables->lost = true;
	pthread_rwlock_unlock(&tables->growing);
	return tables->lost ? prn_lmdb_fail(tables->path, "grow", PRN_LMDB_LOST, error) : 0;
}
