/*
 * A capture: what one attempt to fetch a page brought.
 */
#ifndef PERENNIAL_CAPTURE_H
#define PERENNIAL_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values are written in traces: they never change. */
enum prn_kind {
	PRN_KIND_CONTENT = 0,  /* 200, 203; 204 as empty content; a revisit of content */
	PRN_KIND_SAME = 1,     /* 304, or a revisit server-not-modified: divergence 0 */
	PRN_KIND_REDIRECT = 2, /* other 3xx: its content is its Location, one fragment */
	PRN_KIND_GONE = 3,     /* 404, 410 */
	PRN_KIND_REFUSED = 4,  /* 401, 403, 429, 451 */
	PRN_KIND_ERROR = 5,    /* other 4xx, 5xx, 206, status 0, a transfer cut short */
	PRN_KIND_MISSING = 6,  /* a dated folder lacks the page, or a revisit could not be resolved */
};

#define PRN_KINDS 7

/* "content", "same", …: the words used in every output; "?" for any other value.  Static. */
const char *prn_kind_name(enum prn_kind kind);

/* The kind of a complete HTTP response with this status (0: no response). */
enum prn_kind prn_kind_of_status(int status);

/* Whether a capture of this kind enters profiles: content, same, redirect (doc/theory.md §4). */
static inline bool prn_kind_is_observation(enum prn_kind kind)
{
	return kind == PRN_KIND_CONTENT || kind == PRN_KIND_SAME || kind == PRN_KIND_REDIRECT;
}

/* Whether it brings content of its own: content, redirect. */
static inline bool prn_kind_has_content(enum prn_kind kind)
{
	return kind == PRN_KIND_CONTENT || kind == PRN_KIND_REDIRECT;
}

#ifdef __cplusplus
}
#endif

#endif
