/*
 * Hints on page histories (hints.h), for an evaluation: as they were written down, or made up from what the pages
 * really did.  Immutable once opened, shared by threads.
 */
#ifndef PERENNIAL_HINT_LOG_H
#define PERENNIAL_HINT_LOG_H

#include <stddef.h>

#include "perennial/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_hint_log;

/*
 * Reads a file of JSON lines, an object a line: "url", "time" ("2026-05-10T12:00:00Z", or Unix seconds; where it is
 * missing "lastmod") and "source" (any text; one for all where it is missing); other members and empty lines are passed
 * over.  Or a sitemap or feed (hint.h), of which each entry that tells when its page changed is a hint of then.  Hints for
 * pages that are not there, or from before they were acquired, are no fault.
 *
 * PRN_E_IO	cannot be opened or read
 * PRN_E_INPUT	a line is not such an object; or a document says of no page when it changed; the text says which and why
 * PRN_E_MEMORY
 */
int prn_hint_log_read(struct prn_hint_log **out, const char *path, struct prn_error *error);

/* How many of them are not heard: those of sources of a host of which PRN_HOST_SOURCES (hints.h) others spoke before. */
size_t prn_hint_log_unheard(const struct prn_hint_log *log);

struct prn_pages;

/* Of all the hints that were read, how many are of pages among these.  0 of 0: they are made up.  PRN_E_MEMORY */
int prn_hint_log_match(const struct prn_hint_log *log, const struct prn_pages *pages, size_t *known, size_t *all);

/*
 * Makes hints up, one source for all, by a specification "key=value:key=value", each key at most once:
 *
 *	recall=R	a change is told with this probability, when a capture first has it (default 1)
 *	precision=P	of a page's hints the share that tell a change; the others come at any time of its life (1)
 *	delay=D		hints come that much later, clock units (0)
 *	noise=N		besides, hints at random, N per clock unit, whatever the page does (0)
 *	every=K		besides, a hint at every K-th capture, 0: none (0)
 *	seed=N		of what is drawn (1)
 *
 * PRN_E_ARGUMENT	there is no such key, or a value does not fit; the text says what does
 * PRN_E_MEMORY
 */
int prn_hint_log_synthesize(struct prn_hint_log **out, const char *specification, struct prn_error *error);

void prn_hint_log_free(struct prn_hint_log *log);

#ifdef __cplusplus
}
#endif

#endif
