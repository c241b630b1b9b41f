/*
 * Pages by host: what a bootstrap draws, so that pages of one site, which change together, stay together.
 */
#ifndef HISTORY_CLUSTERS_H
#define HISTORY_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/pages.h"

/*
 * Puts each page into a cluster, by host: see PRN_CLUSTERS.  Numbers depend on the hosts (or the number
 * of pages) only.  PRN_E_MEMORY
 */
int prn_clusters_find(const struct prn_pages *pages, uint32_t *cluster_of, size_t *clusters);

#endif
