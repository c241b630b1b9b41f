/*
 * Content of pages of other parts that revisits of a part of the pages (part.h) repeat.  The captures of those
 * pages are skipped in the first pass over the sources.  If any revisit may repeat one of them, the sources are
 * read again for the content that is sought, and a third time for content that revisits on other hosts repeat,
 * if a reference by date led to such.  So the revisits of a part have the same content as in an import of
 * everything, in constant memory.
 */
#ifndef HISTORY_ELSEWHERE_H
#define HISTORY_ELSEWHERE_H

#include <stdbool.h>

#include "history/digest_filter.h"
#include "perennial/import.h"

enum prn_reading_pass {
	PRN_PASS_OWN,     /* takes the part's own captures */
	PRN_PASS_SOUGHT,  /* takes captures of other parts that revisits of the part may repeat, by digest or by place */
	PRN_PASS_REACHED, /* takes captures that the revisits found there may repeat, by digest */
	PRN_PASSES,
};

struct prn_elsewhere {
	struct prn_part part;            /* all zero: everything is imported, and nothing is elsewhere */
	struct prn_source_filter filter; /* the other conditions of the sources' filter */
	enum prn_reading_pass pass;
	struct prn_digest_filter payloads[PRN_PASSES]; /* sought in each pass; the first has none */
	struct prn_digest_filter places;               /* sought by URL and second, in the second pass */
	char **paths;                           /* paths of all sources */
	size_t path_count, path_capacity;
};

/* Initialises for the options' part and a small share of their memory.  PRN_E_MEMORY */
int prn_elsewhere_init(struct prn_elsewhere *elsewhere, const struct prn_import_options *options);
void prn_elsewhere_release(struct prn_elsewhere *elsewhere);

/* PRN_E_UNSUPPORTED: the source is neither a file nor a folder, and can be read only once. */
int prn_elsewhere_check(const char *path, struct prn_error *error);

/* Remembers a source that was opened.  PRN_E_MEMORY */
int prn_elsewhere_add(struct prn_elsewhere *elsewhere, const char *path);

/* The filter of a source: takes the captures of this pass. context is a struct prn_elsewhere. */
prn_wanted_fn prn_elsewhere_wants;

/* Tells whether a revisit referred to a capture of this page and time. */
bool prn_elsewhere_is_place(const struct prn_elsewhere *elsewhere, const char *normal_url, int64_t time);

/* Adds what a revisit repeats to what is sought in the next pass. payload and refers_to (a normal form) may be NULL. */
void prn_elsewhere_seek(struct prn_elsewhere *elsewhere, const struct prn_digest *payload, const char *refers_to,
                        int64_t refers_time);

/* Moves to the next pass; false: nothing is sought, and the sources need not be read again. */
bool prn_elsewhere_next_pass(struct prn_elsewhere *elsewhere);

#endif
