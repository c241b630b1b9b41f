/*
 * In which order a crawler takes the pages that it has heard of, and how soon the important ones are among those that it has
 * (Cho ch. 2).
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_ORDERING_H
#define PERENNIAL_ORDERING_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A crawl begins with one page, and hears of those that the pages link to which it has taken; of these it takes next
 *
 * BREADTH	the one of which it heard first
 * RANDOM	any, drawn by the seed
 * BACKLINK	the one that most of the pages taken so far link to
 * PAGERANK	the one with the highest PageRank in the graph of the links that it knows (importance.h, damping 0.85), computed anew
 *		whenever it has taken as many pages more as it had then, or a hundredth of all
 * LOCATION	the one with the shortest path (importance.h)
 * IDEAL	not a crawl: all pages, the most important one first
 *
 * and of several that are equal the one of which it heard first.  Where it has heard of none that is left, it begins anew with
 * the first page that is left.
 */
enum prn_ordering {
	PRN_ORDERING_BREADTH,
	PRN_ORDERING_RANDOM,
	PRN_ORDERING_BACKLINK,
	PRN_ORDERING_PAGERANK,
	PRN_ORDERING_LOCATION,
	PRN_ORDERING_IDEAL,
};

#define PRN_ORDERINGS 6

/* "breadth", "random", "backlink", "pagerank", "location", "ideal"; "?" for any other value.  Static. */
const char *prn_ordering_name(enum prn_ordering ordering);

/*
 * Writes to order all pages of the graph as the crawl takes them, from start on.  importance is asked by IDEAL alone.  *begun, unless
 * NULL, is how often the crawl began, at least 1 (of IDEAL 0).
 *
 * PRN_E_ARGUMENT	there is no page start; or LOCATION of a page without URL
 * PRN_E_MEMORY
 */
int prn_ordering_crawl(enum prn_ordering ordering, const struct prn_graph *graph, const double *importance, size_t start, uint64_t seed,
                       uint32_t *order, size_t *begun);

/*
 * How good a crawl is that stops after K pages, 1 <= K <= pages:
 *
 * *stop	P_CS, crawl and stop: the share of these K that are as important as the K-th most important page (the ideal: 1)
 * *threshold	P_ST, crawl and stop with threshold: the share of the hot pages that are among these K, hot being those as
 *		important as the hot-th most important one (the ideal: K/H until it is 1, H the number of hot pages)
 *
 * PRN_E_ARGUMENT	K or hot is not from 1 to pages
 * PRN_E_MEMORY
 */
int prn_ordering_score(const uint32_t *order, const double *importance, size_t pages, size_t k, size_t hot, double *stop,
                       double *threshold);

#ifdef __cplusplus
}
#endif

#endif
