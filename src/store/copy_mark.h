/*
 * The mark of a copy that is being made.  It says that a copy was begun, and whoever works on the copy holds it.
 *
 * A mark is a store at an address of its own (prn_shards_backup_address).  Its PRN_SHARD_NAME is "backup", and it has the numbers of
 * the root that is to be (PRN_SHARDS_NAME, PRN_SHARDS_ID).
 */
#ifndef STORE_COPY_MARK_H
#define STORE_COPY_MARK_H

#include "store/holding.h"
#include "store/store_internal.h"

/* All zero: no mark is held.  While a mark is held, others neither remove nor go on making the copy. */
struct prn_copy_mark {
	struct prn_store *store;
	struct prn_holding *holding;
};

/*
 * Opens the mark of a copy that was begun, and holds it.
 *
 * PRN_E_NOT_FOUND	(and *error is untouched) no copy was begun
 * PRN_E_LIMIT		somebody else is at work on it
 * Errors of opening
 */
int prn_copy_mark_open(struct prn_copy_mark *mark, const char *address, struct prn_error *error);

/* Removes the mark; nobody can take it in between.  It is freed, also after a failure.  Errors of prn_holding_check and of removing */
int prn_copy_mark_remove(struct prn_copy_mark *mark, struct prn_error *error);

/* Frees the mark and leaves it in its place.  A mark of all zero is fine. */
void prn_copy_mark_free(struct prn_copy_mark *mark);

/*
 * Writes to *stands whether tables, good or not, are at the place of a copy, and not only the beginning of one.  PRN_E_DAMAGED (and the text
 * says what to do): something else is there; errors of reaching the place
 */
int prn_copy_stands(const char *path, bool *stands, struct prn_error *error);

/* Also checks whether a copy can be put there.  PRN_E_IO also if something else is there, or if no copy can stand there */
int prn_copy_check_free(const char *path, bool *stands, struct prn_error *error);

/* Removes what killed processes left of what they were making there, and is of nobody's work now; *count grows.  Errors of removing */
int prn_copy_sweep(const char *path, uint64_t *count, struct prn_error *error);

#endif
