/*
 * What is said of how often pages change (a sitemap's <changefreq>, Cache-Control's max-age, an RSS feed's <ttl>), for an
 * evaluation: as it was written down, or made up from what the pages really did.  Immutable once opened, shared by threads.
 */
#ifndef PERENNIAL_RATE_LOG_H
#define PERENNIAL_RATE_LOG_H

#include <stddef.h>

#include "perennial/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_rate_log;

/*
 * Reads a file of hints (hint.h): a sitemap with <changefreq>, or JSON lines with "period" or "changefreq".  The last that is said
 * of a page counts.  Pages that are not there are no fault, and what is said of them counts in the mean.
 *
 * PRN_E_INPUT	it is none of these, or says of no page how often it changes
 * PRN_E_IO	cannot be opened or read
 * PRN_E_MEMORY
 */
int prn_rate_log_read(struct prn_rate_log **out, const char *path, struct prn_error *error);

struct prn_pages;

/* Of all the pages of which something was read, how many are among these.  0 of 0: it is made up.  PRN_E_MEMORY */
int prn_rate_log_match(const struct prn_rate_log *log, const struct prn_pages *pages, size_t *known, size_t *all);

/*
 * Makes it up, by a specification "key=value:key=value", each key at most once:
 *
 *	error=S		what is said is true but for a factor of e^x, x normal with this standard deviation (default 0.7: a
 *			factor of two)
 *	share=P		it is said of this share of the pages (1)
 *	blind=B		1: it has nothing to do with how often the page changes (0)
 *	seed=N		of what is drawn (1)
 *
 * PRN_E_ARGUMENT	there is no such key, or a value does not fit; the text says what does
 * PRN_E_MEMORY
 */
int prn_rate_log_synthesize(struct prn_rate_log **out, const char *specification, struct prn_error *error);

void prn_rate_log_free(struct prn_rate_log *log);

#ifdef __cplusplus
}
#endif

#endif
