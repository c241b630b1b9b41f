/*
 * What the files of the engine RADOS share.
 *
 * A store is one object of a pool, and its entries are the object's omap.  The cluster gives the object a version with
 * every write: a view is what the object was at one version, and what is decided by it is written only if the object
 * still has that version.  Nobody owns a store, and nothing is locked.
 */
#ifndef STORE_RADOS_INTERNAL_H
#define STORE_RADOS_INTERNAL_H

#include <stdatomic.h>

#include "store/rados_key.h"
#include "store/rados_library.h"
#include "store/tables.h"

#define PRN_RADOS_NAME 200 /* the longest name of an object or a user */

/* POOL/NAME?conf=FILE&id=USER, taken apart; all in one copy. */
struct prn_rados_address {
	char *copy;
	const char *pool, *object, *user;
	const char *conf; /* NULL: where librados looks for it */
};

struct prn_rados_silence;

/* A connection to a pool of a cluster. */
struct prn_rados_cluster {
	struct prn_rados_cluster *next; /* of the process */
	size_t users;
	_Atomic bool is_shut; /* the cluster has shut it out: who comes later makes another */
	struct prn_rados_address address; /* of the object that it was made for; the pool is that of all */
	struct prn_rados_library library;
	rados_t client;
	rados_ioctx_t pool;
	struct prn_rados_silence *reads, *writes; /* two, because a full cluster answers reads, and not writes */
};

struct prn_rados {
	struct prn_tables head;
	struct prn_rados_cluster *cluster;
	char *object;
	bool is_open;         /* the object was there, and a store */
	_Atomic bool is_held; /* it holds a lock of the cluster's on the object (prn_tables_kind.hold) */
};

static inline struct prn_rados *prn_rados_of(struct prn_tables *tables)
{
	return (struct prn_rados *)tables;
}

/* An entry of an object; value NULL: the object has no such entry. */
struct prn_rados_entry {
	const char *name;
	const unsigned char *value;
	size_t name_bytes, value_bytes;
};

struct prn_rados_chunk {
	struct prn_rados_chunk *next;
	size_t used, size;
	unsigned char bytes[];
};

struct prn_rados_view {
	struct prn_view head;
	uint64_t version; /* the version at which everything was read; 0: nothing was read yet */
	struct prn_rados_chunk *chunks; /* the memory of what is handed out */

	/* The entries that were read: open addressing, [capacity] a power of two, at most half full. */
	struct prn_rados_entry *known;
	size_t known_count, capacity;

	/* All entries, in order, if the view is frozen. */
	struct prn_rados_entry *all;
	size_t all_count, all_capacity;
	bool is_frozen;
	bool passes_strays; /* a check has told of entries that are of no table: walks pass over them */
	size_t questions; /* small requests so far; after many of them the view is frozen */
};

static inline struct prn_rados_view *prn_rados_view_of(struct prn_view *view)
{
	return (struct prn_rados_view *)view;
}

/* rados_address.c: the caller frees address->copy, also after an error, or gives it to prn_rados_cluster_join.  PRN_E_ARGUMENT, PRN_E_MEMORY */
int prn_rados_address_read(struct prn_rados_address *address, const char *place, struct prn_error *error);

/*
 * rados_cluster.c: _join takes an address, in any case, and connects to its pool, unless the process is connected; _stay counts
 * another user, and _leave disconnects after the last.  PRN_E_BUSY, PRN_E_IO, PRN_E_UNSUPPORTED, PRN_E_MEMORY
 */
int prn_rados_cluster_join(struct prn_rados_cluster **out, const struct prn_rados_address *address, struct prn_error *error);
void prn_rados_cluster_stay(struct prn_rados_cluster *cluster);
void prn_rados_cluster_leave(struct prn_rados_cluster *cluster);

/* rados_object.c: opens the object of a place, whether it is there or not.  PRN_E_ARGUMENT, errors of prn_rados_cluster_join */
int prn_rados_connect(struct prn_rados **out, const char *place, struct prn_error *error);
void prn_rados_free(struct prn_tables *tables);

/* Likewise, of the same pool over the same connection.  PRN_E_ARGUMENT, PRN_E_MEMORY */
int prn_rados_beside(struct prn_rados **out, struct prn_rados *rados, const char *place, struct prn_error *error);

/* Returns the error for a negative answer of the cluster; what names the attempt ("read", "write"). */
int prn_rados_fail(const struct prn_rados *rados, const char *what, int answer, struct prn_error *error);

/* Performs an operation, releases it, and writes the object's version after it to *version; after a failure that is as it was.  Returns the cluster's answer. */
int prn_rados_read(struct prn_rados *rados, rados_read_op_t operation, uint64_t *version);
int prn_rados_write_take(struct prn_rados *rados, rados_write_op_t operation, uint64_t *version);

/*
 * rados_silence.c: what a connection remembers of operations that were not answered in time; by any thread.  writes: of operations that
 * write.  _make: NULL: no memory; _free cancels its probes.
 *
 * _may_ask: whether an operation on an object may be begun; false: it has to fail at once, as one that was not answered.
 * If it may, _heard must follow, with its answer.
 */
struct prn_rados_question {
	uint64_t object;  /* a hash of its name */
	uint64_t answers; /* of the cluster, when it was begun */
	bool is_try;      /* of a silent cluster */
};

struct prn_rados_silence *prn_rados_silence_make(bool writes);
void prn_rados_silence_free(struct prn_rados_silence *silence, const struct prn_rados_cluster *cluster);
bool prn_rados_may_ask(struct prn_rados_silence *silence, const struct prn_rados_cluster *cluster, const char *object,
                       struct prn_rados_question *question);
void prn_rados_heard(struct prn_rados_silence *silence, const struct prn_rados_question *question, int answer);

#define PRN_RADOS_ENTRIES 1024 /* the most entries that an OSD returns to one request */

/* rados_view.c: of struct prn_tables_kind */
int prn_rados_view_open(struct prn_view **out, struct prn_tables *tables, struct prn_error *error);
void prn_rados_view_close(struct prn_view *view);
int prn_rados_get(struct prn_view *view, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
                  struct prn_error *error);
int prn_rados_get_many(struct prn_view *view, enum prn_table table, const struct prn_bytes *keys, size_t count,
                       struct prn_bytes *values, struct prn_error *error);
int prn_rados_want(struct prn_view *view, const struct prn_wanted *wanted, size_t count, struct prn_error *error);
int prn_rados_size(struct prn_view *view, struct prn_tables_size *size, struct prn_error *error);

/* rados_known.c: copies bytes to memory that lasts until the view is closed; NULL: no memory. */
void *prn_rados_keep(struct prn_rados_view *view, const void *bytes, size_t count);

/* Reads those of the named entries that are not known yet, at the view's version.  Errors of reads */
int prn_rados_need(struct prn_rados_view *view, const struct prn_rados_entry *names, size_t count, struct prn_error *error);

/* An entry that was read, by itself or when the view was frozen; NULL: it was not read. */
const struct prn_rados_entry *prn_rados_find(const struct prn_rados_view *view, const char *name, size_t name_bytes);

/*
 * rados_view.c: called before a small request.  Freezes the view if it has made as many of them as reading all entries would take.
 * Errors of reads
 */
int prn_rados_consider_all(struct prn_rados_view *view, struct prn_error *error);

/* Performs a read operation at the view's version. */
int prn_rados_read_at(struct prn_rados_view *view, rados_read_op_t operation, struct prn_error *error);

/* rados_walk.c: of struct prn_tables_kind */
int prn_rados_scan(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
                   struct prn_error *error);
int prn_rados_next(struct prn_walk *walk, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error);
void prn_rados_end(struct prn_walk *walk);

/*
 * rados_mark.c: what stands there by its marks alone: an object that says it was begun may still be another's.  PRN_E_NOT_FOUND: nothing;
 * errors of reads
 */
int prn_rados_marks(struct prn_rados_view *view, enum prn_standing *standing, struct prn_error *error);

/* Returns code; the text says what stands in the way, and what to do. */
int prn_rados_refuse(const struct prn_rados *rados, enum prn_standing standing, int code, struct prn_error *error);

/* rados_look.c: of struct prn_tables_kind */
int prn_rados_look(const char *place, bool remove_begun, enum prn_standing *standing, struct prn_error *error);

/* Removes an object in which nothing is but the lock that made it.  PRN_E_NOT_FOUND: it was one; errors of reads and removing */
int prn_rados_clear_made(struct prn_rados *rados, struct prn_error *error);

#define PRN_RADOS_LOCK "perennial" /* the name of the lock on objects that are held */

/* rados_all.c: of struct prn_tables_kind */
int prn_rados_freeze(struct prn_view *view, struct prn_error *error);

/* Appends the entries of an answer to an array.  PRN_E_DAMAGED: one has a name that no program writes, or that could not be listed; PRN_E_MEMORY */
int prn_rados_take(struct prn_rados_view *view, rados_omap_iter_t answers, struct prn_rados_entry **entries, size_t *count,
                   size_t *capacity, struct prn_error *error);

/* rados_write.c: of struct prn_tables_kind */
int prn_rados_write(struct prn_tables *tables, const struct prn_change *changes, size_t count, struct prn_error *error);
int prn_rados_write_after(struct prn_view *view, const struct prn_change *changes, size_t count, struct prn_error *error);
int prn_rados_remove_after(struct prn_view *view, struct prn_error *error);

/*
 * Writes changes of a frozen view, takes out the named entries that are of no table, and sets the counts to size, if nobody has
 * written since.  Many changes take several writes: what others do in between ends them, and is kept; what was written stands.
 * PRN_E_CONFLICT, PRN_E_BUSY, PRN_E_IO, PRN_E_MEMORY
 */
int prn_rados_put_in_order(struct prn_view *view, const struct prn_change *changes, size_t count, const struct prn_rados_entry *strays,
                           size_t stray_count, const struct prn_tables_size *size, struct prn_error *error);

/* rados_rebuild.c: as rebuild of struct prn_tables_kind, of the object that a view shows. */
int prn_rados_rebuild(struct prn_view *view, const struct prn_salvage *salvage, struct prn_salvaged *salvaged, struct prn_error *error);

/* What an entry of an object is by its name. */
enum prn_rados_entry_kind {
	PRN_RADOS_ENTRY_OWN,      /* the mark, that it was begun, or a count */
	PRN_RADOS_ENTRY_OF_TABLE, /* then its table and its key were written; the key has room for PRN_TABLE_KEY_BYTES */
	PRN_RADOS_ENTRY_NEWER,    /* of a table that this program does not know */
	PRN_RADOS_ENTRY_STRAY,    /* of no table that any program can have */
};
enum prn_rados_entry_kind prn_rados_entry_kind(const struct prn_rados_entry *entry, enum prn_table *table, unsigned char *key,
                                               size_t *length);

/*
 * Puts a new object there with these entries, whole or not at all; verify may be NULL, else it is given rados->head.  Until the object is
 * whole it says that it was begun.  PRN_E_IO: something is there; errors of writes
 */
int prn_rados_make(struct prn_rados *rados, const struct prn_change *changes, size_t count, prn_verify_fn *verify,
                   void *context, struct prn_error *error);

/*
 * rados_counts.c: the counts that an object keeps, each 8 bytes, big-endian: the bytes of all entries, and the number of entries
 * of each table.  A program leaves the counts of tables that it does not know as they are.
 */
#define PRN_RADOS_COUNTS (1 + PRN_TABLES)

struct prn_rados_counts {
	char names[PRN_RADOS_COUNTS][2];
	unsigned char values[PRN_RADOS_COUNTS][8];
	struct prn_rados_entry entries[PRN_RADOS_COUNTS]; /* point to these names and values */
};

/* _init fills in the names, by which the counts are read; then _read puts what was read into *size, or _set sets the values. */
void prn_rados_counts_init(struct prn_rados_counts *counts);
void prn_rados_counts_read(const struct prn_rados_counts *counts, const struct prn_rados_view *view, struct prn_tables_size *size);
void prn_rados_counts_set(struct prn_rados_counts *counts, const struct prn_tables_size *size);

#endif
