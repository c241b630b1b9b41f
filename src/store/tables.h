/*
 * Ordered tables of bytes, on which a store is built, and the engines that keep them.
 *
 * An engine is a struct prn_tables_kind in a file (or some files) of its own, and a line in tables.c.  Each engine decides where
 * it keeps the tables, how it makes them whole or not at all, and how it keeps writers apart: LMDB has a folder and a lock
 * on a file, the memory of this process needs neither, and RADOS, to which many may write at a time, has versions.
 * An address names an engine and a place, as "lmdb:crawl/store" does; without an engine's name it is a folder of LMDB.
 *
 * A list of changes is written whole or not at all, and is durable (as far as the engine lasts) when the write returns.  Readers
 * see views and wait for nobody.  All calls may run in parallel, except two writes.
 */
#ifndef STORE_TABLES_H
#define STORE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "perennial/error.h"
#include "store/change.h"

struct prn_tables_size {
	uint64_t entries[PRN_TABLES];
	uint64_t bytes, bytes_free; /* the bytes that the tables take in all, and how many of these are not in use */
};

struct prn_tables;

/* What stands at a place. */
enum prn_standing {
	PRN_STANDING_NOTHING,
	PRN_STANDING_TABLES,
	PRN_STANDING_BEGUN,  /* tables that were begun and not finished */
	PRN_STANDING_FOREIGN /* something else, which is neither removed nor written to */
};

/*
 * The caller's functions for the entries of a damaged file.  Each is given the new tables.  take_loose is given an entry whose
 * table is not known, and which may be out of date.  finish is called when all entries were taken, and end when the new tables
 * close, also after a failure.
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
	uint64_t entries[PRN_TABLES]; /* as the damaged file counts them; 0 also if its count is not known */
	uint64_t damaged_pages;       /* pages of the file */
	uint64_t removed;             /* entries of no table */
	char kept[4096];              /* where the damaged file is now, NUL-terminated; empty: it was put in order in its place */
};

/* Each engine's own structs begin with these. */
struct prn_tables {
	const struct prn_tables_kind *kind;
	char *address; /* as it was given; messages use it as the name of the tables */
	bool writable;
	pid_t process; /* that opened it; 0: whoever has it opened it, and nobody else sees it */
};

struct prn_view {
	struct prn_tables *tables;
};

struct prn_walk {
	struct prn_view *view;
};

/* An entry that will be read soon. */
struct prn_wanted {
	enum prn_table table;
	struct prn_bytes key;
};

/* Checks a copy: returns 0 if it is good, or an error. */
typedef int prn_verify_fn(void *context, struct prn_tables *copy, struct prn_error *error);

/*
 * Every function that reads may return PRN_E_DAMAGED, PRN_E_IO or PRN_E_MEMORY.  In a shared engine a view shows the moment of its
 * first read; there they may also return PRN_E_CONFLICT, if another has written since, and PRN_E_BUSY, if the engine does not
 * answer.
 */
struct prn_tables_kind {
	const char *scheme; /* the scheme of its addresses: at least two letters from a to z */
	bool in_folder;     /* a place is a folder, in which others may keep files beside the tables */
	bool in_process;    /* its tables end with the process that made them */
	bool reads_on;      /* tables in which check found faults can be read all the same, in the view that it looked at */
	bool in_cluster;    /* a place is reached over a network: copies are made in their final place, from and to any engine */

	/*
	 * The address by which tables are known however they were named: without what only says how they are reached.  Allocated
	 * with malloc; NULL, with errno: nothing is there, or no memory.  NULL for the function: a place has one name.
	 */
	char *(*real_address)(const char *place);

	/*
	 * The place of tables that belong to those at another place, and have a name of their own.  Allocated with malloc; NULL: no
	 * memory.  NULL for the function: the place and the name with a dot between them.
	 */
	char *(*place_beside)(const char *place, const char *name);

	/*
	 * Makes tables with the entries that changes give, in the form that write takes.  After a failure nothing is there; only what a cluster
	 * did not answer for in time may be there all the same, whole or begun.
	 *
	 * PRN_E_IO		something is there already, or the system refuses
	 * PRN_E_BUSY		the cluster does not answer
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
	 * PRN_E_NOT_FOUND	no tables are there
	 * PRN_E_LIMIT		another writer has them open
	 * PRN_E_DAMAGED	something else is there, or they are damaged
	 * PRN_E_TRUNCATED	they are cut off
	 * PRN_E_IO, PRN_E_MEMORY
	 *
	 * A table that the older program did not make is made if they are opened for writing; otherwise it is empty.
	 */
	int (*open)(struct prn_tables **out, const char *place, bool writable, double lock_wait_s, struct prn_error *error);
	void (*free)(struct prn_tables *tables);

	/*
	 * As create and open, for other tables that share the connection of these, which must stay open for longer: one connection
	 * to a cluster serves thousands of objects.  NULL: there is no connection to share.
	 */
	int (*create_beside)(struct prn_tables *tables, const char *place, const struct prn_change *changes, size_t count,
	                     struct prn_error *error);
	int (*open_beside)(struct prn_tables **out, struct prn_tables *tables, const char *place, bool writable,
	                   struct prn_error *error);

	/* Opens a view of the tables as the last write left them.  What it hands out is valid until it is closed.  PRN_E_LIMIT: too many */
	int (*view)(struct prn_view **out, struct prn_tables *tables, struct prn_error *error);
	void (*close)(struct prn_view *view);

	/* Reads the value of a key.  PRN_E_NOT_FOUND leaves *error as it was: it is an answer, not a failure. */
	int (*get)(struct prn_view *view, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
	           struct prn_error *error);

	/* Reads the values[count] of keys[count], which may be in any order.  The value of a key that is not there has data NULL. */
	int (*get_many)(struct prn_view *view, enum prn_table table, const struct prn_bytes *keys, size_t count,
	                struct prn_bytes *values, struct prn_error *error);

	/* Reads entries that will be asked for, with a single request to an engine that is far away.  NULL: the engine is at hand. */
	int (*want)(struct prn_view *view, const struct prn_wanted *wanted, size_t count, struct prn_error *error);

	/*
	 * A number for the state that a view shows.  No other state of these tables has it, nor have other tables in their place; 0: not
	 * known.  version_at writes the number that a view of the tables at place would have now; tables lends its connection.  Errors of open
	 */
	uint64_t (*version)(struct prn_view *view);
	int (*version_at)(struct prn_tables *tables, const char *place, uint64_t *version, struct prn_error *error);

	/* Reads all entries into memory, so that others may write however long the view is used.  NULL: they may anyway. */
	int (*freeze)(struct prn_view *view, struct prn_error *error);
	int (*size)(struct prn_view *view, struct prn_tables_size *size, struct prn_error *error);

	/* Walks the entries of a table in the order of their keys, from the first one at or after a key (of length 0: all entries). */
	int (*scan)(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
	            struct prn_error *error);

	/* Returns 1 with an entry, 0 at the end, or an error. */
	int (*next)(struct prn_walk *walk, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error);
	void (*end)(struct prn_walk *walk);

	/*
	 * Writes changes, which are in the order of prn_change_compare; no two have the same key.  After a failure none of them has
	 * been written, and the caller may try again; but after PRN_E_BUSY they may have been.  Threads may write at a time.
	 *
	 * PRN_E_IO	the disk is full or fails
	 * PRN_E_LIMIT	the file must grow and views of this process stayed open for three seconds
	 * PRN_E_DAMAGED, PRN_E_MEMORY
	 */
	int (*write)(struct prn_tables *tables, const struct prn_change *changes, size_t count, struct prn_error *error);

	/*
	 * As write, if nothing was written since the moment that a view shows.  The view then shows a past state; after a failure it is
	 * as it was.  PRN_E_CONFLICT: another has written.  NULL: there is one writer at a time, and prn_tables_is_shared is false.
	 */
	int (*write_after)(struct prn_view *view, const struct prn_change *changes, size_t count, struct prn_error *error);

	/*
	 * Makes a compact, durable copy of the present state at another place of the engine, whole or not at all.  verify checks the
	 * copy before it is put there; if it fails, its error is returned.  Errors of create and views
	 */
	int (*copy)(struct prn_tables *tables, const char *place, prn_verify_fn *verify, void *context, struct prn_error *error);

	/*
	 * Removes tables and everything that the engine keeps for them.
	 *
	 * PRN_E_NOT_FOUND	no tables are there
	 * PRN_E_LIMIT		somebody has them open for writing
	 * PRN_E_IO, PRN_E_BUSY, PRN_E_MEMORY
	 */
	int (*remove)(const char *place, struct prn_error *error);

	/*
	 * As remove, for tables that are open for writing, which are freed as by free, also after a failure.  Nobody can open them for
	 * writing, or hold them, in between.  Errors of remove
	 */
	int (*remove_take)(struct prn_tables *tables, struct prn_error *error);

	/*
	 * Removes tables, if nothing was written since the moment that a view of them shows.  PRN_E_CONFLICT: another has written; errors
	 * of remove.  NULL: there is one writer at a time
	 */
	int (*remove_after)(struct prn_view *view, struct prn_error *error);

	/*
	 * Holds tables that are open for writing: for half a minute after each call, and at most until they are closed, hold fails for
	 * others.  NULL: a writer is alone anyway.
	 *
	 * PRN_E_LIMIT		somebody else holds them, or may have held them because the last call was longer ago
	 * PRN_E_NOT_FOUND	somebody else has just removed them
	 * PRN_E_IO, PRN_E_BUSY, PRN_E_MEMORY
	 */
	int (*hold)(struct prn_tables *tables, struct prn_error *error);

	/*
	 * Finds what stands at a place.  remove_begun: if it was begun and not finished (*standing then says so), it is removed, unless it was
	 * written to meanwhile.  NULL: an unfinished attempt leaves nothing there.
	 *
	 * PRN_E_DAMAGED	something else is there (PRN_STANDING_FOREIGN); the text names it and says what to do
	 * PRN_E_CONFLICT	somebody is at work on it
	 * PRN_E_IO, PRN_E_BUSY, PRN_E_MEMORY
	 */
	int (*look)(const char *place, bool remove_begun, enum prn_standing *standing, struct prn_error *error);

	/*
	 * Finds unfinished tables that killed processes left beside a place: tables for that place, or for one whose name continues its
	 * name with a dot and more.  report (NULL: nobody) is told of each, and *count grows.  remove: removes them.  Tables that somebody
	 * may still be making are passed over.  NULL: this engine leaves nothing beside a place.  PRN_E_IO, PRN_E_MEMORY
	 */
	int (*leftovers)(const char *place, bool remove, prn_skipped_fn *report, void *context, uint64_t *count,
	                 struct prn_error *error);

	/*
	 * Reads a damaged file, has its whole entries put into new tables, and durably puts these in its place.  After a failure
	 * all is as it was.  In a shared engine others may go on: nothing that they write meanwhile is lost.  NULL: the engine keeps
	 * nothing that can be damaged.
	 *
	 * PRN_E_CONFLICT	another has written since all was read; the caller may try again
	 * PRN_E_LIMIT	somebody has it open
	 * PRN_E_DAMAGED	the file is beyond repair
	 * PRN_E_NOT_FOUND, PRN_E_TRUNCATED, PRN_E_IO, PRN_E_MEMORY, and what finish returns
	 */
	int (*rebuild)(const char *place, double lock_wait_s, const struct prn_salvage *salvage,
	               struct prn_salvaged *salvaged, struct prn_error *error);

	/*
	 * Checks the engine's own structure: whether it is whole, keys are in order and have 1 to PRN_TABLE_KEY_BYTES bytes, and
	 * their number is the one counted.  If reads_on, what it has told of is passed over in this view from then on.  report is told of a hundred faults at most; *faults grows by the number of all faults.
	 */
	int (*check)(struct prn_view *view, prn_skipped_fn *report, void *context, uint64_t *faults,
	             struct prn_error *error);
};

extern const struct prn_tables_kind prn_tables_lmdb, prn_tables_memory, prn_tables_rados;

/* Whether several writers may write at a time; a write fails if another has written since its view. */
static inline bool prn_tables_is_shared(const struct prn_tables *tables)
{
	return tables->kind->write_after != NULL;
}

/*
 * Reads all entries of a view as changes that would make them, in the order of prn_change_compare.  They are valid until the view
 * is closed; the caller frees the array.  The view is frozen.
 */
int prn_tables_read_all(struct prn_view *view, struct prn_change **changes, size_t *count, struct prn_error *error);

/*
 * What was opened belongs to its process: LMDB's readers and locks, and a cluster's connection, are not a child's.  PRN_E_ARGUMENT:
 * another process opened it
 */
int prn_tables_check_process(const struct prn_tables *tables, struct prn_error *error);

/* The engine that an address names, and its place there, which points into address. */
const struct prn_tables_kind *prn_tables_find(const char *address, const char **place);

/* What an engine's look finds at an address; PRN_STANDING_TABLES of an engine that has none.  Errors of look */
int prn_tables_look(const char *address, bool remove_begun, enum prn_standing *standing, struct prn_error *error);

/* PRN_E_ARGUMENT: an address without a place. */
int prn_tables_check(const char *address, struct prn_error *error);

/* As prn_tables_check and then the engine's open; _free takes NULL. */
int prn_tables_open(struct prn_tables **out, const char *address, bool writable, double lock_wait_s,
                    struct prn_error *error);
void prn_tables_free(struct prn_tables *tables);

/* Create or open tables beside other tables of the engine (create_beside, open_beside); address is one of that engine. */
int prn_tables_create_beside(struct prn_tables *tables, const char *address, const struct prn_change *changes, size_t count,
                             struct prn_error *error);
int prn_tables_open_beside(struct prn_tables **out, struct prn_tables *tables, const char *address, bool writable,
                           double lock_wait_s, struct prn_error *error);

#endif
