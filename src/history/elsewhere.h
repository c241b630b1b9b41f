/*
 * What revisits of a part of the pages (part.h) repeat of pages of other parts.  Those pages' captures are passed over in the
 * first reading of the sources; if any revisit may be of one, the sources are read again for what is looked for, and a third
 * time for what revisits at other hosts repeat, where a date led to such.  So a part's revisits have the content that they
 * have in an import of everything, for memory that does not grow.
 */
#ifndef HISTORY_ELSEWHERE_H
#define HISTORY_ELSEWHERE_H

#include <stdbool.h>

#include "history/sought.h"
#include "perennial/import.h"

enum prn_reading_pass {
	PRN_PASS_OWN,     /* the part's own captures */
	PRN_PASS_SOUGHT,  /* those of others that revisits of the part may repeat, by digest or by place */
	PRN_PASS_REACHED, /* and those that revisits found there may repeat, by digest */
	PRN_PASSES,
};

struct prn_elsewhere {
	struct prn_part part;            /* all zero: of everything nothing is elsewhere */
	struct prn_source_filter filter; /* what else the sources leave out */
	enum prn_reading_pass pass;
	struct prn_sought payloads[PRN_PASSES]; /* looked for in each pass; the first has none */
	struct prn_sought places;               /* of a URL and a second, in the second pass */
	char **paths;                           /* of all sources */
	size_t path_count, path_capacity;
};

/* For the options' part and in a small share of their memory.  PRN_E_MEMORY */
int prn_elsewhere_init(struct prn_elsewhere *elsewhere, const struct prn_import_options *options);
void prn_elsewhere_release(struct prn_elsewhere *elsewhere);

/* PRN_E_UNSUPPORTED: the source is no file or folder, and can be read only once. */
int prn_elsewhere_check(const char *path, struct prn_error *error);

/* Remembers a source that was opened.  PRN_E_MEMORY */
int prn_elsewhere_add(struct prn_elsewhere *elsewhere, const char *path);

/* The filter of a source: what this pass takes.  context is a struct prn_elsewhere. */
prn_wanted_fn prn_elsewhere_wants;

/* Whether a capture of this page, at this time, is one that a revisit referred to. */
bool prn_elsewhere_is_place(const struct prn_elsewhere *elsewhere, const char *normal_url, int64_t time);

/* Looks for what a revisit repeats, in the next pass.  payload and refers_to (normal form) may be NULL. */
void prn_elsewhere_seek(struct prn_elsewhere *elsewhere, const struct prn_digest *payload, const char *refers_to,
                        int64_t refers_time);

/* Goes on to the next pass; false: there is nothing to look for, and the sources need not be read again. */
bool prn_elsewhere_next_pass(struct prn_elsewhere *elsewhere);

#endif
