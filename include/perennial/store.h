/*
 * The store: where a decider keeps its pages, durably, ten million of them on one disk.
 *
 * It finds pages by key and keeps what it is given: an opaque state, a weight, a URL, and two times by which it queues the
 * page itself.  It knows nothing of policies.  Side tables hold what belongs to a host, to a page's rare needs (a suspect
 * body's summary), and the settings.
 *
 *	prn_store	at an address, opened once per process and shared by its threads; a folder may be opened again, to read
 *			it, beside its writer
 *	prn_view	a snapshot: what the last commit left, while later commits go on beside it
 *	prn_walk	a cursor over a view
 *	prn_batch	changes on their way to the disk: seen by the batch's own gets at once, by everyone after its
 *			commit, and then for good
 *
 * An address is one of these.  A folder, "crawl", "./odd:name" or "lmdb:crawl", which LMDB keeps on disk.  "memory:NAME",
 * tables in the memory of this process, gone when it ends and not before, whoever closes them: for tests, and for trying a policy out.
 * "rados:POOL/NAME?conf=FILE", an object of a Ceph cluster, as durable there as the pool is.
 *
 * One process at a time has a store open for writing; readers, of the same or of other processes, neither wait for it nor
 * make it wait.  While a view is open, the disk space of what changed since cannot be used again: close views soon. When a
 * process has a folder open for reading, its opening the folder for writing waits for its own views, three seconds at most,
 * and new views wait for that.
 *
 * A store belongs to the process that opened it.  After fork() the child must not read through views that it inherited, nor
 * from batches: it may only free them, and the store, and open the store itself.  Views, commits, backups and checks of an inherited store end
 * with PRN_E_ARGUMENT, for there would be two writers.
 *
 * A store in a cluster is shared: any number of processes write to it at a time.  What a batch wrote becomes durable only if
 * nobody else has written since it began to read, else its commit ends with PRN_E_CONFLICT; and a view, through which all is
 * read as it was at one moment, ends with the same code when that moment's store is no longer there.
 */
#ifndef PERENNIAL_STORE_H
#define PERENNIAL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/digest.h"
#include "perennial/error.h"
#include "perennial/time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_RECORD_STATE_BYTES 65535 /* the longest state taken; a page state has at most 128 */

/* Lanes of the queues of pages that are due, and that wait for hosts.  The first of each are found without a walk past others. */
enum prn_lane {
	PRN_LANE_KNOWN, /* it comes last */
	PRN_LANE_NEW,   /* pages that were never fetched: it comes first */
	PRN_LANE_VAIN,  /* pages that were never fetched, and were tried in vain: it comes between */
};
#define PRN_LANES 3

/*
 * A page.  It stands in at most one queue: by lease in the lease queue if it has a lease; else, if it has a due time, by that
 * in the due queue, or among the pages that wait for its host where it waits for one; else in none, as a retired page does.
 */
struct prn_record {
	struct prn_digest key;      /* prn_url_key of its normal URL */
	const char *url;            /* as first spelled; at most PRN_URL_BYTES */
	double weight;              /* finite, >= 0 */
	int64_t due;                /* PRN_TIME_UNKNOWN: never */
	enum prn_lane lane;         /* where it stands when it is due, if that is in the years 1 to 9999 */
	int64_t lease;              /* when the lease runs out; PRN_TIME_UNKNOWN: not leased */
	uint64_t waits_for;         /* a number that stands for the host whose turn it waits for; 0: for none */
	const unsigned char *state; /* opaque; NULL when state_bytes is 0 */
	size_t state_bytes;
};

/* Side tables: any bytes by any name of 1 to 511 bytes. */
enum prn_side {
	PRN_SIDE_META,     /* settings: text by key; "schema" and "moving" are the store's own */
	PRN_SIDE_HOSTS,    /* by host, as deciders write them: prn_store_check takes anything else for damaged */
	PRN_SIDE_TURNS,    /* host names, by when the pages that wait for them get their turn */
	PRN_SIDE_SUSPECTS,   /* by the 16 bytes of a page's key, see prn_key_bytes; what lies under a page's key goes with the page */
	PRN_SIDE_VALIDATORS, /* likewise */
	PRN_SIDE_PAGE_SOURCES,       /* likewise: what sources of hints told of the page */
	PRN_SIDE_HOST_SOURCES,    /* by host: its sources of hints */
	PRN_SIDE_SIBLINGS,   /* by host: how its pages drift, by URL pattern */
};

enum prn_queue { PRN_QUEUE_DUE, PRN_QUEUE_LEASES, PRN_QUEUE_WAITING };

/* One setting that a new store begins with. */
struct prn_store_setting {
	const char *key, *value;
};

/*
 * Makes a store at an address where nothing is yet, except perhaps an empty folder: it then stands there whole or not at all.
 *
 * PRN_E_IO	something is there already, a copy that was begun and shards without their root too, or the disk does not take it
 * PRN_E_ARGUMENT	a setting is called "schema", "moving" or nothing, or its key is longer than 511 bytes; or path names no place,
 *		or, by letters and ":", an engine that there is not
 * PRN_E_MEMORY
 */
int prn_store_create(const char *path, const struct prn_store_setting *settings, size_t count, struct prn_error *error);

/* The folder of a store at an address: the end of the address.  NULL: its engine keeps it in no folder. */
const char *prn_store_folder(const char *address);

/* Whether a store at an address ends with the process that made it. */
bool prn_store_ends_with_process(const char *address);

struct prn_store;

enum prn_store_mode { PRN_STORE_READ, PRN_STORE_WRITE };

/*
 * lock_wait_s: how long to wait for another writer to finish; 0 fails at once.  Only for PRN_STORE_WRITE.
 *
 * A store of an older schema is read as it is.  Opened for writing it becomes one of this schema, which older programs
 * refuse; the first decider that opens it for writing moves its pages to the keys that their URLs have now (url.h).
 *
 * PRN_E_NOT_FOUND	no store there
 * PRN_E_ARGUMENT	path names no place or engine
 * PRN_E_LIMIT		it is open for writing, in another process or by another prn_store of this one; the text names the pid.  Or it is
 *			to be written to, and views of it that this process has stay open
 * PRN_E_VERSION	of a newer schema
 * PRN_E_DAMAGED	not a store, or damaged
 * PRN_E_TRUNCATED	damaged: shorter than it was
 * PRN_E_UNSUPPORTED	in a cluster, for which this program was not built, or the machine lacks librados
 * PRN_E_BUSY	in a cluster that does not answer
 * PRN_E_IO	also no store there, but a copy of one that was not finished, or shards of one whose root is gone
 * PRN_E_MEMORY
 */
int prn_store_open(struct prn_store **out, const char *path, enum prn_store_mode mode, double lock_wait_s,
                   struct prn_error *error);

/* Views, walks and batches are freed before it.  NULL is fine. */
void prn_store_free(struct prn_store *store);

const char *prn_store_path(const struct prn_store *store);

/* Whether other processes may write to it while this one has it open for writing. */
bool prn_store_is_shared(const struct prn_store *store);

struct prn_store_totals {
	uint64_t pages, due, leased; /* due: they have a next visit, now or later */
	uint64_t waiting;            /* of the due: for their host, that is as soon as it may be asked */
	uint64_t hosts;              /* of which something is noted: not those of which pages were only added */
	uint64_t suspects;
	uint64_t bytes;              /* of the data file, what is free in it included */
	uint64_t bytes_free;         /* of these */
};

/*
 * The totals as the last commit left them, without a walk.  In a store of several shards they are summed over the shards
 * (prn_store_check).  Errors as prn_view_open.
 */
int prn_store_totals(struct prn_store *store, struct prn_store_totals *totals, struct prn_error *error);

/*
 * Views.  A view is used by one thread at a time; a thread may have several.  What a view or its walks hand out stays
 * valid until the view is closed.
 *
 * Errors of views, so of everything that reads: PRN_E_DAMAGED (the text names the store), PRN_E_IO, PRN_E_MEMORY; of a store that is
 * shared PRN_E_CONFLICT: it has changed since the view's first question; and PRN_E_BUSY: it does not answer.  To open also
 * PRN_E_LIMIT: of a store on disk, some more than 1000 views at a time, of all processes.  PRN_E_ARGUMENT: of a side table
 * that there is not.
 */
struct prn_view;

int prn_view_open(struct prn_view **out, struct prn_store *store, struct prn_error *error);
void prn_view_close(struct prn_view *view);

/* PRN_E_NOT_FOUND (and *error is untouched), and the errors above. */
int prn_view_get(struct prn_view *view, const struct prn_digest *key, struct prn_record *record,
                 struct prn_error *error);

/*
 * Reads the pages of keys[count], in any order, to records[count]; one that is not there has url NULL.  Engines that are far
 * away are asked once for all of them.
 */
int prn_view_get_many(struct prn_view *view, const struct prn_digest *keys, size_t count, struct prn_record *records,
                      struct prn_error *error);
int prn_view_side(struct prn_view *view, enum prn_side side, const void *name, size_t name_bytes, const void **bytes,
                  size_t *count, struct prn_error *error);

/* Walks.  Freed before their view.  _next returns 1 with a thing, 0 at the end, or an error. */
struct prn_walk;

struct prn_queued {
	int64_t time; /* due, or the lease's end */
	struct prn_digest key;
	enum prn_lane lane;
};

/*
 * Walks a queue in order of lanes, and of time in each; with INT64_MIN all, else the last lane from the earliest at or after
 * from on.  Within a second, in order of keys.  Not for PRN_QUEUE_WAITING, which is in order of hosts.
 */
int prn_walk_queue(struct prn_walk **out, struct prn_view *view, enum prn_queue queue, int64_t from,
                   struct prn_error *error);
int prn_walk_queue_next(struct prn_walk *walk, struct prn_queued *queued, struct prn_error *error);

/*
 * Walks the pages that wait for a host, in the same order, from the first at or after *from on (NULL: all); host is its
 * number, waits_for.
 */
int prn_walk_waiting(struct prn_walk **out, struct prn_view *view, uint64_t host, const struct prn_queued *from,
                     struct prn_error *error);
int prn_walk_waiting_next(struct prn_walk *walk, uint64_t host, struct prn_queued *queued, struct prn_error *error);

/* Every page, in order of keys, from the first key at or after *from (NULL: all). */
int prn_walk_pages(struct prn_walk **out, struct prn_view *view, const struct prn_digest *from,
                   struct prn_error *error);
int prn_walk_pages_next(struct prn_walk *walk, struct prn_record *record, struct prn_error *error);

/* A side table, in order of names. */
int prn_walk_side(struct prn_walk **out, struct prn_view *view, enum prn_side side, struct prn_error *error);
int prn_walk_side_next(struct prn_walk *walk, const void **name, size_t *name_bytes, const void **bytes, size_t *count,
                       struct prn_error *error);

void prn_walk_free(struct prn_walk *walk);

/*
 * Batches.  At most one batch at a time, in a store opened for writing.  Changes are copied and wait in memory (about
 * 300 bytes each); nothing reaches the disk before the commit, which writes them in the order of their keys.
 *
 * A batch reads through its own changes: what _get hands out is valid until the next call on the batch, and may be
 * handed to it.
 *
 * Errors of batches, so of everything that stages: those of views, and PRN_E_MEMORY for what waits.
 */
struct prn_batch;

/* PRN_E_ARGUMENT: opened for reading, or there is a batch already.  PRN_E_MEMORY, and errors of views. */
int prn_batch_open(struct prn_batch **out, struct prn_store *store, struct prn_error *error);

/* What is not committed is dropped.  NULL is fine. */
void prn_batch_free(struct prn_batch *batch);

/*
 * What the batch reads through: the store as it was at the first read after the batch was opened, committed or abandoned;
 * valid until it is committed or abandoned.  A walk over it and the results of _get are of one moment.  Errors of views
 */
int prn_batch_view(struct prn_batch *batch, struct prn_view **view, struct prn_error *error);

/* As prn_view_get and prn_view_side. */
int prn_batch_get(struct prn_batch *batch, const struct prn_digest *key, struct prn_record *record,
                  struct prn_error *error);
int prn_batch_side(struct prn_batch *batch, enum prn_side side, const void *name, size_t name_bytes,
                   const void **bytes, size_t *count, struct prn_error *error);

/*
 * Puts a page in the place of the one with its key, if any, also of one whose record is damaged.  PRN_E_ARGUMENT: a field is
 * outside its range, or the key is not that of the URL.
 */
int prn_batch_put(struct prn_batch *batch, const struct prn_record *record, struct prn_error *error);

/*
 * Takes a page out of the store and its queue.  Where its record is damaged, its place in a queue is not known: an entry is
 * left there, which prn_decider_due or prn_store_check takes out.  PRN_E_NOT_FOUND
 */
int prn_batch_delete(struct prn_batch *batch, const struct prn_digest *key, struct prn_error *error);

/*
 * Puts bytes under a name; bytes NULL takes the name out (and is fine when it is not there).  PRN_E_ARGUMENT: a name of
 * no or too many bytes, a table that there is not, or a setting of the store's own.
 */
int prn_batch_side_put(struct prn_batch *batch, enum prn_side side, const void *name, size_t name_bytes,
                       const void *bytes, size_t count, struct prn_error *error);

/* How many changes wait. */
size_t prn_batch_changes(const struct prn_batch *batch);

/*
 * Makes all changes durable, or none; the batch is empty afterwards and may be used again.  When it fails the changes
 * still wait, and the commit may be tried again (space was made on the disk) or the batch dropped.
 *
 * PRN_E_IO	the disk is full or fails, or the file was removed since it was opened; the text says so
 * PRN_E_ARGUMENT	the store was opened by another process, of which this one is a fork
 * PRN_E_LIMIT	the file has to grow and views of this process stayed open for three seconds
 * PRN_E_CONFLICT	of a store that is shared: another has written since the batch began to read.  What waits follows from what
 *		is no more: abandon it, and decide again
 * PRN_E_BUSY	of such a store: it did not answer, and it is not known whether all was made durable, or nothing.  A commit that
 *		is tried again ends with PRN_E_CONFLICT if it was
 * PRN_E_DAMAGED
 * PRN_E_MEMORY
 */
int prn_batch_commit(struct prn_batch *batch, struct prn_error *error);

/* Drops the changes. */
void prn_batch_abandon(struct prn_batch *batch);

/*
 * A savepoint is the changes that wait now, and _restore drops those that came after it: so that an operation that takes
 * several changes, and fails at one of them, leaves nothing.  Savepoints nest.  One from before a commit means the moment
 * after that commit.
 */
struct prn_savepoint {
	uint64_t commits; /* private, as all here */
	size_t changes, bytes, earlier;
};

struct prn_savepoint prn_batch_save(struct prn_batch *batch);
void prn_batch_restore(struct prn_batch *batch, const struct prn_savepoint *savepoint);

/* What prn_store_check looked at and found wrong. */
struct prn_store_findings {
	uint64_t pages, queued;   /* looked at */
	uint64_t unreadable;      /* pages whose record or key is damaged */
	uint64_t unqueued;        /* pages that are missing from their queue, or wait for a host that gets no turn or is not theirs */
	uint64_t stray;           /* queued keys whose page is not there, or is queued otherwise; turns of no host */
	uint64_t miscounted;      /* hosts whose record is damaged, counts more leases than there are, or names a turn that is not there */
	uint64_t stray_sides;     /* names in side tables by page whose page is not there */
	uint64_t disordered;      /* faults of the file: pages of it that are damaged, out of order or miscounted; in a cluster, of the
	                           * object: counts that are not those of its entries, and entries of no table.  If there are any,
	                           * nothing is mended, and of a file nothing else is looked at: prn_store_rebuild */
	uint64_t repaired;        /* of all these */
	uint64_t missed;          /* shards that could not be opened, or not be read to their end: report is told why */
	uint64_t leftovers;       /* no faults: what processes that were killed left beside the store, or its copy's; repair removes it */
};

/* How many faults were found, of all kinds. */
uint64_t prn_store_faults(const struct prn_store_findings *findings);

struct prn_state_findings; /* decider.h */

struct prn_store_check_options {
	bool repair;
	prn_skipped_fn *report;                        /* told of each fault, at most 100 of a kind; may be NULL */
	void (*progress)(void *context, double share); /* told now and then how much is done, 0 … 1; may be NULL */

	/*
	 * For a store of several shards, so that a check that is broken off can be continued: shards before first_shard are
	 * left out.  shard_done (prn_store_check) and states_done (prn_decider_check) are called for each other shard when it
	 * is done, with what was found in it; a later check that begins with the next number, and what an earlier one was
	 * told, together make a whole check.  May be NULL.
	 */
	size_t first_shard;
	void (*shard_done)(void *context, size_t shard, const struct prn_store_findings *of_it);
	void (*states_done)(void *context, size_t shard, const struct prn_state_findings *of_it);

	void *context; /* of all */
};

/* Adds up what was found in several stores, or shards. */
void prn_store_findings_add(struct prn_store_findings *to, const struct prn_store_findings *found);

/*
 * Of a store of several shards (decider.h) totals, check and backup look at it and at each of its shards, which they open, one
 * after the other: each as it is at one moment.  Not of one on disk while a decider of this process has it open.
 *
 * Compares pages, queues and side tables, and with repair (a store opened for writing, without a batch) mends them:
 * queues and side tables are brought in line with the pages; an unreadable page is taken out.  options NULL: none.
 * Returns 0 whatever it found, as long as all could be read; of several shards also where some could not, which are counted.
 *
 * PRN_E_ARGUMENT	repair in a store opened for reading, or beside a batch
 * Errors of views and of prn_batch_commit.
 */
int prn_store_check(struct prn_store *store, const struct prn_store_check_options *options,
                    struct prn_store_findings *findings, struct prn_error *error);

/* What became of a store that was made anew. */
struct prn_store_rebuilt {
	uint64_t pages;         /* that it has */
	uint64_t loose;         /* of these: found in pages of the file that no table led to any more */
	uint64_t lost;          /* pages of the store; as far as the damaged file still tells how many there were */
	uint64_t lost_sides;    /* entries of side tables, likewise */
	uint64_t damaged_pages; /* of the file */
	uint64_t removed;       /* entries of no table, which an object of a cluster had */
	uint64_t remade;        /* stores: 1, or of a store of several shards those of its parts that were damaged */
	char kept[4096];        /* the damaged file, which is kept under this name; empty: an object was put in order in its place */
};

/*
 * Makes a store whose file is damaged anew: reads out every record that is whole, puts it with the queues that follow from it
 * and the side tables into a new file, checks that one, and puts it in the place of the old one, which is kept beside it.
 * Nobody may have the store open.  When it fails, all is as it was.
 *
 * An object of a cluster whose entries are not those that it counts is put in order in its place: what follows from its whole records
 * is compared with it, and written if nobody has written since it was read, and tried again if somebody has.  Others may have it open.
 *
 * In a store of several shards those whose files are damaged are made anew, each by itself, and counted together; kept is
 * that of the last.  For a shard that is not there, or is of another store, or cannot be mended, it fails once the others are made:
 * *rebuilt, which is written after a failure too, tells of these.
 *
 * What settings a store has to have, and whether what its entries say is whole, only who made it knows: of a decider's store that
 * is prn_decider_rebuild (decider.h).
 *
 * PRN_E_LIMIT	a process has it open, this one or another
 * PRN_E_DAMAGED	its schema's number, or which shard it is, is lost, or all of it: only a backup helps
 * PRN_E_ARGUMENT	in the memory of a process, where nothing is damaged
 * PRN_E_CONFLICT	in a cluster: others wrote each time that it was tried
 * PRN_E_NOT_FOUND, PRN_E_TRUNCATED (empty), PRN_E_VERSION, PRN_E_BUSY, PRN_E_IO, PRN_E_MEMORY
 */
int prn_store_rebuild(const char *path, double lock_wait_s, struct prn_store_rebuilt *rebuilt, struct prn_error *error);

/*
 * A copy of the store as of now, while it is in use, without its free space; path as prn_store_create takes it.  It is read
 * through before it is put there: PRN_E_DAMAGED also where the store has a fault that prn_store_check finds, PRN_E_BUSY also where settings that
 * all pages follow are being changed (settings_change.h), or were changed between two shards.
 * From a cluster or into one the copy may be of another engine: so stores move.  Between two others prn_reshard (reshard.h) makes
 * a store of another engine, also with as many shards as it has.
 *
 * Of a store of several shards the copy stands there when all of its shards do: while it is made it is no store, and path, with
 * ".backup" behind its name, marks it.  When that fails, or its process is killed, what was copied so far stays, with the
 * mark, to be gone on with, or removed.
 *
 * PRN_E_IO	something is there, a copy that was begun too, or is to be there, as a shard is; it is in the folder of a store; or the disk is
 *		full: the text says so
 * PRN_E_ARGUMENT	an address of another engine, neither a cluster, or without a place
 * PRN_E_LIMIT	from a cluster or into one: more pages than 200,000
 * PRN_E_UNSUPPORTED, PRN_E_NOT_FOUND, PRN_E_BUSY	as prn_store_open
 * PRN_E_MEMORY
 */
int prn_store_backup(struct prn_store *store, const char *path, struct prn_error *error);

/*
 * The same, but continues a copy of this store that was begun there: shards that it has stay, as they were when they were
 * copied.  PRN_E_LIMIT also where another process is at work on it.
 */
int prn_store_backup_resume(struct prn_store *store, const char *path, struct prn_error *error);

/* What was removed of a copy. */
struct prn_store_discarded {
	uint64_t shards, lists; /* of the copy, which stood */
	uint64_t begun;         /* of what a process that was killed was making */
	uint64_t foreign;       /* of what stands among its shards and is no part of it: not removed */
	bool stands;            /* a store stands at path, which is not removed */
};

/*
 * Removes what there is of a copy that was begun and not finished, with its mark: the shards of one of several, and what a process that
 * was killed was making.  Where a store stands, its copy was finished: of that nothing but the mark is removed.  *discarded (NULL: not asked
 * for) is written also when it fails, with what was removed before.
 *
 * PRN_E_NOT_FOUND	none was begun there, or another process is making it
 * PRN_E_LIMIT		another process is at work on it
 * PRN_E_DAMAGED	among it stands what is no shard of that store, and stays, as the mark does; all else is removed
 * PRN_E_ARGUMENT	no address of a place
 * Errors of prn_store_open
 */
int prn_store_backup_discard(const char *path, struct prn_store_discarded *discarded, struct prn_error *error);

/* The 16 bytes of a key, big-endian: the order of keys is the order of these. */
void prn_key_bytes(const struct prn_digest *key, unsigned char out[16]);

#ifdef __cplusplus
}
#endif

#endif
