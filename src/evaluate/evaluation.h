/*
 * What an evaluation holds: W-weighted sums of scores, per cluster of pages and over all pages.
 */
#ifndef EVALUATE_EVALUATION_H
#define EVALUATE_EVALUATION_H

#include "perennial/evaluate.h"

struct prn_evaluation {
	const struct prn_sweep *sweeps;
	size_t sweep_count;
	size_t *first;   /* [sweep_count + 1] the first of each sweep's settings in all settings */
	size_t settings; /* of all sweeps */
	size_t *order;   /* [settings] of each sweep, its settings from small to large */

	size_t clusters;
	uint32_t *cluster_of;        /* [pages] */
	double *cluster_weights;     /* [clusters] ΣW; 0: all its pages were left out */
	struct prn_score *cluster_sums; /* [clusters][PRN_WINDOWS][settings] ΣW·score */

	double weight;          /* ΣW over all pages */
	struct prn_score *sums; /* [PRN_WINDOWS][settings] */
	double unit_sum;        /* Σ seconds in a clock unit */
	size_t pages, left_out;
};

static inline const struct prn_score *prn_evaluation_cluster(const struct prn_evaluation *evaluation, size_t cluster,
                                                             enum prn_window window)
{
	return &evaluation->cluster_sums[(cluster * PRN_WINDOWS + window) * evaluation->settings];
}

/*
 * Puts each page into a cluster, by host: see PRN_EVALUATE_CLUSTERS.  Numbers depend on the hosts (or the number
 * of pages) only.  PRN_E_MEMORY
 */
int prn_clusters_find(const struct prn_pages *pages, uint32_t *cluster_of, size_t *clusters);

#endif
