/*
 * A folder with the last two bodies of each page, not counting a body that equals the one before it.  `perennial show` compares them.
 * The folder is a convenience: the store does not need it.
 *
 * Each body is a file (body.h), named by the digest of its page's URL and ".0" or ".1".  The two take turns, and their times say which
 * is the later one.  So one rename puts a body in the place of the older one: a process that is killed, or finds the disk full, leaves
 * both as they were, or has replaced one.  Unfinished files are removed by the next process that opens the folder for writing.
 * Anything else than a regular file under such a name, a link or a pipe, is never read, followed or counted.
 *
 * Files are counted in whole blocks of KEEP_BLOCK bytes.  If a body would exceed the bound, the bodies with the oldest captures are
 * removed until an eighth of the bound is free with that body.  The time of a file is that of its capture.
 */
#ifndef KEEP_KEEP_H
#define KEEP_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keep/body.h"

#define KEEP_BYTES ((size_t)1 << 30) /* the usual bound on all bodies */
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
 * Opens a folder for at most bytes_most bytes of bodies, and makes it if there is none.  Any number of threads may use it at a time, but
 * only one process.  bytes_most 0: bodies are only to be removed; none is removed to make room, and no folder is made.
 *
 * PRN_E_NOT_FOUND	bytes_most is 0, and there is none
 * PRN_E_ARGUMENT	others than its owner may look into it; or it is a link
 * PRN_E_BUSY	another process keeps bodies there
 * PRN_E_IO, PRN_E_MEMORY
 */
int keep_open(struct keep **out, const char *folder, uint64_t bytes_most, struct prn_error *error);

/* Opens a folder for reading, while another process may write to it.  PRN_E_NOT_FOUND: there is none; otherwise as above, without PRN_E_BUSY */
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
	char part[64];         /* the file; "": there is none, because the body is kept already, or the draft was placed or dropped */
	char url[PRN_URL_BYTES + 1];
	struct prn_digest digest;
	int64_t time;
	uint64_t bytes; /* in whole blocks */
	bool placed;
};

/*
 * Makes room for a body and writes it beside the others; a body that equals the page's last one is not written again.  This is what
 * takes time: whoever places the draft waits for none of it.  *draft must be placed or dropped, also after a failure.
 *
 * PRN_E_LIMIT	the body alone is more than may be kept
 * PRN_E_IO	the system refuses, or the disk is full
 * PRN_E_MEMORY
 */
int keep_draft(struct keep *keep, const struct keep_report *report, struct keep_draft *draft, struct prn_error *error);

/*
 * Puts a draft in its place as the last body of its page; one that is not later than the last body is dropped.
 *
 * PRN_E_IO	the two stay as they were
 * PRN_E_MEMORY
 */
int keep_place_draft(struct keep *keep, struct keep_draft *draft, struct prn_error *error);
void keep_drop_draft(struct keep *keep, struct keep_draft *draft);

/* Called for each body that cannot be kept, with the reason. */
typedef void keep_failed_fn(void *context, const struct prn_error *error);

/*
 * Drafts and places any number of bodies.  Many are made durable together by one sync of the file system, because each alone would wait
 * for the disk.  Those of one page must be in the order of their times.  PRN_E_MEMORY: none is kept
 */
int keep_put(struct keep *keep, const struct keep_report *reports, size_t count, keep_failed_fn *on_failure, void *context,
             struct prn_error *error);

/* The bodies of a page. */
struct keep_pair {
	struct keep_body bodies[KEEP_LAST]; /* [count], the later one last */
	size_t count;
	size_t unread;        /* files that are damaged, another page's, or not regular */
	struct prn_error why; /* why the first of these was not read */
};

void keep_pair_init(struct keep_pair *pair);
void keep_pair_release(struct keep_pair *pair);

/* Reads the bodies of a page; it is no error if there are none.  PRN_E_IO, PRN_E_MEMORY */
int keep_get(struct keep *keep, const char *url, struct keep_pair *pair, struct prn_error *error);

/* Whether anything has the name of one of the page's bodies; it may be damaged, or not a regular file. */
bool keep_has(struct keep *keep, const char *url);

/* Removes the bodies of a page.  PRN_E_IO */
int keep_forget(struct keep *keep, const char *url, struct prn_error *error);

/*
 * Removes the bodies of all pages for which leaves() returns true, and files that cannot be read.
 *
 * PRN_E_IO, PRN_E_MEMORY
 */
typedef bool keep_leaves_fn(void *context, const char *url);
int keep_forget_all(struct keep *keep, keep_leaves_fn *leaves, void *context, struct prn_error *error);

/* Counts the bodies; if the folder is open for reading, by looking at each of them.  PRN_E_IO, PRN_E_MEMORY */
int keep_count(struct keep *keep, struct keep_counts *counts, struct prn_error *error);

#endif
