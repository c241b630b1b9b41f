/*
 * What the files of the LMDB tables share.
 *
 * LMDB keeps its file in a map of fixed size.  Ours begins small and doubles: ahead of time when no view of this
 * process is open, else when a write finds it full and waits for them.  A reader learns from LMDB that another process
 * has grown the file and follows.
 */
#ifndef STORE_TABLES_LMDB_INTERNAL_H
#define STORE_TABLES_LMDB_INTERNAL_H

#include "store/tables.h"

#include <lmdb.h>
#include <pthread.h>
#include <sys/types.h>

struct prn_tables {
	MDB_env *env;
	MDB_dbi tables[PRN_TABLES];
	char *path;
	bool writable;
	bool lost;                 /* the map could not be placed again: nothing works any more */
	pthread_rwlock_t growing;  /* held for reading while a view is open: the map must not move under it */
};

/* Beside the codes of LMDB and the system: prn_tables.lost. */
#define PRN_LMDB_LOST (-1)

/* The error of an LMDB or system code; what: "read", "write". */
int prn_lmdb_fail(const char *path, const char *what, int lmdb, struct prn_error *error);

/* "PATH/NAME", to be freed; NULL without memory. */
char *prn_lmdb_file(const char *path, const char *name);

MDB_val prn_lmdb_value(struct prn_bytes bytes);

/* The bytes that the last write counts on: the map beyond the file's end must not be touched. */
off_t prn_lmdb_bytes_in_use(const struct prn_tables *tables);

/* Gives the file the length that its head speaks of, where LMDB left out pages at its end.  PRN_E_IO */
int prn_lmdb_extend(const struct prn_tables *tables, off_t length, struct prn_error *error);

/* Waits for the views of this process and takes `growing`; false when they stay open. */
bool prn_lmdb_wait_for_views(struct prn_tables *tables);

/*
 * Places the map anew, with `growing` held, which it gives back; bytes 0: as large as another process made it.
 * PRN_E_MEMORY, and then nothing works any more.
 */
int prn_lmdb_place_map(struct prn_tables *tables, size_t bytes, struct prn_error *error);

#endif
