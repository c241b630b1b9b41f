/*
 * A crawl by many crawlers, each of which has a part of the pages: what it fetches twice, what it misses, and what the crawlers
 * have to tell each other (Cho ch. 3).
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_PARALLEL_CRAWL_H
#define PERENNIAL_PARALLEL_CRAWL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/graph.h"
#include "perennial/part.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a crawler does with a link to a page of another's part:
 *
 * FIREWALL	nothing
 * CROSS_OVER	it fetches that page itself when it has nothing of its own left to fetch, and goes on from there
 * EXCHANGE	it tells the other
 */
enum prn_crawl_mode {
	PRN_CRAWL_FIREWALL,
	PRN_CRAWL_CROSS_OVER,
	PRN_CRAWL_EXCHANGE,
};

#define PRN_CRAWL_MODES 3
#define PRN_CRAWLERS_MOST PRN_SLOTS

/* "firewall", "cross-over", "exchange"; "?" for any other value.  Static. */
const char *prn_crawl_mode_name(enum prn_crawl_mode mode);

/*
 * Crawlers fetch a page each in every round, in the order in which they heard of them.  They begin with pages drawn by the seed,
 * the same for any mode and number of crawlers, each with those of its part.
 */
struct prn_parallel_crawl {
	enum prn_crawl_mode mode;
	uint32_t crawlers;  /* 1 … PRN_CRAWLERS_MOST */
	bool by_page;       /* a page's part is that of the hash of its URL, and not of its host as in part.h */
	size_t start_pages; /* 1 …; more than there are pages are all */
	uint64_t seed;
};

/* Where the crawl is when it has the coverage asked for, or at its end. */
struct prn_parallel_reached {
	double coverage;  /* different pages fetched, of those that one crawler could reach from the same pages */
	double overlap;   /* pages fetched in vain, of the different ones: fetched/different - 1 */
	double exchanged; /* URLs told to others, each URL once by each crawler, a page fetched */
	double across;    /* links that lead to another's page, a page fetched */
	double speed;     /* different pages fetched a round, over crawlers: 1 is that none is idle or does what was done */
	uint64_t fetched, rounds;
};

/*
 * Writes to reached[count] for each of the coverages, in (0, 1] and ascending.  Links to pages that the crawler itself has heard
 * of count in across, and not in exchanged.
 *
 * PRN_E_ARGUMENT	a number is not what it may be, or coverages do not ascend; or the graph has no pages, or
 *			one without URL
 * PRN_E_MEMORY
 */
int prn_parallel_crawl(const struct prn_graph *graph, const struct prn_parallel_crawl *crawl, const double *coverages, size_t count,
                       struct prn_parallel_reached *reached, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
