/* Parses the changes of files in the output of `git log --raw -z --no-abbrev --format='commit %H %ct'`. */
#ifndef ARCHIVE_GIT_LOG_H
#define ARCHIVE_GIT_LOG_H

#include "archive/input.h"
#include "base/buffer.h"

#define PRN_GIT_PATH_BYTES ((size_t)32 << 10) /* bytes of the longest path that is reported in full */
#define PRN_GIT_ID_BYTES 64                   /* digits of an object name by SHA-256; SHA-1 has 40 */
#define PRN_GIT_CHANGES 10000000              /* changes of one commit, at most: a few objects with nested folders may expand to any number */

/* The kind of object at a path, by its mode. */
enum prn_git_thing {
	PRN_GIT_NOTHING,
	PRN_GIT_FILE,
	PRN_GIT_LINK,
	PRN_GIT_SUBMODULE,
	PRN_GIT_OTHER,
};

struct prn_git_change {
	int64_t time;                   /* when the commit was made */
	enum prn_git_thing before, now; /* what was at the path, and what is there now */
	bool is_same;                   /* the content is the same */
	char id[PRN_GIT_ID_BYTES + 1];  /* name of the object there now; for a commit without a time, its own */
	const char *path;               /* any bytes but NUL; valid until the next call.  NULL: a commit without a time */
	bool is_cut;                    /* the path has more than PRN_GIT_PATH_BYTES */
};

/* All zero bytes initially, except read, context and changes_most; the owner releases its buffers. */
struct prn_git_log {
	prn_input_read_fn *read;
	void *context;
	uint64_t changes_most;   /* limit for one commit: PRN_GIT_CHANGES */
	struct prn_buffer bytes; /* bytes read, of which those before at are used */
	size_t at;
	bool ended, has_time;
	int64_t time;            /* of the current commit, or of the last one that had a time */
	uint64_t changes;        /* changes of the current commit so far */
	char id[PRN_GIT_ID_BYTES + 1]; /* its name */
	struct prn_buffer entry, path;
};

void prn_git_log_release(struct prn_git_log *log);

/*
 * Reads the next change: 1, or 0 at the end.  A commit without a time, or with one outside the years 1 to 9999,
 * is returned in place of its changes.
 *
 * PRN_E_INPUT	not such a log, or a commit changes more than changes_most files: the end
 * PRN_E_TRUNCATED	it ends within a change
 * PRN_E_MEMORY, and errors of read
 */
int prn_git_log_next(struct prn_git_log *log, struct prn_git_change *change, struct prn_error *error);

#endif
