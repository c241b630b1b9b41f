#include "evaluate/evaluation_internal.h"

#include "history/clusters.h"

#include <stdlib.h>

/* NULL on overflow as without memory; all zero. */
static void *make_array(size_t a, size_t b, size_t size)
{
	if (b && a > SIZE_MAX / b)
		return NULL;
	return calloc(a && b ? a * b : 1, size);
}

int prn_evaluation_open(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                        size_t sweep_count)
{
	struct prn_evaluation *evaluation = calloc(1, sizeof *evaluation);

	if (!evaluation)
		return PRN_E_MEMORY;
	evaluation->sweeps = sweeps;
	evaluation->sweep_count = sweep_count;
	evaluation->first = make_array(sweep_count + 1, 1, sizeof *evaluation->first);
	evaluation->cluster_of = make_array(pages->count, 1, sizeof *evaluation->cluster_of);
	if (!evaluation->first || !evaluation->cluster_of ||
	    prn_clusters_find(pages, evaluation->cluster_of, &evaluation->clusters))
		goto failed;
	for (size_t i = 0; i < sweep_count; i++)
		evaluation->first[i + 1] = evaluation->first[i] + sweeps[i].setting_count;
	evaluation->settings = evaluation->first[sweep_count];
	evaluation->order = make_array(evaluation->settings, 1, sizeof *evaluation->order);
	evaluation->cluster_weights = make_array(evaluation->clusters, 1, sizeof *evaluation->cluster_weights);
	evaluation->cluster_sums = make_array(evaluation->clusters * PRN_WINDOWS * PRN_COLUMNS, evaluation->settings,
	                                      sizeof *evaluation->cluster_sums);
	evaluation->sums = make_array(PRN_WINDOWS * PRN_COLUMNS, evaluation->settings, sizeof *evaluation->sums);
	if (!evaluation->order || !evaluation->cluster_weights || !evaluation->cluster_sums || !evaluation->sums)
		goto failed;
	*out = evaluation;
	return 0;
failed:
	prn_evaluation_free(evaluation);
	return PRN_E_MEMORY;
}

/*
 * What settings are ordered by.  A period in seconds stands where it would with the mean clock; a small
 * budget is a large setting.
 */
static double rank_of(const struct prn_evaluation *evaluation, const struct prn_sweep *sweep, size_t setting)
{
	double value = sweep->settings[setting].value;

	if (sweep->budgets)
		return 1 / value;
	return sweep->settings[setting].in_seconds ? value * (double)evaluation->replays / evaluation->unit_sum : value;
}

/* Insertion sort: a sweep has tens of settings. */
void prn_evaluation_order(struct prn_evaluation *evaluation)
{
	for (size_t i = 0; i < evaluation->sweep_count; i++) {
		const struct prn_sweep *sweep = &evaluation->sweeps[i];
		size_t *order = &evaluation->order[evaluation->first[i]];

		for (size_t j = 0; j < sweep->setting_count; j++) {
			double rank = rank_of(evaluation, sweep, j);
			size_t at = j;

			for (; at && rank_of(evaluation, sweep, order[at - 1]) > rank; at--)
				order[at] = order[at - 1];
			order[at] = j;
		}
	}
}

/* Adds one window's score at a setting to the sums of a cluster or of all pages. */
static void add_score(const struct prn_evaluation *evaluation, double *sums, enum prn_window window, size_t setting,
                      double weight, const struct prn_score *score)
{
	sums[prn_evaluation_column(evaluation, window, PRN_COLUMN_COST) + setting] += weight * score->cost;
	for (int metric = 0; metric < PRN_METRICS; metric++)
		sums[prn_evaluation_column(evaluation, window, PRN_COLUMN_OF(metric)) + setting] +=
			weight * score->metrics[metric];
}

void prn_evaluation_add(struct prn_evaluation *evaluation, size_t page, size_t setting, double weight,
                        const struct prn_score scores[PRN_WINDOWS])
{
	size_t cluster = prn_evaluation_cluster(evaluation, evaluation->cluster_of[page]);

	for (int window = 0; window < PRN_WINDOWS; window++) {
		add_score(evaluation, &evaluation->cluster_sums[cluster], (enum prn_window)window, setting, weight,
		          &scores[window]);
		add_score(evaluation, evaluation->sums, (enum prn_window)window, setting, weight, &scores[window]);
	}
}

static void add_all(double *sums, const double *others, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sums[i] += others[i];
}

int prn_evaluation_merge(struct prn_evaluation *evaluation, const struct prn_evaluation *other)
{
	size_t columns = PRN_WINDOWS * PRN_COLUMNS * evaluation->settings;

	if (other->sweeps != evaluation->sweeps || other->sweep_count != evaluation->sweep_count ||
	    other->clusters != evaluation->clusters)
		return PRN_E_ARGUMENT;
	add_all(evaluation->cluster_weights, other->cluster_weights, evaluation->clusters);
	add_all(evaluation->cluster_sums, other->cluster_sums, evaluation->clusters * columns);
	add_all(evaluation->sums, other->sums, columns);
	evaluation->weight += other->weight;
	evaluation->unit_sum += other->unit_sum;
	evaluation->replays += other->replays;
	evaluation->changed |= other->changed;
	evaluation->in_part |= other->in_part;
	/* What has captures enough after a later start has them after an earlier one. */
	if (other->pages > evaluation->pages) {
		evaluation->pages = other->pages;
		evaluation->left_out = other->left_out;
	}
	prn_evaluation_order(evaluation);
	return 0;
}

void prn_evaluation_free(struct prn_evaluation *evaluation)
{
	if (!evaluation)
		return;
	free(evaluation->first);
	free(evaluation->order);
	free(evaluation->cluster_of);
	free(evaluation->cluster_weights);
	free(evaluation->cluster_sums);
	free(evaluation->sums);
	free(evaluation);
}

size_t prn_evaluation_pages(const struct prn_evaluation *evaluation)
{
	return evaluation->pages;
}

size_t prn_evaluation_left_out(const struct prn_evaluation *evaluation)
{
	return evaluation->left_out;
}

size_t prn_evaluation_clusters(const struct prn_evaluation *evaluation)
{
	size_t count = 0;

	for (size_t i = 0; i < evaluation->clusters; i++)
		count += evaluation->cluster_weights[i] > 0;
	return count;
}

bool prn_evaluation_changes_are_whole(const struct prn_evaluation *evaluation)
{
	return evaluation->changed && !evaluation->in_part;
}

struct prn_score prn_evaluation_score(const struct prn_evaluation *evaluation, size_t sweep, size_t setting,
                                      enum prn_window window)
{
	const double *sums = &evaluation->sums[evaluation->first[sweep] + setting];
	struct prn_score score = {
		.cost = sums[prn_evaluation_column(evaluation, window, PRN_COLUMN_COST)] / evaluation->weight,
	};

	for (int metric = 0; metric < PRN_METRICS; metric++)
		score.metrics[metric] = sums[prn_evaluation_column(evaluation, window, PRN_COLUMN_OF(metric))] /
		                        evaluation->weight;
	return score;
}
