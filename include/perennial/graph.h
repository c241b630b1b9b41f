/*
 * The web as a graph: pages by number, and which of them link to which.
 */
#ifndef PERENNIAL_GRAPH_H
#define PERENNIAL_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Page i links to to[to_starts[i]] … to[to_starts[i + 1] - 1], and is linked to by from[from_starts[i]] …: both ascending,
 * each page once, and never itself.  It owns its arrays: _init or _of_pages, then _release.
 */
struct prn_graph {
	size_t page_count, link_count;
	size_t *to_starts, *from_starts; /* [page_count + 1] */
	uint32_t *to, *from;             /* [link_count] */
	const char **urls;               /* [page_count] normal forms; each NULL where _init was given none */
	char *text;                      /* what urls point into; NULL: it is another's */
	size_t outside;                  /* links of these pages to others */
	size_t unknown;                  /* pages of which it is not known where they lead */
};

/*
 * A graph of links to[starts[i]] … to[starts[i + 1] - 1] of page i, in any order: those that are told twice, or of a page to
 * itself, count once, or not at all.  The arrays are borrowed for the call, what urls point to for as long as the graph is used;
 * urls may be NULL, and a graph without them is no use where a page's place or host is asked for: that is PRN_E_ARGUMENT there.
 *
 * PRN_E_ARGUMENT	a link to a page that there is not
 * PRN_E_LIMIT	more than 2^32 - 1 pages
 * PRN_E_MEMORY
 */
int prn_graph_init(struct prn_graph *graph, const char *const *urls, size_t pages, const size_t *starts, const uint32_t *to);

/*
 * The graph of the pages of traces with links (trace.h), as of the captures whose links those have: links to pages that are not
 * among them are counted only.  A page of several corpora is one, and leads where any of them says.  Pages are numbered as they
 * first come; pages must have URLs, to which the graph points.  Links are known by 64 bits of a hash: of ten million pages two
 * have the same once in 4e5 times.  threads may be 0: all processors.
 *
 * PRN_E_ARGUMENT	a page without URL
 * PRN_E_LIMIT, PRN_E_MEMORY, and the errors of pages->read
 */
int prn_graph_of_pages(struct prn_graph *graph, const struct prn_pages *pages, size_t threads, struct prn_error *error);

void prn_graph_release(struct prn_graph *graph);

#ifdef __cplusplus
}
#endif

#endif
