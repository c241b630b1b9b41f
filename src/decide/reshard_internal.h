/*
 * What the files of resharding (perennial/reshard.h) share.
 *
 *	reshard.c		the journey: what is begun, gone on with and put in place
 *	reshard_places.c	where what belongs, the new shards that are open, old ones as they are, and the notes of the mark
 *	reshard_parts.c		the records of one shard of the old store, each into the shard of the new one where it belongs
 *	reshard_merged.c	what several shards have of one thing: giants, sums
 *	reshard_root.c		what follows from all of it: loads, lists, the root
 *
 * The shards of the new store stand first, each under the number that its root is to have, which the mark has; then its root, which
 * makes a store of them.  Of a store without shards the one part is copied to its place in the end.
 *
 * The mark notes how far this has come, as settings: "made/N", that a new shard was made; "done/root" and "done/N", the version of the
 * old root and of an old shard, and behind that of the shard "all", or the key, 32 digits, up to which its pages were moved.  All that is
 * written again, because a process died before it was noted, is the same again.
 */
#ifndef DECIDE_RESHARD_INTERNAL_H
#define DECIDE_RESHARD_INTERNAL_H

#include "decide/giants.h"
#include "decide/shards.h"
#include "perennial/reshard.h"
#include "store/copy_mark.h"
#include "store/shards.h"

#define PRN_RESHARD_OPEN 64 /* new shards that are open at a time */

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
	struct prn_decider *from; /* the old one, opened for writing: others are kept away, and nothing is written */
	size_t from_count, count; /* shards */
	struct prn_decider to;    /* of the new one only which page is of which shard */
	struct prn_shards to_shards;
	char *giants;             /* as the new root is to have them; NULL: none */

	struct prn_copy_mark mark;
	struct prn_batch *notes;  /* of the mark */
	bool is_new;              /* the mark */
	unsigned char *made;      /* [count], enum prn_reshard_made */
	struct prn_reshard_part parts[PRN_RESHARD_OPEN];
	size_t next_part;         /* that is closed for another one */

	bool is_outdated;         /* the old store was written to since this began */
	bool all_counted;         /* all visits of the old store are in what its pages say of each other (schema.h) */
	uint64_t pages;           /* of the old store; known where progress is told */
	struct prn_resharded done;
};

/* An old shard, or the old store itself where it has none, as it is at one moment. */
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
 * Opens a new shard, and makes it if it is not there.  It is valid until PRN_RESHARD_OPEN others were asked for, or until
 * _close_parts.  What was staged in a shard that is closed is committed.  Errors of prn_shards_part_open and of commits
 */
int prn_reshard_part(struct prn_reshard *reshard, size_t place, struct prn_reshard_part **part, struct prn_error *error);
int prn_reshard_part_commit(struct prn_reshard *reshard, const struct prn_reshard_part *part, struct prn_error *error);
int prn_reshard_commit_parts(struct prn_reshard *reshard, struct prn_error *error);

/* Closes all new shards, and first commits them if there was no error before (code).  Returns code, or errors of commits */
int prn_reshard_close_parts(struct prn_reshard *reshard, int code, struct prn_error *error);

/*
 * Runs a function for each old shard.  It may be told that the shard's version must be that of before (PRN_E_BUSY).  A result
 * of run other than 0 ends it and is returned.
 */
typedef int prn_reshard_source_fn(struct prn_reshard *reshard, const struct prn_reshard_source *source, void *context, struct prn_error *error);
int prn_reshard_each_source(struct prn_reshard *reshard, prn_reshard_source_fn *run, void *context, struct prn_error *error);

/*
 * Reads or puts a note of the mark, "" where there is none.  _put also notes which shards were made.  Errors of views and
 * commits; PRN_E_LIMIT: somebody else has the mark
 */
#define PRN_RESHARD_NOTE_BYTES 80
int prn_reshard_note_read(const struct prn_reshard *reshard, const char *key, char text[PRN_RESHARD_NOTE_BYTES], struct prn_error *error);
int prn_reshard_note_put(struct prn_reshard *reshard, const char *key, const char *text, struct prn_error *error);

/* Returns PRN_E_BUSY, with a text that says what to do about it. */
int prn_reshard_was_written_to(struct prn_reshard *reshard, struct prn_error *error);

/* Whether all shards of the old store, if it has any, were moved and are of the versions that were.  PRN_E_BUSY; errors of views */
int prn_reshard_check_shards(struct prn_reshard *reshard, struct prn_error *error);

/* How far an old shard has come. */
struct prn_reshard_progress {
	bool begun, done;
	struct prn_digest key; /* of the last page that was moved, where it has begun and is not done; zero: none was */
};

/* Reads how far an old shard has come.  PRN_E_BUSY: the shard was of another version then.  Errors of views; of commits */
int prn_reshard_progress_read(struct prn_reshard *reshard, const struct prn_reshard_source *source, struct prn_reshard_progress *progress,
                              struct prn_error *error);
int prn_reshard_progress_note(struct prn_reshard *reshard, const struct prn_reshard_source *source, const struct prn_reshard_progress *progress,
                              struct prn_error *error);

/*
 * Moves the records that an old shard has to itself (reshard_parts.c).  Errors of views and commits; PRN_E_DAMAGED: a page
 * cannot be read
 */
prn_reshard_source_fn prn_reshard_source_move;

/*
 * Merges what several shards have of one thing into new shards and, for the root, into a batch of the root (reshard_merged.c).
 * Errors of views and commits
 */
int prn_reshard_merge(struct prn_reshard *reshard, struct prn_batch *root, struct prn_error *error);

/*
 * Writes the new store's settings, the lists of its shards and their loads, then what makes a store of all of them
 * (reshard_root.c).  Errors likewise
 */
int prn_reshard_finish(struct prn_reshard *reshard, struct prn_error *error);

#endif
