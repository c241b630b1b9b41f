/*
 * What an evaluation holds: W-weighted sums of scores, per cluster of pages and over all pages, column by
 * column: a comparison reads the cost and one metric of very many.
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
	size_t *first;   /* [sweep_count + 1] the first of each sweep's settings in all settings */
	size_t settings; /* of all sweeps */
	size_t *order;   /* [settings] of each sweep, its settings from small to large */

	/* Row by row: of the clusters, and of a part of the pages also of slots with several of them. */
	struct prn_part part;
	struct prn_clusters clusters;
	size_t rows;
	double *row_weights; /* [rows] ΣW; 0: all its pages were left out */
	double *row_units;   /* [rows] Σ seconds in a clock unit, over replays */
	double *row_sums;    /* [rows][PRN_WINDOWS][PRN_COLUMNS][settings] ΣW·score */

	/* Over all clusters, in their order: the same for any partition of the pages by host. */
	double weight, unit_sum;
	double *sums;

	size_t replays;         /* of a page, each from one start */
	double interval;         /* the shortest mean capture interval of any page, clock units */
	size_t pages, left_out;
	bool changed, in_part;   /* some page once changed; some once in part */
};

/* The sums [settings] of one column in one window, of a cluster's or of all pages' sums. */
static inline size_t prn_evaluation_column(const struct prn_evaluation *evaluation, enum prn_window window, size_t column)
{
	return ((size_t)window * PRN_COLUMNS + column) * evaluation->settings;
}

/* How many sums a row has, and where in row_sums those of a row begin. */
static inline size_t prn_evaluation_row_sums(const struct prn_evaluation *evaluation)
{
	return PRN_WINDOWS * PRN_COLUMNS * evaluation->settings;
}

static inline size_t prn_evaluation_row(const struct prn_evaluation *evaluation, size_t row)
{
	return row * prn_evaluation_row_sums(evaluation);
}

/*
 * Makes room for the sums of sweeps over pages, all 0; sweeps are borrowed for as long as *out lives.  PRN_E_MEMORY
 */
int prn_evaluation_open(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                        size_t sweep_count);

/*
 * The same without pages, over clusters that are taken over, also after a failure; *clusters becomes empty.  PRN_E_MEMORY
 */
int prn_evaluation_open_take(struct prn_evaluation **out, struct prn_clusters *clusters, const struct prn_part *part,
                             const struct prn_sweep *sweeps, size_t sweep_count);

/* Adds clusters up and puts the settings of each sweep in order, once all pages have been added. */
void prn_evaluation_finish(struct prn_evaluation *evaluation);

/* Adds a page that is judged: its weight and the length of its clock unit. */
void prn_evaluation_add_page(struct prn_evaluation *evaluation, size_t page, double weight, double unit_s);

/* Adds a page's scores at one of all settings. */
void prn_evaluation_add(struct prn_evaluation *evaluation, size_t page, size_t setting, double weight,
                        const struct prn_score scores[PRN_WINDOWS]);

#endif
