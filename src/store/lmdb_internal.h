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
 * Holds of the map.  The map is not moved while anybody holds it.  Each open view holds it, and so does whatever else reads
 * through it.
 */
struct prn_lmdb_hold {
	pthread_t thread;
	struct prn_lmdb_hold *before, *next;
};

struct prn_lmdb_holds {
	pthread_mutex_t lock;
	pthread_cond_t freed; /* nobody holds the map any more, or nobody moves it */
	struct prn_lmdb_hold *first;
	unsigned waiting; /* threads that wait to move it */
	bool moving;
};

void prn_lmdb_holds_init(struct prn_lmdb_holds *holds);
void prn_lmdb_holds_destroy(struct prn_lmdb_holds *holds);

/* Takes a hold.  Waits while the map is moved and, unless this thread has a hold already, while somebody waits to move it. */
void prn_lmdb_hold(struct prn_lmdb_holds *holds, struct prn_lmdb_hold *hold);
void prn_lmdb_let_go(struct prn_lmdb_holds *holds, struct prn_lmdb_hold *hold);

/* Waits (three seconds, or not at all) until there is no hold; then returns true, and nobody gets a hold before _end. */
bool prn_lmdb_move_begin(struct prn_lmdb_holds *holds, bool wait);
void prn_lmdb_move_end(struct prn_lmdb_holds *holds);

/*
 * A file that this process has open.  LMDB must not have one open twice in a process: the locks by which it knows living
 * readers are the process's, so a second opening would take the readers' table for unused, and closing either would give
 * the locks of both back.  So all tables of a file share this (lmdb_open.c).
 */
struct prn_lmdb {
	struct prn_lmdb *next;        /* in the list of all that are open */
	size_t users;                 /* how many tables share it */
	_Atomic uint64_t device, inode; /* identify the file … */
	_Atomic uint64_t lock_device, lock_inode; /* … and its lock.mdb; 0 if it has none */
	pid_t process;                /* the process that opened it */
	MDB_env *env; /* NULL: it is to be opened again */
	MDB_dbi tables[PRN_TABLES]; /* of a writer */
	const unsigned char *map;   /* the engine's own, or LMDB's */
	size_t map_bytes;
	bool map_is_lmdbs;
	unsigned char *sound; /* two bits for each of sound_pages: whether a writer has looked at it, and whether as a leaf */
	size_t sound_pages;
	bool free_sound;      /* it has looked at the free pages' tree */
	char *path;  /* the path that was given when it was first opened, for messages … */
	char *place; /* … and the absolute path of its last opening, because the working folder may have changed */
	bool writable;            /* LMDB may write: there is, or was, a writer among the tables */
	bool has_writer;
	bool is_new;              /* it is being made */
	atomic_bool broken;       /* LMDB refuses everything: it is to be opened again */
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
	struct prn_lmdb_pages pages;
	struct prn_tree trees[PRN_TABLES]; /* a table that an older program did not make has an empty tree */
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

/* Returns PRN_E_IO: the file in that folder is not the one that this process has open. */
int prn_lmdb_replaced(const char *path, struct prn_error *error);

/* "PATH/NAME", to be freed; NULL without memory. */
char *prn_lmdb_file(const char *path, const char *name);

MDB_val prn_lmdb_value(struct prn_bytes bytes);
struct prn_bytes prn_lmdb_bytes(MDB_val value);

/*
 * Opens the tables of the file in the folder at path; create: begins the file.  A file that this process has open already is
 * shared; if it was opened for reading and writable is set now, it is opened again.  free: NULL is fine.
 *
 * PRN_E_LIMIT	writable is set, and views of this process's readers stay open
 * PRN_E_IO	also if this process has a file open that stood there before
 */
int prn_lmdb_open(struct prn_lmdb_tables **out, const char *path, bool writable, bool create, struct prn_error *error);
void prn_lmdb_free(struct prn_lmdb_tables *tables);

/*
 * Checks, before a file is replaced in its folder, that this process has neither it open nor one that stood there before.
 * PRN_E_LIMIT: it has; PRN_E_MEMORY
 */
int prn_lmdb_check_closed(const char *path, struct prn_error *error);

/*
 * Open the file itself, in the folder at path, and close it, whether it was open or not.  PRN_E_IO also if it is opened again and
 * another file stands in its place
 */
int prn_lmdb_open_file(struct prn_lmdb *lmdb, const char *path, bool create, struct prn_error *error);
void prn_lmdb_close_file(struct prn_lmdb *lmdb);

/* Forgets which pages were checked: somebody else may write. */
void prn_lmdb_forget_sound(struct prn_lmdb *lmdb);

/* Whether a table came with schema 2: an older program did not make it. */
static inline bool prn_lmdb_came_later(size_t table)
{
	return table == PRN_TABLE_WAITING || table == PRN_TABLE_TURNS || table == PRN_TABLE_VALIDATORS ||
	       table == PRN_TABLE_PAGE_SOURCES || table == PRN_TABLE_HOST_SOURCES || table == PRN_TABLE_SIBLINGS;
}

/* Checks that both heads of the file are whole and of successive commits.  PRN_E_DAMAGED, PRN_E_IO, PRN_E_MEMORY */
int prn_lmdb_check_heads(const char *path, struct prn_error *error);

/* As the kind's version and version_at; the number depends on the last commit's number and on the file. */
uint64_t prn_lmdb_version(struct prn_view *view);
int prn_lmdb_version_at(struct prn_tables *tables, const char *path, uint64_t *version, struct prn_error *error);

/*
 * Maps the file as largely as LMDB does, or, of a writer, finds LMDB's own map; called again when LMDB's has moved, before which it
 * is unmapped.  PRN_E_MEMORY
 */
int prn_lmdb_map(struct prn_lmdb *lmdb, struct prn_error *error);
void prn_lmdb_unmap(struct prn_lmdb *lmdb);

/* Finds the trees that a view sees; its transaction must have begun.  PRN_E_DAMAGED */
int prn_lmdb_see(struct prn_lmdb_view *view, struct prn_error *error);

/*
 * Checks the pages that changes will touch, so that LMDB can touch them.  Called with `writing` held, or while the file is opened.
 * Success does not mean that LMDB will accept a write.  PRN_E_DAMAGED, and errors of views
 */
int prn_lmdb_look_ahead(struct prn_lmdb *lmdb, const struct prn_change *changes, size_t count, struct prn_error *error);

/* Whether there is a store in that folder: 0, PRN_E_NOT_FOUND, PRN_E_IO, PRN_E_MEMORY */
int prn_lmdb_find(const char *path, off_t *bytes, struct prn_error *error);

/* The bytes that the file must have for the last write; the map beyond the file's end must not be touched. */
off_t prn_lmdb_bytes_in_use(const struct prn_lmdb *lmdb);

/* Extends the file to the length that its head gives, if LMDB left out pages at its end.  PRN_E_IO */
int prn_lmdb_extend(const struct prn_lmdb *lmdb, off_t length, struct prn_error *error);

/*
 * Places the map anew after prn_lmdb_move_begin, and calls prn_lmdb_move_end; bytes 0: as large as another process made it.
 * PRN_E_MEMORY: the file is then broken.
 */
int prn_lmdb_place_map(struct prn_lmdb *lmdb, size_t bytes, struct prn_error *error);

/*
 * Opens a broken file anew, with `writing` held; it then shows the last write that was whole.  PRN_E_LIMIT: views stay open;
 * errors of opening.  After either the file is still broken, and may be opened again later.
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
 * Makes a folder at path, whole or not at all: makes one beside it, has fill fill it, and moves it there.  path may be an empty
 * folder.  PRN_E_IO: something is there already, or the system refuses
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

/* Releases the lock; -1 is fine. */
void prn_lmdb_unlock(int lock);

#endif
