/*
 * Pages by host: the units that a bootstrap draws, so that pages of one site, which change together, stay
 * together.
 *
 * The clusters of parts of the pages (part.h) are joined to those of the whole.  A part does not know how many
 * hosts the whole has.  The whole may need slots in place of the part's hosts, or its only host in place of the
 * part's pages: so sums over slots are kept in addition to those over clusters, in rows that follow them.
 */
#ifndef HISTORY_CLUSTERS_H
#define HISTORY_CLUSTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/pages.h"

/* The meaning of a cluster. */
enum prn_cluster_level {
	PRN_CLUSTER_PAGE, /* pages of the only host, by their numbers mod PRN_CLUSTERS */
	PRN_CLUSTER_HOST,
	PRN_CLUSTER_SLOT, /* hosts of one slot (part.h), if there are more hosts than PRN_CLUSTERS */
};

#define PRN_CLUSTER_LEVELS 3
#define PRN_NO_ROW UINT32_MAX

struct prn_clusters {
	enum prn_cluster_level level;
	size_t count;            /* number of clusters; 0 without pages */
	struct prn_digest host;  /* the only host, if clusters are pages */
	struct prn_digest *keys; /* [count] ascending: hosts; or the first digest of a slot; or numbers of pages in low */
	uint32_t *slot_rows;     /* [count] the row of a slot that has several clusters, from count on; or PRN_NO_ROW */
	size_t rows;             /* clusters, and slots with several */
	uint32_t *of;            /* [pages] the cluster of each page; NULL if the clusters were joined or read */
};

/* Finds the clusters of pages: see PRN_CLUSTERS.  Must be released even after a failure.  PRN_E_MEMORY */
int prn_clusters_find(struct prn_clusters *clusters, const struct prn_pages *pages);
void prn_clusters_release(struct prn_clusters *clusters);

/*
 * Joins the clusters of parts of the pages, none of whose hosts is in two parts, to those of the whole. to[i],
 * [parts[i]->count], becomes the cluster of the whole that each of a part's clusters belongs to; the caller
 * frees it.  *whole must be released even after a failure.
 *
 * PRN_E_MEMORY
 */
int prn_clusters_join(struct prn_clusters *whole, const struct prn_clusters *const *parts, size_t count, uint32_t **to);

/* Returns the row of the whole that corresponds to a row of a part's sums. */
size_t prn_clusters_row(const struct prn_clusters *part, const struct prn_clusters *whole, size_t cluster);

/*
 * Writes the clusters and reads them again, without the assignment of pages.
 *
 * PRN_E_INPUT	not written clusters, or not those of this part
 * PRN_E_MEMORY
 */
struct prn_buffer;
struct prn_cursor;
int prn_clusters_write(const struct prn_clusters *clusters, struct prn_buffer *out);
int prn_clusters_read(struct prn_clusters *clusters, struct prn_cursor *in, const struct prn_part *part);

#endif
