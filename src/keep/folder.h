/*
 * The files of a folder of kept bodies, one by one: what stands under a name is looked at before it is read.
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
	uint64_t bytes_most;    /* 0: who only forgets, or looks */
	atomic_ulong drafts;    /* so many were begun: each has a name of its own */
	pthread_mutex_t room;   /* held by who makes it */
	pthread_mutex_t lock;   /* of all below, and of what stands under names */
	struct keep_counts counts; /* of who writes */
	uint64_t drafted;          /* bytes of drafts: room was found for them */
	uint64_t changes;          /* of what is there */
};

/* A file of a body, as its name and the system tell of it. */
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
 * What the system tells of a body's file.  PRN_E_NOT_FOUND: there is none; PRN_E_INPUT: what is there is no regular file; PRN_E_IO
 */
int keep_file_look(const struct keep *keep, const char *name, struct keep_file *file, struct prn_error *error);

/*
 * Reads a file to its end, or at most so many bytes of it, to the end of out.
 *
 * PRN_E_NOT_FOUND	as above
 * PRN_E_INPUT	as above, or it is longer than that of any body
 * PRN_E_IO, PRN_E_MEMORY
 */
int keep_file_read(const struct keep *keep, const char *name, size_t most, struct prn_buffer *out, struct prn_error *error);

/* Takes it away; that it is not there is no error.  PRN_E_IO */
int keep_file_remove(const struct keep *keep, const char *name, struct prn_error *error);

/*
 * Calls visit for every body's file, in no order.  parts: takes away, too, what was being written by who is gone.
 *
 * PRN_E_IO, PRN_E_MEMORY, and what visit returns that is not 0
 */
typedef int keep_visit_fn(void *context, const struct keep_file *file, struct prn_error *error);
int keep_folder_visit(const struct keep *keep, bool parts, keep_visit_fn *visit, void *context, struct prn_error *error);

/*
 * Finds room for a draft of so many bytes, which has it until _leave_room: takes the eldest away where there would be more than the
 * bound, until an eighth of it is free beside all drafts.  Who places and forgets meanwhile waits for one file at most, who wants
 * room for the whole of it.
 *
 * PRN_E_IO, PRN_E_MEMORY: there is none
 */
int keep_make_room(struct keep *keep, uint64_t bytes, struct prn_error *error);
void keep_leave_room(struct keep *keep, uint64_t bytes);

#endif
