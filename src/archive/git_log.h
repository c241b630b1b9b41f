/*
 * The changes of files that `git log --raw -z --no-abbrev --format='commit %H %ct'` writes.
 */
#ifndef ARCHIVE_GIT_LOG_H
#define ARCHIVE_GIT_LOG_H

#include "archive/input.h"
#include "base/buffer.h"

#define PRN_GIT_PATH_BYTES ((size_t)32 << 10) /* of the longest path that is told whole */
#define PRN_GIT_ID_BYTES 64                   /* of an object's name, by SHA-256; by SHA-1 there are 40 */
#define PRN_GIT_CHANGES 10000000              /* of one commit, at most: folders within each other may make any number of a few objects */

/* What a mode says that stands at a path. */
enum prn_git_thing {
	PRN_GIT_NOTHING,
	PRN_GIT_FILE,
	PRN_GIT_LINK,
	PRN_GIT_SUBMODULE,
	PRN_GIT_OTHER,
};

struct prn_git_change {
	int64_t time;                   /* of the commit: when it was committed */
	enum prn_git_thing before, now; /* what stood at the path, and stands there now */
	bool is_same;                   /* of the same content */
	char id[PRN_GIT_ID_BYTES + 1];  /* of what stands there now; of a commit that has no time, its own */
	const char *path;               /* any bytes but NUL; valid until the next call.  NULL: a commit that has no time */
	bool is_cut;                    /* … of which there are more than PRN_GIT_PATH_BYTES */
};

/* All zero bytes but read, context and changes_most to begin with; released by who has it. */
struct prn_git_log {
	prn_input_read_fn *read;
	void *context;
	uint64_t changes_most;   /* of one commit: PRN_GIT_CHANGES */
	struct prn_buffer bytes; /* read, of which those before at are used */
	size_t at;
	bool ended, has_time;
	int64_t time;            /* of the present commit, or of the last one that had a time */
	uint64_t changes;        /* of the present one, so far */
	char id[PRN_GIT_ID_BYTES + 1]; /* its name */
	struct prn_buffer entry, path;
};

void prn_git_log_release(struct prn_git_log *log);

/*
 * Reads the next change: 1, or 0 at the end.  A commit that has no time, or none between the years 1 and 9999, is told in place of its
 * changes.
 *
 * PRN_E_INPUT	it is not such a log, or a commit changes more than changes_most files: the end
 * PRN_E_TRUNCATED	it ends within a change
 * PRN_E_MEMORY, and errors of read
 */
int prn_git_log_next(struct prn_git_log *log, struct prn_git_change *change, struct prn_error *error);

#endif
