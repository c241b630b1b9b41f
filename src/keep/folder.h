/*
 * The files in a folder of kept bodies.  Each one is checked before it is read.
 */
#ifndef KEEP_FOLDER_H
#define KEEP_FOLDER_H

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>

#include "keep/keep.h"

#define KEEP_NAME 35 /* 32 digits, ".0" or ".1", NUL */

struct keep {
	char *path;  /* for messages */
	int folder;  /* descriptor */
	bool writes;
	uint64_t bytes_most;    /* 0: bodies are only read, or removed */
	atomic_ulong drafts;    /* how many were begun: each has a name of its own */
	pthread_mutex_t room;   /* held by the thread that makes room */
	pthread_mutex_t lock;   /* protects everything below, and the files */
	struct keep_counts counts; /* if the folder is open for writing */
	uint64_t drafted;          /* bytes of drafts that have room */
	uint64_t changes;          /* how often a file was placed or removed */
};

/* The file of a body: its name, and what the system says of it. */
struct keep_file {
	char name[KEEP_NAME];
	int64_t time;
	uint64_t bytes; /* in whole blocks */
};

/* The name of the i-th file of a page; returns name. */
char *keep_file_name(const char *url, unsigned i, char name[KEEP_NAME]);

/* Bytes in whole blocks. */
uint64_t keep_blocks(uint64_t bytes);

/*
 * Looks at the file of a body.  PRN_E_NOT_FOUND: there is none; PRN_E_INPUT: it is no regular file; PRN_E_IO
 */
int keep_file_look(const struct keep *keep, const char *name, struct keep_file *file, struct prn_error *error);

/*
 * Appends the content of a file, at most so many bytes of it, to out.
 *
 * PRN_E_NOT_FOUND	as above
 * PRN_E_INPUT	as above, or it is longer than that of any body
 * PRN_E_IO, PRN_E_MEMORY
 */
int keep_file_read(const struct keep *keep, const char *name, size_t most, struct prn_buffer *out, struct prn_error *error);

/* Removes a file; it is no error if there is none.  PRN_E_IO */
int keep_file_remove(const struct keep *keep, const char *name, struct prn_error *error);

/*
 * Calls visit for the file of every body, in no particular order.  parts: unfinished files, whose writers have ended, are removed.
 *
 * PRN_E_IO, PRN_E_MEMORY, and what visit returns that is not 0
 */
typedef int keep_visit_fn(void *context, const struct keep_file *file, struct prn_error *error);
int keep_folder_visit(const struct keep *keep, bool parts, keep_visit_fn *visit, void *context, struct prn_error *error);

/*
 * Takes room for a draft of so many bytes, which has it until _leave_room.  If there would be more than the bound, the oldest bodies
 * are removed until an eighth of the bound is free beside all drafts.  A thread that places or forgets a body meanwhile waits for one
 * file at most; one that needs room waits until all is done.
 *
 * PRN_E_IO, PRN_E_MEMORY: there is none
 */
int keep_make_room(struct keep *keep, uint64_t bytes, struct prn_error *error);
void keep_leave_room(struct keep *keep, uint64_t bytes);

#endif
