/*
 * The sums of an evaluation: scores weighted by W, per cluster of pages and over all pages, stored by columns,
 * because a comparison reads the cost and one metric of many clusters.
 */
#ifndef EVALUATE_EVALUATION_INTERNAL_H
#define EVALUATE_EVALUATION_INTERNAL_H

#include "history/clusters.h"
#include "perennial/evaluation.h"

/* Columns of sums: cost, then the metrics. */
#define PRN_COLUMN_COST 0
#define PRN_COLUMN_OF(metric) (1 + (size_t)(metric))
#define PRN_COLUMNS (1 + PRN_METRICS)

struct prn_evaluation {
	const struct prn_sweep *sweeps;
	size_t sweep_count;
	size_t *first;   /* [sweep_count + 1] index of each sweep's first setting */
	size_t settings; /* in all sweeps */
	size_t *order;   /* [settings] for each sweep, the order of its settings from small to large */

	/* Rows: those of the clusters, and for a part of the pages also those of slots with several clusters. */
	struct prn_part part;
	struct prn_clusters clusters;
	size_t rows;
	double *row_weights; /* [rows] ΣW; 0: all its pages were left out */
	double *row_units;   /* [rows] Σ seconds in a clock unit, over replays */
	double *row_sums;    /* [rows][PRN_WINDOWS][PRN_COLUMNS][settings] ΣW·score */

	/* Over all clusters in their order: the same for any partition of the pages by host. */
	double weight, unit_sum;
	double *sums;

	size_t replays;          /* replays of pages, each from one start */
	uint64_t captures;       /* of the pages, over replays */
	double interval;         /* the shortest mean capture interval of any page, clock units */
	size_t pages, left_out;
	bool changed, in_part;   /* some page once changed; some once in part */
};

/* Returns the sums [settings] of one column in one window, within the sums of a cluster or of all pages. */
static inline size_t prn_evaluation_column(const struct prn_evaluation *evaluation, enum prn_window window, size_t column)
{
	return ((size_t)window * PRN_COLUMNS + column) * evaluation->settings;
}

/* The number of sums in a row, and the position of a row's sums in row_sums. */
static inline size_t prn_evaluation_row_sums(const struct prn_evaluation *evaluation)
{
	return PRN_WINDOWS * PRN_COLUMNS * evaluation->settings;
}

static inline size_t prn_evaluation_row(const struct prn_evaluation *evaluation, size_t row)
{
	return row * prn_evaluation_row_sums(evaluation);
}

/* Allocates the sums of sweeps over pages, all 0; sweeps are borrowed for the life of *out.  PRN_E_MEMORY */
int prn_evaluation_open(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                        size_t sweep_count);

/* The same without pages.  The clusters are taken over, also after a failure; *clusters becomes empty.  PRN_E_MEMORY */
int prn_evaluation_open_take(struct prn_evaluation **out, struct prn_clusters *clusters, const struct prn_part *part,
                             const struct prn_sweep *sweeps, size_t sweep_count);

/* Adds up the clusters and sorts the settings of each sweep; called when all pages have been added. */
void prn_evaluation_finish(struct prn_evaluation *evaluation);

/* Adds a page that is evaluated: its weight and the length of its clock unit. */
void prn_evaluation_add_page(struct prn_evaluation *evaluation, size_t page, double weight, double unit_s);

/* Adds a page's scores at one of all settings. */
void prn_evaluation_add(struct prn_evaluation *evaluation, size_t page, size_t setting, double weight,
                        const struct prn_score scores[PRN_WINDOWS]);

#endif
