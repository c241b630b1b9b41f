/*
 * Ordered tables of bytes, and the engines that keep them: what a store stands on.
 *
 * An engine is a struct prn_tables_kind in a file (or some files) of its own, and a line in tables.c.  What it is kept
 * in, how that is made whole or not at all, and who keeps writers apart, is the engine's business: LMDB has a folder and
 * a lock on a file, the memory of this process needs neither, and RADOS, into which many write at a time, has versions.
 * An address names engine and place, "lmdb:crawl/store"; without an engine's name it is a folder of LMDB.
 *
 * Changes are written all of a list or none, and are durable (as far as the engine lasts) when the write returns.  Readers
 * see views and wait for nobody.  All calls may run in parallel, except two writes.
 */
#ifndef STORE_TABLES_H
#define STORE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "store/change.h"

struct prn_tables_size {
	uint64_t entries[PRN_TABLES];
	uint64_t bytes, bytes_free; /* taken in all; of these, not in use */
};

struct prn_tables;

/*
 * What is done with the entries of a damaged file, and what came of it.  All are told of the new tables.  _loose: of an
 * entry of which it is not known where it was, or whether it is of now.  finish: all was taken; end: the new tables close,
 * also after a failure.
 */
struct prn_salvage {
	int (*take)(void *context, struct prn_tables *into, enum prn_table table, struct prn_bytes key,
	            struct prn_bytes value, struct prn_error *error);
	int (*take_loose)(void *context, struct prn_tables *into, struct prn_bytes key, struct prn_bytes value,
	                  struct prn_error *error);
	int (*finish)(void *context, struct prn_tables *into, struct prn_error *error);
	void (*end)(void *context, struct prn_tables *into);
	void *context;
};

struct prn_salvaged {
	uint64_t entries[PRN_TABLES]; /* as the damaged file counts them; 0 also where that is not known */
	uint64_t damaged_pages;       /* of the file */
	char kept[4096];              /* where the damaged file is now, NUL-terminated */
};

/* Each engine's own structs begin with these. */
struct prn_tables {
	const struct prn_tables_kind *kind;
	char *address; /* as it was given: what messages call it */
	bool writable;
};

struct prn_view {
	struct prn_tables *tables;
};

struct prn_walk {
	struct prn_view *view;
};

/* An entry that will be asked for. */
struct prn_wanted {
	enum prn_table table;
	struct prn_bytes key;
};

/* Whether a copy is good: 0, or an error. */
typedef int prn_verify_fn(void *context, struct prn_tables *copy, struct prn_error *error);

/*
 * Errors of all that reads: PRN_E_DAMAGED, PRN_E_IO, PRN_E_MEMORY.  Of an engine that is shared, whose view is of the moment
 * of its first question, also PRN_E_CONFLICT, when another has written since; and PRN_E_BUSY, when it does not answer.
 */
struct prn_tables_kind {
	const char *scheme; /* of its addresses: a to z, at least two */

	/*
	 * Makes tables that hold changes, as write takes them: whole, or nothing is there.
	 *
	 * PRN_E_IO		something is there already, or the system does not take it
	 * PRN_E_MEMORY
	 */
	int (*create)(const char *place, const struct prn_change *changes, size_t count, struct prn_error *error);

	/*
	 * Whether something is in the way of tables that are to be made there: who copies for hours looks first.  NULL: nothing but tables
	 * can be.  PRN_E_IO, PRN_E_MEMORY
	 */
	int (*check_place)(const char *place, struct prn_error *error);

	/*
	 * writable: for the one writer that the engine allows; waits for another one for lock_wait_s.
	 *
	 * PRN_E_NOT_FOUND	none there
	 * PRN_E_LIMIT		another writer has it
	 * PRN_E_DAMAGED	something else there, or damaged
	 * PRN_E_TRUNCATED	cut off
	 * PRN_E_IO, PRN_E_MEMORY
	 *
	 * Tables that an older program did not make are made when it is writable; else they are empty.
	 */
	int (*open)(struct prn_tables **out, const char *place, bool writable, double lock_wait_s, struct prn_error *error);
	void (*free)(struct prn_tables *tables);

	/*
	 * The same two for other tables that are reached as these are, which stay open for longer: one way to a cluster serves
	 * thousands of objects.  NULL: each is reached by itself.
	 */
	int (*create_beside)(struct prn_tables *tables, const char *place, const struct prn_change *changes, size_t count,
	                     struct prn_error *error);
	int (*open_beside)(struct prn_tables **out, struct prn_tables *tables, const char *place, bool writable,
	                   struct prn_error *error);

	/* The tables as the last write left them.  What a view hands out is valid until it is closed.  PRN_E_LIMIT: too many */
	int (*view)(struct prn_view **out, struct prn_tables *tables, struct prn_error *error);
	void (*close)(struct prn_view *view);

	/* PRN_E_NOT_FOUND leaves *error as it was: it is an answer. */
	int (*get)(struct prn_view *view, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
	           struct prn_error *error);

	/* values[count] of keys[count], in any order; one that is not there has data NULL. */
	int (*get_many)(struct prn_view *view, enum prn_table table, const struct prn_bytes *keys, size_t count,
	                struct prn_bytes *values, struct prn_error *error);

	/* Reads what will be asked for, in one question where an engine is far away.  NULL: it is at hand. */
	int (*want)(struct prn_view *view, const struct prn_wanted *wanted, size_t count, struct prn_error *error);

	/*
	 * A number that stands for what a view shows, which no other moment of these tables has, nor other tables in their place;
	 * 0: not known.  _at: that of a view which would be opened now, beside tables that are reached in the same way.  Errors of open
	 */
	uint64_t (*version)(struct prn_view *view);
	int (*version_at)(struct prn_tables *tables, const char *place, uint64_t *version, struct prn_error *error);

	/* Takes all there is into memory: however long the view is used, others may write.  NULL: they may anyway. */
	int (*freeze)(struct prn_view *view, struct prn_error *error);
	int (*size)(struct prn_view *view, struct prn_tables_size *size, struct prn_error *error);

	/* Entries of a table in the order of their keys, from the first at or after a key (of length 0: all). */
	int (*scan)(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
	            struct prn_error *error);

	/* 1 with an entry, 0 at the end, or an error. */
	int (*next)(struct prn_walk *walk, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error);
	void (*end)(struct prn_walk *walk);

	/*
	 * Writes changes, which are in the order of prn_change_compare without two of the same key.  After a failure nothing
	 * of them is there, and they may be written again.
	 *
	 * PRN_E_IO	the disk is full or fails
	 * PRN_E_LIMIT	the file must grow and views of this process stayed open for three seconds
	 * PRN_E_DAMAGED, PRN_E_MEMORY
	 */
	int (*write)(struct prn_tables *tables, const struct prn_change *changes, size_t count, struct prn_error *error);

	/*
	 * The same, if nothing was written since the moment that a view shows, which is then of the past; after a failure it is as
	 * it was.  PRN_E_CONFLICT: another has written.  NULL: there is one writer at a time, and prn_tables_is_shared is false.
	 */
	int (*write_after)(struct prn_view *view, const struct prn_change *changes, size_t count, struct prn_error *error);

	/*
	 * A compact, durable copy as of now at another place of the engine, whole or not at all: verify looks at it before it
	 * is put there, and what it returns is returned.  Errors of create and views
	 */
	int (*copy)(struct prn_tables *tables, const char *place, prn_verify_fn *verify, void *context, struct prn_error *error);

	/*
	 * Removes tables, with all that is kept of them.
	 *
	 * PRN_E_NOT_FOUND	none there
	 * PRN_E_LIMIT		somebody has them open for writing
	 * PRN_E_IO, PRN_E_BUSY, PRN_E_MEMORY
	 */
	int (*remove)(const char *place, struct prn_error *error);

	/*
	 * The same of tables that are open for writing, which are freed as by free, also when it fails: nobody has opened them for writing, or
	 * held them, in between.  Errors of remove
	 */
	int (*remove_take)(struct prn_tables *tables, struct prn_error *error);

	/*
	 * Removes tables, if nothing was written since the moment that a view of them shows.  PRN_E_CONFLICT: another has written; errors of remove.
	 * NULL: there is one writer at a time
	 */
	int (*remove_after)(struct prn_view *view, struct prn_error *error);

	/*
	 * Keeps others that ask for it from tables that are open for writing, for half a minute, and again with each call; until they
	 * are closed.  PRN_E_LIMIT: somebody else has asked, or may have, because the last call was longer ago.  NULL: a writer is alone anyway.
	 */
	int (*hold)(struct prn_tables *tables, struct prn_error *error);

	/* Whether the making of tables at a place has begun, and did not come to its end.  NULL: of that nothing is there. */
	bool (*is_begun)(const char *place);

	/*
	 * Finds what processes that were killed left beside a place of tables that they were making, there or at that place with a dot
	 * and more behind its name; report (NULL: nobody) is told of each, and *count grows.  remove: takes it away.  Of what somebody
	 * may be making still it says nothing.  NULL: nothing is left beside a place.  PRN_E_IO, PRN_E_MEMORY
	 */
	int (*leftovers)(const char *place, bool remove, prn_skipped_fn *report, void *context, uint64_t *count,
	                 struct prn_error *error);

	/*
	 * Reads a damaged file out, has what is whole in it put into new tables, and puts these in its place, durably; or
	 * leaves all as it was.  NULL: there is no file.
	 *
	 * PRN_E_LIMIT	somebody has it open
	 * PRN_E_DAMAGED	beyond this
	 * PRN_E_NOT_FOUND, PRN_E_TRUNCATED, PRN_E_IO, PRN_E_MEMORY, and what finish returns
	 */
	int (*rebuild)(const char *place, double lock_wait_s, const struct prn_salvage *salvage,
	               struct prn_salvaged *salvaged, struct prn_error *error);

	/*
	 * Reads its own structure through: whether it is whole, and keys stand in order, have 1 to PRN_TABLE_KEY_BYTES bytes, and
	 * are as many as it counts.  report is told of faults (of a hundred at most), and *faults grows by how many there are.
	 */
	int (*check)(struct prn_view *view, prn_skipped_fn *report, void *context, uint64_t *faults,
	             struct prn_error *error);
};

extern const struct prn_tables_kind prn_tables_lmdb, prn_tables_memory, prn_tables_rados;

/* Whether several may write at a time, each what nobody else has changed since it was read. */
static inline bool prn_tables_is_shared(const struct prn_tables *tables)
{
	return tables->kind->write_after != NULL;
}

/*
 * All entries of a view, in the order of prn_change_compare, as changes that would make them; valid until it is closed.  The
 * caller frees the array.  It freezes the view.
 */
int prn_tables_read_all(struct prn_view *view, struct prn_change **changes, size_t *count, struct prn_error *error);

/* The engine that an address names, and its place there, which points into address. */
const struct prn_tables_kind *prn_tables_find(const char *address, const char **place);

/* PRN_E_ARGUMENT: an address without a place. */
int prn_tables_check(const char *address, struct prn_error *error);

/* As the engine's open and the check; _free takes NULL. */
int prn_tables_open(struct prn_tables **out, const char *address, bool writable, double lock_wait_s,
                    struct prn_error *error);
void prn_tables_free(struct prn_tables *tables);

/* The same two beside other tables of the engine (create_beside, open_beside); address is one of it. */
int prn_tables_create_beside(struct prn_tables *tables, const char *address, const struct prn_change *changes, size_t count,
                             struct prn_error *error);
int prn_tables_open_beside(struct prn_tables **out, struct prn_tables *tables, const char *address, bool writable,
                           double lock_wait_s, struct prn_error *error);

#endif
