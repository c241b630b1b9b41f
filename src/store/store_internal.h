/*
 * What the files of the store share.
 */
#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H

#include "perennial/store.h"
#include "store/record.h"
#include "store/schema.h"
#include "store/shared.h"
#include "store/tables.h"

struct prn_store {
	struct prn_tables *tables;
	struct prn_batch *batch;
	char *identity; /* of a root: what its parts have as PRN_SHARD_OF; NULL: not read so far */
};

/* As prn_store_create and _open, for a store beside root, whose connection it shares (tables.h); root is freed after it. */
int prn_store_create_beside(struct prn_store *root, const char *path, const struct prn_store_setting *settings, size_t count,
                            struct prn_error *error);
int prn_store_open_beside(struct prn_store **out, struct prn_store *root, const char *path, enum prn_store_mode mode,
                          double lock_wait_s, struct prn_error *error);

/* prn_store_create and _open without a look at what else may be there. */
int prn_store_create_one(const char *path, const struct prn_store_setting *settings, size_t count, struct prn_error *error);
int prn_store_open_one(struct prn_store **out, const char *path, enum prn_store_mode mode, double lock_wait_s,
                       struct prn_error *error);

/*
 * Whether an error of opening says that something stands at the place which cannot be used as a store, and not that nothing is
 * there or that the place cannot be reached.
 */
bool prn_store_is_unusable(int code);

/* Keeps others from a store that is open for writing, for a while, and again with each call (tables.h).  PRN_E_LIMIT */
int prn_store_hold(const struct prn_store *store, struct prn_error *error);

/*
 * Removes a store that is open for writing; nobody can open it for writing in between.  It is freed, also after a failure.  Errors
 * of removing
 */
int prn_store_remove_take(struct prn_store *store, struct prn_error *error);

/*
 * The same, if nothing was written to it since the moment that a view of it shows.  The view is closed.  PRN_E_CONFLICT, errors of
 * removing
 */
int prn_store_remove_after_take(struct prn_store *store, struct prn_view *view, struct prn_error *error);

/* prn_store_check, _rebuild and _backup of a store without its shards. */
int prn_store_check_one(struct prn_store *store, const struct prn_store_check_options *options,
                        struct prn_store_findings *findings, struct prn_error *error);
int prn_store_rebuild_one(const char *path, double lock_wait_s, const struct prn_store_proof *proof, struct prn_store_rebuilt *rebuilt,
                          struct prn_error *error);

/*
 * prn_store_backup of a store without its shards.  Before the copy is put in its place, fill (which may be NULL) is told which of
 * the places of a list the copy has; if it returns anything but 0, the copying ends with that.
 */
typedef int prn_store_fill_fn(void *context, const bool *listed, struct prn_error *error);
int prn_store_backup_one(struct prn_store *store, const char *path, size_t places, prn_store_fill_fn *fill, void *context,
                         struct prn_error *error);

/* PRN_E_ARGUMENT: the store cannot be copied to path. */
int prn_store_backup_check(struct prn_store *store, const char *path, struct prn_error *error);

/* The table of a side; PRN_TABLES if there is no such side, for which _check returns PRN_E_ARGUMENT. */
enum prn_table prn_side_table(enum prn_side side);
int prn_side_check(const char *path, enum prn_side side, struct prn_error *error);

/* Reads a page's record as it lies in tables.  PRN_E_DAMAGED; the text says what to do. */
int prn_store_decode(const struct prn_tables *tables, const struct prn_digest *key, struct prn_bytes bytes,
                     struct prn_record *record, struct prn_error *error);

/*
 * Whether the record under a key is whole and the key is that of its URL; then *host is the number of the URL's host.  older: keys
 * may be of an older schema, so the key is not compared, and *host is the number of the host that the page waits for.
 */
bool prn_store_is_whole(bool older, struct prn_bytes key, struct prn_bytes value, struct prn_record *record, uint64_t *host);

/* PRN_E_VERSION: the store has a newer schema; PRN_E_DAMAGED, and errors of views. */
int prn_store_check_schema(struct prn_store *store, struct prn_error *error);

#endif
