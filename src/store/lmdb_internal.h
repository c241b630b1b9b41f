/*
 * What the files of the LMDB engine share.
 *
 * Tables are LMDB's databases in one file, data.mdb, of a folder; beside it are LMDB's lock.mdb, for readers, and our
 * writer.lock.  LMDB keeps its file in a map of fixed size.  Ours begins small and doubles: ahead of time when no
 * view of this process is open, else when a write finds it full and waits for them.  A reader learns from LMDB that
 * another process has grown the file and follows.
 *
 * LMDB writes, and keeps the places of readers; reading is done by the engine itself (lmdb_pages.h), because LMDB crashes
 * on pages that are damaged.  Before LMDB writes, the pages that it will touch are looked at.
 */
#ifndef STORE_LMDB_INTERNAL_H
#define STORE_LMDB_INTERNAL_H

#include "store/lmdb_pages.h"
#include "store/tables.h"

#include <lmdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

/*
 * Holds of the map: while there is one, the map stays where it is.  Each open view is one, and so is whatever else
 * reads through the map.
 */
struct prn_lmdb_hold {
	pthread_t thread;
	struct prn_lmdb_hold *before, *next;
};

struct prn_lmdb_holds {
	pthread_mutex_t lock;
	pthread_cond_t freed; /* nobody holds the map any more, or nobody moves it */
	struct prn_lmdb_hold *first;
	unsigned waiting; /* to move it */
	bool moving;
};

void prn_lmdb_holds_init(struct prn_lmdb_holds *holds);
void prn_lmdb_holds_destroy(struct prn_lmdb_holds *holds);

/* Takes one, waiting while the map is moved, or for who waits to move it (unless this thread has a hold already). */
void prn_lmdb_hold(struct prn_lmdb_holds *holds, struct prn_lmdb_hold *hold);
void prn_lmdb_let_go(struct prn_lmdb_holds *holds, struct prn_lmdb_hold *hold);

/* Waits (three seconds, or not at all) until there is no hold: then true, and nobody gets one before _end. */
bool prn_lmdb_move_begin(struct prn_lmdb_holds *holds, bool wait);
void prn_lmdb_move_end(struct prn_lmdb_holds *holds);

/*
 * A file that this process has open.  LMDB must not have one open twice in a process: the locks by which it knows living
 * readers are the process's, so a second opening would take the readers' table for unused, and closing either would give
 * the locks of both back.  So all tables of a file share this (lmdb_open.c).
 */
struct prn_lmdb {
	struct prn_lmdb *next;        /* of all that are open … */
	size_t users;                 /* … and the tables that share it */
	_Atomic uint64_t device, inode; /* which file it is … */
	_Atomic uint64_t lock_device, lock_inode; /* … and which its lock.mdb, where it has one; else 0 */
	pid_t process;                /* that opened it */
	MDB_env *env; /* NULL: it is to be opened again */
	MDB_dbi tables[PRN_TABLES]; /* of a writer */
	const unsigned char *map;   /* the engine's own, or LMDB's */
	size_t map_bytes;
	bool map_is_lmdbs;
	unsigned char *sound; /* two bits for each of sound_pages: whether a writer has looked at it, and whether as a leaf */
	size_t sound_pages;
	bool free_sound;      /* it has looked at the free pages' tree */
	char *path;  /* as who opened it first called it, for messages … */
	char *place; /* … and from the root, as who opened it last did: the working folder may be another by now */
	bool writable;            /* LMDB may write: there is, or was, a writer among the tables */
	bool has_writer;
	bool is_new;              /* it is being made */
	atomic_bool broken;       /* LMDB takes nothing any more: it is to be opened again */
	pthread_mutex_t writing;  /* held while it is written to or opened again; taken before the map is moved */
	struct prn_lmdb_holds holds;
};

struct prn_lmdb_tables {
	struct prn_tables head;
	struct prn_lmdb *lmdb;
	bool writes;
	int lock; /* of the writer; -1: none */
};

struct prn_lmdb_view {
	struct prn_view head;
	struct prn_lmdb_hold hold;
	MDB_txn *txn; /* keeps the pages as they are */
	bool moved;   /* another process made the file larger while this began */
	struct prn_file_head file;
	struct prn_pages pages;
	struct prn_tree trees[PRN_TABLES]; /* one that an older program did not make is empty */
	struct prn_tree_walk places[PRN_TABLES]; /* where a key was last looked up */
};

/* The engine's side of the tables. */
static inline struct prn_lmdb *prn_lmdb_of(struct prn_tables *tables)
{
	return ((struct prn_lmdb_tables *)tables)->lmdb;
}

/* The error of an LMDB or system code; what: "read", "write". */
int prn_lmdb_fail(const char *path, const char *what, int lmdb, struct prn_error *error);

/* The error of a page that cannot be read. */
int prn_lmdb_damaged(const char *path, size_t page, struct prn_error *error);

/* PRN_E_IO: what stands there is not what this process has open of that folder. */
int prn_lmdb_replaced(const char *path, struct prn_error *error);

/* "PATH/NAME", to be freed; NULL without memory. */
char *prn_lmdb_file(const char *path, const char *name);

MDB_val prn_lmdb_value(struct prn_bytes bytes);
struct prn_bytes prn_lmdb_bytes(MDB_val value);

/*
 * Tables of the file in the folder at path; create: begins it.  One that this process has open already is shared; if that was
 * for reading and there is to be a writer now, it is opened again.  free: NULL is fine.
 *
 * PRN_E_LIMIT	there is to be a writer, and views that readers of this process have stay open
 * PRN_E_IO	also where this process has a file open that stood there before
 */
int prn_lmdb_open(struct prn_lmdb_tables **out, const char *path, bool writable, bool create, struct prn_error *error);
void prn_lmdb_free(struct prn_lmdb_tables *tables);

/*
 * Before a file is replaced in its folder: whether this process has it open, or one that stood there before.  PRN_E_LIMIT: so it is;
 * PRN_E_MEMORY
 */
int prn_lmdb_check_closed(const char *path, struct prn_error *error);

/*
 * Opens the file itself, in the folder at path, and closes it, whether that was open or not.  PRN_E_IO also where it is opened again,
 * and another stands in its place
 */
int prn_lmdb_open_file(struct prn_lmdb *lmdb, const char *path, bool create, struct prn_error *error);
void prn_lmdb_close_file(struct prn_lmdb *lmdb);

/* What was looked at of the pages is to be looked at again: somebody else may write. */
void prn_lmdb_forget_sound(struct prn_lmdb *lmdb);

/* Whether a table came with schema 2: an older program did not make it. */
static inline bool prn_lmdb_came_later(size_t table)
{
	return table == PRN_TABLE_WAITING || table == PRN_TABLE_TURNS || table == PRN_TABLE_VALIDATORS ||
	       table == PRN_TABLE_PAGE_SOURCES || table == PRN_TABLE_HOST_SOURCES || table == PRN_TABLE_SIBLINGS;
}

/* Whether both heads of the file are heads, of successive commits.  PRN_E_DAMAGED, PRN_E_IO, PRN_E_MEMORY */
int prn_lmdb_check_heads(const char *path, struct prn_error *error);

/* As the kind's version and version_at: of the last commit's number, and the file. */
uint64_t prn_lmdb_version(struct prn_view *view);
int prn_lmdb_version_at(struct prn_tables *tables, const char *path, uint64_t *version, struct prn_error *error);

/*
 * Maps the file as largely as LMDB does, or, of a writer, finds LMDB's own map; called again when LMDB's has moved, before which it
 * is unmapped.  PRN_E_MEMORY
 */
int prn_lmdb_map(struct prn_lmdb *lmdb, struct prn_error *error);
void prn_lmdb_unmap(struct prn_lmdb *lmdb);

/* Finds what a view sees, whose transaction has begun.  PRN_E_DAMAGED */
int prn_lmdb_see(struct prn_lmdb_view *view, struct prn_error *error);

/*
 * Looks at the pages that changes will touch, so that LMDB can; with `writing` held, or while it is opened.  Whether
 * LMDB takes anything at all is not said.  PRN_E_DAMAGED, and errors of views
 */
int prn_lmdb_look_ahead(struct prn_lmdb *lmdb, const struct prn_change *changes, size_t count, struct prn_error *error);

/* Whether there is a store in that folder: 0, PRN_E_NOT_FOUND, PRN_E_IO, PRN_E_MEMORY */
int prn_lmdb_find(const char *path, off_t *bytes, struct prn_error *error);

/* The bytes that the last write counts on: the map beyond the file's end must not be touched. */
off_t prn_lmdb_bytes_in_use(const struct prn_lmdb *lmdb);

/* Gives the file the length that its head speaks of, where LMDB left out pages at its end.  PRN_E_IO */
int prn_lmdb_extend(const struct prn_lmdb *lmdb, off_t length, struct prn_error *error);

/*
 * Places the map anew, after prn_lmdb_move_begin, whose end it is; bytes 0: as large as another process made it.
 * PRN_E_MEMORY: it is broken then.
 */
int prn_lmdb_place_map(struct prn_lmdb *lmdb, size_t bytes, struct prn_error *error);

/*
 * Opens anew what is broken, with `writing` held: it then stands at the last write that was whole.  PRN_E_LIMIT:
 * views stay open; and errors of opening: it is still broken then, and may be opened again later.
 */
int prn_lmdb_reopen(struct prn_lmdb *lmdb, struct prn_error *error);

/* The functions of the engine. */
int prn_lmdb_view(struct prn_view **out, struct prn_tables *tables, struct prn_error *error);
void prn_lmdb_close(struct prn_view *view);
int prn_lmdb_get(struct prn_view *view, enum prn_table table, struct prn_bytes key, struct prn_bytes *value,
                 struct prn_error *error);
int prn_lmdb_get_many(struct prn_view *view, enum prn_table table, const struct prn_bytes *keys, size_t count,
                      struct prn_bytes *values, struct prn_error *error);
int prn_lmdb_size(struct prn_view *view, struct prn_tables_size *size, struct prn_error *error);
int prn_lmdb_scan(struct prn_walk **out, struct prn_view *view, enum prn_table table, struct prn_bytes from,
                  struct prn_error *error);
int prn_lmdb_next(struct prn_walk *walk, struct prn_bytes *key, struct prn_bytes *value, struct prn_error *error);
void prn_lmdb_end(struct prn_walk *walk);
int prn_lmdb_check(struct prn_view *view, prn_skipped_fn *report, void *context, uint64_t *faults,
                   struct prn_error *error);
int prn_lmdb_write(struct prn_tables *tables, const struct prn_change *changes, size_t count, struct prn_error *error);


/* As the kind's rebuild; kind: of the engine itself. */
int prn_lmdb_rebuild(const struct prn_tables_kind *kind, const char *path, double lock_wait_s,
                     const struct prn_salvage *salvage, struct prn_salvaged *salvaged, struct prn_error *error);

/* Writes a compact, durable copy of data.mdb into the folder at path.  PRN_E_DAMAGED: it is damaged */
int prn_lmdb_copy(struct prn_tables *tables, const char *path, struct prn_error *error);

/*
 * A folder that stands at path whole or not at all: makes one beside it, has it filled, and puts it there.  path may be
 * an empty folder.  PRN_E_IO: something is there already, or the system does not take it
 */
typedef int prn_lmdb_fill_fn(const char *folder, void *context, struct prn_error *error);
int prn_lmdb_make_folder(const char *path, prn_lmdb_fill_fn *fill, void *context, struct prn_error *error);

/* As the kind's check_place. */
int prn_lmdb_check_place(const char *path, struct prn_error *error);

/* As the kind's leftovers: such folders, of which a living maker has the lock. */
int prn_lmdb_leftovers(const char *path, bool remove, prn_skipped_fn *report, void *context, uint64_t *count,
                       struct prn_error *error);

/* Removes a store's folder with its files. */
void prn_lmdb_remove_folder(const char *path);

/* Returns a code of the system. */
int prn_lmdb_sync_folder(const char *path);

/*
 * Opens a file of locks in a store's folder, of that name, for reading and writing, and makes it where there is none.  What is
 * no regular file, or has another name, is not touched.  file: -1, and code the system's, where the system did not open it.
 *
 * PRN_E_IO	it is a link, or no regular file
 * PRN_E_MEMORY
 */
int prn_lmdb_lock_file(const char *path, const char *name, int *file, int *code, struct prn_error *error);

/*
 * The lock that keeps a store's folder to one writer.  The system gives it back when the process ends, however that is.
 *
 * Takes it, waiting for up to wait_s seconds, and writes the descriptor to *lock: closing that gives it back.
 *
 * PRN_E_LIMIT	another process has it; the text names its pid
 * PRN_E_IO, PRN_E_MEMORY
 */
int prn_lmdb_lock(const char *path, double wait_s, int *lock, struct prn_error *error);

/* Gives it back; -1 is fine. */
void prn_lmdb_unlock(int lock);

#endif
