/*
 * Pages by host: what a bootstrap draws, so that pages of one site, which change together, stay together.
 *
 * Of parts of the pages (part.h) the clusters are joined to those of the whole.  A part does not know how many hosts the whole
 * has: where slots may be needed in the place of its hosts, or its one host in the place of its pages, sums over slots are
 * kept beside those over clusters, in rows that follow them.
 */
#ifndef HISTORY_CLUSTERS_H
#define HISTORY_CLUSTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/pages.h"

/* What a cluster is. */
enum prn_cluster_level {
	PRN_CLUSTER_PAGE, /* pages of the one host that there is, by their numbers mod PRN_CLUSTERS */
	PRN_CLUSTER_HOST,
	PRN_CLUSTER_SLOT, /* hosts of one slot (part.h): there are more hosts than PRN_CLUSTERS */
};

#define PRN_CLUSTER_LEVELS 3
#define PRN_NO_ROW UINT32_MAX

struct prn_clusters {
	enum prn_cluster_level level;
	size_t count;            /* of clusters; 0 without pages */
	struct prn_digest host;  /* the one that there is, where clusters are pages */
	struct prn_digest *keys; /* [count] ascending: hosts; or the first digest of a slot; or numbers of pages in low */
	uint32_t *slot_rows;     /* [count] the row of a slot that has several clusters, from count on; or PRN_NO_ROW */
	size_t rows;             /* clusters, and slots with several */
	uint32_t *of;            /* [pages] the cluster of each page; NULL: they were joined or read */
};

/* Finds the clusters of pages: see PRN_CLUSTERS.  Release it also after a failure.  PRN_E_MEMORY */
int prn_clusters_find(struct prn_clusters *clusters, const struct prn_pages *pages);
void prn_clusters_release(struct prn_clusters *clusters);

/*
 * Joins the clusters of parts of some pages, no host being in two of them, to those of all.  to[i] is made [parts[i]->count], and
 * the caller's to free: the cluster of the whole to which a part's belongs.  Release *whole also after a failure.
 *
 * PRN_E_MEMORY
 */
int prn_clusters_join(struct prn_clusters *whole, const struct prn_clusters *const *parts, size_t count, uint32_t **to);

/* The row of a part's sums that is that of the whole's cluster to which the part's cluster belongs. */
size_t prn_clusters_row(const struct prn_clusters *part, const struct prn_clusters *whole, size_t cluster);

/*
 * Writes what the clusters are, and reads it again: all but which pages are theirs.
 *
 * PRN_E_INPUT	no clusters are written so, or not of this part
 * PRN_E_MEMORY
 */
struct prn_buffer;
struct prn_cursor;
int prn_clusters_write(const struct prn_clusters *clusters, struct prn_buffer *out);
int prn_clusters_read(struct prn_clusters *clusters, struct prn_cursor *in, const struct prn_part *part);

#endif
