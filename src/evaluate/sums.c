#include "evaluate/evaluation_internal.h"

#include <stdlib.h>
#include <string.h>

/* Allocates zeroed memory; NULL on overflow, as without memory. */
static void *make_array(size_t a, size_t b, size_t size)
{
	if (b && a > SIZE_MAX / b)
		return NULL;
	return calloc(a && b ? a * b : 1, size);
}

int prn_evaluation_open_take(struct prn_evaluation **out, struct prn_clusters *clusters, const struct prn_part *part,
                             const struct prn_sweep *sweeps, size_t sweep_count)
{
	struct prn_evaluation *evaluation = calloc(1, sizeof *evaluation);
	size_t sums;

	if (!evaluation) {
		prn_clusters_release(clusters);
		return PRN_E_MEMORY;
	}
	evaluation->clusters = *clusters;
	*clusters = (struct prn_clusters){ 0 };
	evaluation->part = *part;
	evaluation->rows = part->of > 1 ? evaluation->clusters.rows : evaluation->clusters.count;
	evaluation->sweeps = sweeps;
	evaluation->sweep_count = sweep_count;
	evaluation->first = make_array(sweep_count + 1, 1, sizeof *evaluation->first);
	if (!evaluation->first)
		goto failed;
	for (size_t i = 0; i < sweep_count; i++)
		evaluation->first[i + 1] = evaluation->first[i] + sweeps[i].setting_count;
	evaluation->settings = evaluation->first[sweep_count];
	sums = prn_evaluation_row_sums(evaluation);
	evaluation->order = make_array(evaluation->settings, 1, sizeof *evaluation->order);
	evaluation->row_weights = make_array(evaluation->rows, 1, sizeof *evaluation->row_weights);
	evaluation->row_units = make_array(evaluation->rows, 1, sizeof *evaluation->row_units);
	evaluation->row_sums = make_array(evaluation->rows, sums, sizeof *evaluation->row_sums);
	evaluation->sums = make_array(sums, 1, sizeof *evaluation->sums);
	if (!evaluation->order || !evaluation->row_weights || !evaluation->row_units || !evaluation->row_sums || !evaluation->sums)
		goto failed;
	*out = evaluation;
	return 0;
failed:
	prn_evaluation_free(evaluation);
	return PRN_E_MEMORY;
}

int prn_evaluation_open(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                        size_t sweep_count)
{
	struct prn_clusters clusters;

	if (prn_clusters_find(&clusters, pages)) {
		prn_clusters_release(&clusters);
		return PRN_E_MEMORY;
	}
	return prn_evaluation_open_take(out, &clusters, &pages->part, sweeps, sweep_count);
}

/*
 * The key by which settings are ordered.  A period in seconds is converted by the mean clock; a small budget is
 * a large setting.
 */
static double rank_of(const struct prn_evaluation *evaluation, const struct prn_sweep *sweep, size_t setting)
{
	double value = sweep->settings[setting].value;

	if (sweep->budgets)
		return 1 / value;
	return sweep->settings[setting].in_seconds ? value * (double)evaluation->replays / evaluation->unit_sum : value;
}

static void add_all(double *sums, const double *others, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sums[i] += others[i];
}

static void sum_clusters(struct prn_evaluation *evaluation)
{
	size_t sums = prn_evaluation_row_sums(evaluation);

	evaluation->weight = evaluation->unit_sum = 0;
	for (size_t i = 0; i < sums; i++)
		evaluation->sums[i] = 0;
	for (size_t i = 0; i < evaluation->clusters.count; i++) {
		evaluation->weight += evaluation->row_weights[i];
		evaluation->unit_sum += evaluation->row_units[i];
		add_all(evaluation->sums, &evaluation->row_sums[prn_evaluation_row(evaluation, i)], sums);
	}
}

/* Insertion sort: a sweep has tens of settings. */
void prn_evaluation_finish(struct prn_evaluation *evaluation)
{
	sum_clusters(evaluation);
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

/* Finds the rows of a page: that of its cluster, and in a part that of its slot if it has one.  Returns how many. */
static size_t rows_of(const struct prn_evaluation *evaluation, size_t page, size_t rows[2])
{
	uint32_t cluster = evaluation->clusters.of[page], slot = evaluation->clusters.slot_rows[cluster];

	rows[0] = cluster;
	rows[1] = slot;
	return evaluation->part.of > 1 && slot != PRN_NO_ROW ? 2 : 1;
}

void prn_evaluation_add_page(struct prn_evaluation *evaluation, size_t page, double weight, double unit_s)
{
	size_t rows[2], count = rows_of(evaluation, page, rows);

	for (size_t i = 0; i < count; i++) {
		evaluation->row_weights[rows[i]] += weight;
		evaluation->row_units[rows[i]] += unit_s;
	}
}

/* Adds one window's score at a setting to the sums of a row. */
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
	size_t rows[2], count = rows_of(evaluation, page, rows);

	for (size_t i = 0; i < count; i++)
		for (int window = 0; window < PRN_WINDOWS; window++)
			add_score(evaluation, &evaluation->row_sums[prn_evaluation_row(evaluation, rows[i])],
			          (enum prn_window)window, setting, weight, &scores[window]);
}

static bool same_clusters(const struct prn_clusters *a, const struct prn_clusters *b)
{
	return a->level == b->level && a->count == b->count && !prn_digest_compare(&a->host, &b->host) &&
	       !memcmp(a->keys, b->keys, a->count * sizeof *a->keys);
}

int prn_evaluation_merge(struct prn_evaluation *evaluation, const struct prn_evaluation *other)
{
	if (other->sweeps != evaluation->sweeps || other->sweep_count != evaluation->sweep_count ||
	    other->rows != evaluation->rows || !same_clusters(&other->clusters, &evaluation->clusters))
		return PRN_E_ARGUMENT;
	add_all(evaluation->row_weights, other->row_weights, evaluation->rows);
	add_all(evaluation->row_units, other->row_units, evaluation->rows);
	add_all(evaluation->row_sums, other->row_sums, prn_evaluation_row(evaluation, evaluation->rows));
	evaluation->replays += other->replays;
	evaluation->captures += other->captures;
	evaluation->changed |= other->changed;
	evaluation->in_part |= other->in_part;
	/* A page with enough captures after a later start also has them after an earlier one. */
	if (other->pages > evaluation->pages) {
		evaluation->pages = other->pages;
		evaluation->left_out = other->left_out;
	}
	prn_evaluation_finish(evaluation);
	return 0;
}

void prn_evaluation_free(struct prn_evaluation *evaluation)
{
	if (!evaluation)
		return;
	free(evaluation->first);
	free(evaluation->order);
	prn_clusters_release(&evaluation->clusters);
	free(evaluation->row_weights);
	free(evaluation->row_units);
	free(evaluation->row_sums);
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

bool prn_evaluation_is_of_one_host(const struct prn_evaluation *evaluation)
{
	return evaluation->clusters.count && evaluation->clusters.level == PRN_CLUSTER_PAGE;
}

size_t prn_evaluation_clusters(const struct prn_evaluation *evaluation)
{
	size_t count = 0;

	for (size_t i = 0; i < evaluation->clusters.count; i++)
		count += evaluation->row_weights[i] > 0;
	return count;
}

double prn_evaluation_captures(const struct prn_evaluation *evaluation)
{
	return evaluation->replays ? (double)evaluation->captures / (double)evaluation->replays : 0;
}

bool prn_evaluation_is_enough(const struct prn_evaluation *evaluation)
{
	return prn_evaluation_clusters(evaluation) >= PRN_CLUSTERS_LEAST && prn_evaluation_captures(evaluation) >= PRN_CAPTURES_LEAST;
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
