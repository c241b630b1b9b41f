/*
 * A web that is drawn: sites, pages and the links between them.
 *
 * The sizes of sites and the links that pages get follow power laws, as they do on the web.  Of the r-th site a page is with a
 * chance that falls as 1/r.  A link leads where one drawn before leads, or, once in eleven times, to any page, which has the share
 * of pages with k links to them fall as k^-2.1 (KR; 2.1 is what BK measured: doc/theory.md §17).  Links within a
 * site are drawn so among its own pages.  Beside these each site is a tree of pages, in whose URLs there are as many parts as it
 * takes steps from its first page, to which half of them link; and the first page of each site but one is linked to from that
 * of another.  So every page can be reached from page 0.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_WEB_H
#define PERENNIAL_WEB_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_WEB_PAGES 100000000
#define PRN_WEB_LINKS 1000

struct prn_web {
	size_t pages;  /* 1 … PRN_WEB_PAGES */
	size_t sites;  /* 1 … pages; their first pages are the first ones */
	double links;  /* of a page in the mean, 1 … PRN_WEB_LINKS, those that are told twice counted */
	double within; /* the share of these that stays within their site, in [0, 1] */
	uint64_t seed;
};

/* 10,000 pages on 100 sites, 10 links a page, 0.75 of them within their site, seed 1. */
#define PRN_WEB_DEFAULT ((struct prn_web){ 10000, 100, 10, 0.75, 1 })

/*
 * Draws it: the same numbers make the same web.  URLs are http://sNUMBER.example/….
 *
 * PRN_E_ARGUMENT	a number is outside of what it may be
 * PRN_E_MEMORY
 */
int prn_web_draw(const struct prn_web *web, struct prn_graph *graph, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
