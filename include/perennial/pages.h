/* Pages with their histories, from one trace or from many: measurements are made on them, and policies are judged on them. */
#ifndef PERENNIAL_PAGES_H
#define PERENNIAL_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/hint_log.h"
#include "perennial/page.h"
#include "perennial/part.h"
#include "perennial/rate_log.h"
#include "perennial/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Pages that join a site late.  Of each site, that is the n pages of one host in one corpus, this share, ⌊share n⌋ pages
 * drawn by the seed, joins midway: as if the first half of the captures of its life had not been made.  These pages are
 * judged, with what their policies heard of the others (siblings.h); the others are only watched.  With a share of 0 none
 * joins late and all are judged.
 */
struct prn_late {
	double share; /* in [0, 1) */
	uint64_t seed;
};

/*
 * Pages by index.  read is called from several threads at once; url and corpus are too.
 * A page without url belongs to no host.
 */
struct prn_pages {
	size_t count;
	size_t corpora; /* corpus(i) < corpora */
	void *context;
	const char *(*url)(void *context, size_t i); /* normal form, or NULL */
	size_t (*corpus)(void *context, size_t i);
	int (*read)(void *context, size_t i, struct prn_page *page, struct prn_error *error);
	const struct prn_hint_log *hints; /* what policies hear of the pages where they are judged; NULL: nothing */
	const struct prn_rate_log *rates; /* what policies are told of how often the pages change; NULL: nothing */
	double mean_bytes; /* > 0: visits cost the bytes that they bring, in units of these (prn_pages_mean_bytes); 0: each costs one */
	const struct prn_late *late; /* which pages join a site that is watched already; NULL: each page is judged by itself */
	/*
	 * Which part of all pages these are (part.h), all zero: all of them.  Of a part, results hold what it takes to join them
	 * to those of the whole (partial.h), and one without any page that can be judged has them too.
	 */
	struct prn_part part;
	double look_cost; /* of a visit to a page whose bytes did not change, in fetches, in (0, 1]; 0 as 1 */
};

/*
 * What the bootstrap draws: hosts, so that pages of one site, which change together, stay together.  Pages of
 * one single host, or of none, are drawn page by page; of more hosts than this, those of a slot (part.h) are one.
 */
#define PRN_CLUSTERS 4096

/* Traces pooled: corpus i is trace i.  The arrays are borrowed for as long as the pages are used. */
struct prn_trace_pool {
	const struct prn_trace *const *traces; /* [count] */
	size_t *starts;                        /* [count + 1], owned */
	size_t count;
};

/* Fills *pages, whose context is *pool.  PRN_E_MEMORY, PRN_E_LIMIT: more pages than a size_t counts. */
int prn_trace_pool_init(struct prn_trace_pool *pool, const struct prn_trace *const *traces, size_t count,
                        struct prn_pages *pages);
void prn_trace_pool_release(struct prn_trace_pool *pool);

#define PRN_PAGES_HEAD_BYTES 400.0 /* that a visit brings beside the body: of a request and of an answer's head */

/*
 * The bytes of a visit to pages, in the mean over the captures of each life (life.h) after the first, and W-weighted over pages: to
 * fetch every capture of all pages costs 1 in units of it.  Pages whose bytes are not known are passed over.
 * threads may be 0: all processors.
 *
 * PRN_E_UNSUPPORTED	there are no others: traces of before have no bytes
 * PRN_E_MEMORY, and the errors of pages->read
 */
int prn_pages_mean_bytes(const struct prn_pages *pages, size_t threads, double *mean, struct prn_error *error);

/*
 * The pages that are in a part, *members [*count] in their order, which the caller frees.  PRN_E_MEMORY
 */
int prn_pages_in_part(const struct prn_pages *pages, const struct prn_part *part, size_t **members, size_t *count);

/* Other pages, which are borrowed, with weights of a file. */
struct prn_pages_weighed {
	const struct prn_pages *whole;
	double *weights; /* [whole->count], owned; 0: as its history says */
};

/* What a file of weights holds. */
struct prn_weights_counts {
	size_t urls;       /* different ones */
	size_t known;      /* of these, those of pages here */
	uint64_t repeated; /* lines of a URL that a line before has: the last counts */
};

/*
 * Fills *pages, whose context is *weighed: a page for which path has a line "URL weight" weighs that, whatever its history
 * says.  Lines that are empty or begin with "#" are passed over.
 *
 * PRN_E_IO	it cannot be opened or read
 * PRN_E_INPUT	a line is not a URL and a number above 0, at most PRN_WEIGHT_MOST; the text has its number
 * PRN_E_MEMORY
 */
int prn_pages_weigh(struct prn_pages_weighed *weighed, const struct prn_pages *whole, const char *path, struct prn_pages *pages,
                    struct prn_weights_counts *counts, struct prn_error *error);
void prn_pages_weighed_release(struct prn_pages_weighed *weighed); /* all zero bytes are none */

/*
 * Some of other pages, or all, with their histories from a later start on: as if the first `later` captures of a page's life
 * (prn_page_life) had not been made, and the next observation were its acquisition.  A page whose life is shorter has no
 * content at all.  whole and members are borrowed for as long as the part is used.
 */
struct prn_pages_part {
	const struct prn_pages *whole;
	const size_t *members; /* [count of the part] indices in whole; NULL: all of it */
	size_t later;
};

/* Fills *pages, whose context is *part: page i is members[i] of whole.  count is ignored where members is NULL. */
void prn_pages_part_init(struct prn_pages_part *part, const struct prn_pages *whole, const size_t *members, size_t count,
                         size_t later, struct prn_pages *pages);

#ifdef __cplusplus
}
#endif

#endif
