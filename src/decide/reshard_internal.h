/*
 * What the files of resharding (perennial/reshard.h) share.
 *
 *	reshard.c		all steps of a resharding: begins or resumes it, and puts the new store in place
 *	reshard_places.c	finds where a page belongs, opens new shards, reads old ones, and keeps the notes of the mark
 *	reshard_parts.c		moves the records of one old shard into the new shards where they belong
 *	reshard_merged.c	merges what several old shards have in common: giants, sums
 *	reshard_root.c		writes what follows from all shards: loads, lists, the root
 *
 * The new store's shards are made first, under the id that its root will have, which the mark holds; then the root, which makes them
 * a store.  If the new store has no shards, its one part is copied to its place in the end.
 *
 * The mark notes the progress as settings.  "made/N": the new shard N was made.  "done/root": the version of the old root.  "done/N":
 * the version of the old shard N, followed by "all", or by the key, 32 digits, up to which its pages were moved.  If a process dies
 * before it notes a step, the step is repeated and writes the same again.
 */
#ifndef DECIDE_RESHARD_INTERNAL_H
#define DECIDE_RESHARD_INTERNAL_H

#include "decide/giants.h"
#include "decide/shards.h"
#include "perennial/reshard.h"
#include "store/copy_mark.h"
#include "store/shards.h"

#define PRN_RESHARD_OPEN 64 /* the most new shards that are open at a time */

/* A new shard that is open. */
struct prn_reshard_part {
	size_t place;
	struct prn_store *store; /* NULL: none */
	struct prn_batch *batch;
};

enum prn_reshard_made { PRN_RESHARD_UNMADE, PRN_RESHARD_MADE, PRN_RESHARD_TO_NOTE };

struct prn_reshard {
	const struct prn_reshard_options *options;
	const char *path;         /* of the new store */
	struct prn_decider *from; /* the old store, opened for writing to keep other writers away; nothing is written to it */
	size_t from_count, count; /* shards of the old store and of the new one */
	struct prn_decider to;    /* of the new store, only for finding the shard of a page */
	struct prn_shards to_shards;
	char *giants;             /* the new root's setting; NULL: none */

	struct prn_copy_mark mark;
	struct prn_batch *notes;  /* a batch of the mark */
	bool is_new;              /* this call made the mark */
	unsigned char *made;      /* [count], enum prn_reshard_made */
	struct prn_reshard_part parts[PRN_RESHARD_OPEN];
	size_t next_part;         /* the one to be closed when another is opened */

	bool is_outdated;         /* the old store was written to since the resharding began */
	bool all_counted;         /* the old store's patterns of siblings include all visits (schema.h) */
	uint64_t pages;           /* of the old store; 0 if unknown, or if no progress is reported */
	struct prn_resharded done;
};

/* An old shard, or the old store itself if it has none, at one moment. */
struct prn_reshard_source {
	size_t place;
	struct prn_view *view;
	uint64_t version;
};

/* The new shard that a page, or a host that is not a giant, belongs to. */
size_t prn_reshard_place(const struct prn_reshard *reshard, const char *normal_url);
size_t prn_reshard_place_of_host(const struct prn_reshard *reshard, struct prn_host_name host);

/* Whether a host is a giant in the old store, or in the new one. */
bool prn_reshard_is_giant(const struct prn_reshard *reshard, struct prn_host_name host);

/*
 * prn_reshard_part opens a new shard, and makes it if it is not there.  *part is valid until PRN_RESHARD_OPEN others were asked
 * for, or until _close_parts.  Before a shard is closed, its staged changes are committed.  _part_commit commits one shard, and
 * _commit_parts all that are open.  Errors of prn_shards_part_open and of commits
 */
int prn_reshard_part(struct prn_reshard *reshard, size_t place, struct prn_reshard_part **part, struct prn_error *error);
int prn_reshard_part_commit(struct prn_reshard *reshard, const struct prn_reshard_part *part, struct prn_error *error);
int prn_reshard_commit_parts(struct prn_reshard *reshard, struct prn_error *error);

/* Closes all new shards, and first commits them if there was no error before (code).  Returns code, or errors of commits */
int prn_reshard_close_parts(struct prn_reshard *reshard, int code, struct prn_error *error);

/*
 * Runs a function for each old shard.  A result of run other than 0 ends it and is returned.  PRN_E_BUSY: a shard was written to
 * while it was read.  Errors of views
 */
typedef int prn_reshard_source_fn(struct prn_reshard *reshard, const struct prn_reshard_source *source, void *context, struct prn_error *error);
int prn_reshard_each_source(struct prn_reshard *reshard, prn_reshard_source_fn *run, void *context, struct prn_error *error);

/*
 * _read reads a note of the mark, "" where there is none.  _put commits one, and also notes which shards were made.  Errors of
 * views and commits; PRN_E_LIMIT: another process holds the mark
 */
#define PRN_RESHARD_NOTE_BYTES 80
int prn_reshard_note_read(const struct prn_reshard *reshard, const char *key, char text[PRN_RESHARD_NOTE_BYTES], struct prn_error *error);
int prn_reshard_note_put(struct prn_reshard *reshard, const char *key, const char *text, struct prn_error *error);

/* Notes that the old store was written to.  Returns PRN_E_BUSY, with a text that says what to do about it. */
int prn_reshard_was_written_to(struct prn_reshard *reshard, struct prn_error *error);

/* Checks that all shards of the old store, if it has any, were moved and still have the versions that were.  PRN_E_BUSY; errors of views */
int prn_reshard_check_shards(struct prn_reshard *reshard, struct prn_error *error);

/* How far an old shard has come. */
struct prn_reshard_progress {
	bool begun, done;
	struct prn_digest key; /* of the last page that was moved, if the shard has begun and is not done; zero: none was */
};

/* _read reads how far an old shard has come, and _note commits it.  PRN_E_BUSY: the shard had another version.  Errors of views and commits */
int prn_reshard_progress_read(struct prn_reshard *reshard, const struct prn_reshard_source *source, struct prn_reshard_progress *progress,
                              struct prn_error *error);
int prn_reshard_progress_note(struct prn_reshard *reshard, const struct prn_reshard_source *source, const struct prn_reshard_progress *progress,
                              struct prn_error *error);

/*
 * Moves the records that belong to one old shard alone (reshard_parts.c).  Errors of views and commits; PRN_E_DAMAGED: a page
 * cannot be read
 */
prn_reshard_source_fn prn_reshard_source_move;

/*
 * Merges what several old shards have in common into new shards and, for the root, into a batch of the root (reshard_merged.c).
 * Errors of views and commits
 */
int prn_reshard_merge(struct prn_reshard *reshard, struct prn_batch *root, struct prn_error *error);

/*
 * Writes the new store's settings, the lists of its shards and their loads, and then puts the root in place, which makes all of
 * them a store (reshard_root.c).  Errors likewise
 */
int prn_reshard_finish(struct prn_reshard *reshard, struct prn_error *error);

#endif
