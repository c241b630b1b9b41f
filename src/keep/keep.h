/*
 * A folder with the last two bodies of each page, of those that were another than the one before: what `perennial show` draws
 * of a page of a store.  It is a convenience beside the store, which needs none of it.
 *
 * A body is a file of its own (body.h), named by the digest of its page's URL and ".0" or ".1": the two take turns, and which is
 * the later one its own time says.  So a body comes into its place by one rename, in the place of the elder: whoever is killed, or
 * finds the disk full, leaves the two as they were, or has replaced one.  What was being written beside is taken away by the next who opens the
 * folder to write.  What is no regular file under such a name, a link or a pipe, is never read, followed or counted.
 *
 * Files take whole blocks of KEEP_BLOCK bytes, and are counted so.  Where a body would be more than the bound those go whose
 * captures are eldest, until an eighth of it is free with that body: the time of a file is that of its capture.
 */
#ifndef KEEP_KEEP_H
#define KEEP_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keep/body.h"

#define KEEP_BYTES ((size_t)1 << 30) /* of all bodies, unless told otherwise */
#define KEEP_BLOCK 4096
#define KEEP_LAST 2 /* bodies of a page */

struct keep;

struct keep_counts {
	uint64_t bodies, bytes; /* bytes: in whole blocks */
};

/*
 * The folder where the bodies of a store's pages are: given, if that is not NULL; else one within the store's own.  The caller frees
 * *folder.
 *
 * PRN_E_ARGUMENT	the store has no folder, and none is given
 * PRN_E_MEMORY
 */
int keep_place(const char *store, const char *given, char **folder, struct prn_error *error);

/*
 * Opens a folder to keep at most so many bytes in it; it is made if there is none.  Used by any number of threads at a time, but by one
 * process.  bytes_most is 0 for who only forgets: nothing is swept then, and no folder is made.
 *
 * PRN_E_NOT_FOUND	bytes_most is 0, and there is none
 * PRN_E_ARGUMENT	others than its owner may look into it; or it is a link
 * PRN_E_BUSY	another process keeps bodies there
 * PRN_E_IO, PRN_E_MEMORY
 */
int keep_open(struct keep **out, const char *folder, uint64_t bytes_most, struct prn_error *error);

/* Opens it to look, beside whoever writes.  PRN_E_NOT_FOUND: there is none; and as above, but PRN_E_BUSY */
int keep_open_read(struct keep **out, const char *folder, struct prn_error *error);

/* NULL is fine. */
void keep_free(struct keep *keep);

/* A body that was reported; borrowed. */
struct keep_report {
	const char *url;  /* in its normal form */
	int64_t time;     /* Unix seconds */
	const char *type; /* the Content-Type; NULL: none */
	const void *bytes; /* [length] */
	size_t length;
};

/* A body on its way: written, durable, and not yet in its place. */
struct keep_draft {
	char part[64];         /* the file; "": there is none, for it is the body that is kept already, or was placed or dropped */
	char url[PRN_URL_BYTES + 1];
	struct prn_digest digest;
	int64_t time;
	uint64_t bytes; /* in whole blocks */
	bool placed;
};

/*
 * Writes a body beside the others, for which it makes room; a body that is the page's last one is not written again.  Here is what
 * takes time: whoever places it waits for none of this.  *draft is to be placed or dropped, also after a failure.
 *
 * PRN_E_LIMIT	the body alone is more than may be kept
 * PRN_E_IO	the system refuses, or the disk is full
 * PRN_E_MEMORY
 */
int keep_draft(struct keep *keep, const struct keep_report *report, struct keep_draft *draft, struct prn_error *error);

/*
 * Puts it in its place, the last of its page from here on; a body that is not later than the last one is dropped.
 *
 * PRN_E_IO	the two stay as they were
 * PRN_E_MEMORY
 */
int keep_place_draft(struct keep *keep, struct keep_draft *draft, struct prn_error *error);
void keep_drop_draft(struct keep *keep, struct keep_draft *draft);

/* Told of a body that cannot be kept, and why. */
typedef void keep_told_fn(void *context, const struct prn_error *error);

/*
 * Both at once, of any number: many together are made durable by one sync of the file system, where each by itself would wait for the
 * disk.  Those of a page in the order of their times.  PRN_E_MEMORY: none is kept
 */
int keep_put(struct keep *keep, const struct keep_report *reports, size_t count, keep_told_fn *told, void *context,
             struct prn_error *error);

/* The bodies of a page. */
struct keep_pair {
	struct keep_body bodies[KEEP_LAST]; /* [count] the later one last */
	size_t count;
	size_t unread;        /* what is damaged, of another page, or no file */
	struct prn_error why; /* the first was not read */
};

void keep_pair_init(struct keep_pair *pair);
void keep_pair_release(struct keep_pair *pair);

/* Reads them.  PRN_E_IO, PRN_E_MEMORY; that there is none is no error */
int keep_get(struct keep *keep, const char *url, struct keep_pair *pair, struct prn_error *error);

/* Whether anything has a name of the page's bodies; it may be damaged, or no file. */
bool keep_has(struct keep *keep, const char *url);

/* Takes a page's bodies away.  PRN_E_IO */
int keep_forget(struct keep *keep, const char *url, struct prn_error *error);

/*
 * Takes away the bodies of all pages of which leaves() says so, and what cannot be read.
 *
 * PRN_E_IO, PRN_E_MEMORY
 */
typedef bool keep_leaves_fn(void *context, const char *url);
int keep_forget_all(struct keep *keep, keep_leaves_fn *leaves, void *context, struct prn_error *error);

/* How many there are; of who only looks by a look at all of them.  PRN_E_IO, PRN_E_MEMORY */
int keep_count(struct keep *keep, struct keep_counts *counts, struct prn_error *error);

#endif
