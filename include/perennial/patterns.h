/*
 * What pages of each URL pattern were like in page histories, and what that leads to expect of a new page of it (siblings.h;
 * doc/theory.md §16).
 */
#ifndef PERENNIAL_PATTERNS_H
#define PERENNIAL_PATTERNS_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/life.h"
#include "perennial/pages.h"
#include "perennial/prior.h"
#include "perennial/siblings.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_pattern {
	char *host; /* as URLs have it */
	char *text; /* prn_url_pattern */
	size_t pages;
	uint64_t visits; /* captures of their lives */
	double drift;    /* that a new page of it is expected to, > 0, divergence per clock unit */
};

struct prn_patterns {
	struct prn_pattern *list; /* [count] by host, and by text within one */
	size_t count;
};

/*
 * Learns them from all pages that have a URL and PRN_LIFE_CAPTURES captures in their lives, each over its whole life; hosts are
 * shrunk to the prior.  *patterns is filled and owned by the caller until _release.  threads may be 0: all processors.
 *
 * PRN_E_MEMORY, and the errors of pages->read
 */
int prn_patterns_learn(struct prn_patterns *patterns, const struct prn_pages *pages, const struct prn_prior *prior,
                       enum prn_clock clock, size_t threads, struct prn_error *error);
void prn_patterns_release(struct prn_patterns *patterns);

#ifdef __cplusplus
}
#endif

#endif
