/*
 * The history of one page as stripes: when it was captured, and in which captures each fragment was
 * present.  OP's figure 1 as numbers.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_PAGE_H
#define PERENNIAL_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/capture.h"
#include "perennial/digest.h"
#include "perennial/time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_MEDIA_BYTES 255 /* of a media type's name; what is longer is cut */

struct prn_page_capture {
	int64_t time;     /* strictly ascending within a page */
	int64_t modified; /* Last-Modified, or PRN_TIME_UNKNOWN */
	enum prn_kind kind;
	uint32_t body;       /* 1 + the first capture of the page with the same bytes; 0: not known, and of none before either */
	uint64_t body_bytes; /* how many; 0 where body is */
	/*
	 * Of the first capture with a body: the payload digest that a capture with it told (source.h), by which revisits find it;
	 * zero: none, and of all other captures.
	 */
	struct prn_digest payload;
	uint32_t media; /* of content: 1 + where in the page's media its type begins; 0: none was told, or it is not known */
};

/* Captures from … to-1. */
struct prn_run {
	uint32_t from, to;
};

/*
 * One fragment: its runs are runs[first] … runs[first + count - 1], ascending, disjoint, not adjacent.
 * Stripes may share their runs; in a page read from a trace exactly those that are equal do, so that
 * first tells run patterns apart.
 */
struct prn_stripe {
	uint64_t hash;
	uint32_t first, count;
};

/*
 * Owns its arrays: _init, then fill (prn_trace_page does), then _release.  Stripes are ordered by the
 * start of their first run, then by hash.
 *
 * A capture that brought no content of its own (same, gone, refused, error, missing) has the fragments
 * of the capture before it: runs go on through it; before the first content there are none.
 * So it is with its body.
 */
struct prn_page {
	char *url; /* as first captured, NUL-terminated */
	double weight; /* > 0 and at most PRN_WEIGHT_MOST (source.h) */
	struct prn_page_capture *captures;
	struct prn_stripe *stripes;
	struct prn_run *runs;
	size_t capture_count, stripe_count, run_count;
	size_t url_capacity, capture_capacity, stripe_capacity, run_capacity;
	/*
	 * Where the page leads, as of one of its captures with content, the latest of which it is known: the low halves of the keys
	 * (url.h) of the pages that its links name, each once, ascending, and not its own.
	 */
	uint64_t *links;
	size_t link_count, link_capacity;
	uint32_t linked; /* 1 + that capture; 0: not known, and then there are none */
	/*
	 * The media types of content, each once, ascending, and ended by NUL: at most PRN_MEDIA_BYTES visible characters of ASCII, in
	 * lower case and without parameters.
	 */
	char *media;
	size_t media_length, media_capacity;
};

void prn_page_init(struct prn_page *page);
void prn_page_release(struct prn_page *page);

/* The media type that was told of a capture's content, or NULL; valid as long as the page is as it is. */
const char *prn_page_media(const struct prn_page *page, size_t capture);

/*
 * A page's own life (doc/theory.md §8): *first is its first capture with content (content or redirect), *last
 * the last one before it is gone for good (the captures after it, to the end, are gone or missing).
 * Returns 0, or PRN_E_NOT_FOUND when there is no content at all.
 */
int prn_page_life(const struct prn_page *page, size_t *first, size_t *last);

/*
 * Makes it as if the first `later` captures of the page's life had not been made: the next one that was an observation is its
 * first content.  A page whose life is shorter has no content at all.
 */
void prn_page_start_later(struct prn_page *page, size_t later);

#ifdef __cplusplus
}
#endif

#endif
