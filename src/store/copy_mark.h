/*
 * Where a copy of a store is being made: the mark that says so, which whoever is at work on it holds, and what stands there.
 *
 * A mark is a store with PRN_SHARD_NAME "backup" at an address of its own (prn_shards_backup_address), and the numbers of the root that
 * is to be (PRN_SHARDS_NAME, PRN_SHARDS_ID).
 */
#ifndef STORE_COPY_MARK_H
#define STORE_COPY_MARK_H

#include "store/holding.h"
#include "store/store_internal.h"

/* All zero: none is held.  While one is held others do not remove, or make, what is being made. */
struct prn_copy_mark {
	struct prn_store *store;
	struct prn_holding *holding;
};

/*
 * Opens the mark of a copy that was begun, and holds it.
 *
 * PRN_E_NOT_FOUND	(and *error is untouched) none was
 * PRN_E_LIMIT		somebody else is at work on it
 * Errors of opening
 */
int prn_copy_mark_open(struct prn_copy_mark *mark, const char *address, struct prn_error *error);

/* Removes it, and frees it whatever fails: nobody takes it in between.  Errors of prn_holding_check and of removing */
int prn_copy_mark_remove(struct prn_copy_mark *mark, struct prn_error *error);

/* Leaves it there.  One of all zero is fine. */
void prn_copy_mark_free(struct prn_copy_mark *mark);

/* Whether there is something where a copy is to stand that is not the beginning of one.  Errors of a way to it that fails */
int prn_copy_stands(const char *path, bool *stands, struct prn_error *error);

/* The same of a place where a copy is to be put; PRN_E_IO also where something else is there, or it cannot stand there. */
int prn_copy_check_free(const char *path, bool *stands, struct prn_error *error);

/* Removes what killed processes left of what they were making there, and is of nobody's work now; *count grows.  Errors of removing */
int prn_copy_sweep(const char *path, uint64_t *count, struct prn_error *error);

#endif
