/* What every file of the engine needs: errors, names of files, values. */
#include "store/lmdb_internal.h"

#include <errno.h>
#include <stdio.h>

int prn_lmdb_fail(const char *path, const char *what, int lmdb, struct prn_error *error)
{
	switch (lmdb) {
	case ENOMEM:
		prn_error_memory(error);
		prn_error_prefix(error, "%s: cannot %s", path, what);
		return PRN_E_MEMORY;
	case ENOSPC:
	case EDQUOT:
		return prn_error_set(error, PRN_E_IO, "%s: cannot %s: the disk is full; nothing of that was written", path,
		                     what);
	case EFBIG:
		return prn_error_set(error, PRN_E_IO,
		                     "%s: cannot %s: data.mdb is as long as a file may be here (ulimit -f, or the file system); nothing of "
		                     "that was written",
		                     path, what);
	case EACCES:
		return prn_error_set(error, PRN_E_IO,
		                     "%s: cannot %s: permission denied (reading, too, needs write access to lock.mdb)",
		                     path, what);
	case MDB_PANIC:
		return prn_error_set(error, PRN_E_IO, "%s: cannot %s after a write that failed", path, what);
	case MDB_READERS_FULL:
		return prn_error_set(error, PRN_E_LIMIT, "%s: cannot %s: too many readers at a time", path, what);
	case MDB_INVALID:
	case MDB_VERSION_MISMATCH:
		return prn_error_set(error, PRN_E_DAMAGED, "%s: data.mdb is not a store, or its head is damaged", path);
	case MDB_CORRUPTED:
	case MDB_PAGE_NOTFOUND:
	case MDB_BAD_TXN:
		return prn_error_set(
			error, PRN_E_DAMAGED,
			"%s: data.mdb is damaged (%s): restore a backup, or 'perennial check --repair' saves what "
			"is whole",
			path, mdb_strerror(lmdb));
	default:
		return prn_error_set(error, PRN_E_IO, "%s: cannot %s: %s", path, what, mdb_strerror(lmdb));
	}
}

int prn_lmdb_damaged(const char *path, size_t page, struct prn_error *error)
{
	return prn_error_set(
		error, PRN_E_DAMAGED,
		"%s: page %zu of data.mdb is damaged: restore a backup, or 'perennial check --repair' saves what is "
		"whole",
		path, page);
}

int prn_lmdb_replaced(const char *path, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_IO, "%s: another store was put in its place while this process had it open: it is to be closed first",
	                     path);
}

MDB_val prn_lmdb_value(struct prn_bytes bytes)
{
	return (MDB_val){ .mv_size = bytes.length, .mv_data = (void *)(uintptr_t)bytes.data };
}

struct prn_bytes prn_lmdb_bytes(MDB_val value)
{
	return (struct prn_bytes){ .data = value.mv_data, .length = value.mv_size };
}

char *prn_lmdb_file(const char *path, const char *name)
{
	char *file;

	return asprintf(&file, "%s/%s", path, name) < 0 ? NULL : file;
}
