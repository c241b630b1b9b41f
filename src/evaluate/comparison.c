#include "perennial/comparison.h"

#include "base/parallel.h"
#include "base/quantile.h"
#include "base/random.h"
#include "evaluate/evaluation_internal.h"
#include "evaluate/tradeoff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Resamples that share one pass over the clusters' sums, which takes most of the time if there are many clusters. */
#define BLOCK 8

#define CONFIDENCE 0.95

struct bootstrap {
	const struct prn_evaluation *evaluation;
	const struct prn_comparison *comparison;
	const size_t *clusters; /* [cluster_count] those that have pages */
	size_t cluster_count;
	size_t values;  /* sweeps x targets */
	double *values_of; /* [values][resamples] */
};

/*
 * Reads every sweep at every target from the sums of a sample, costs and metrics [settings]; stride is the
 * distance of its values.
 */
static void read_off(const struct prn_evaluation *evaluation, const struct prn_comparison *comparison,
                     const double *costs, const double *metrics, double weight, struct prn_tradeoff_point *points,
                     double *values, size_t stride)
{
	bool by_cost = comparison->axis == PRN_AXIS_COST;
	/* Settings from small to large cost less, find fewer changes, and leave more of the other metrics. */
	bool rises = comparison->axis == PRN_AXIS_STALENESS && comparison->metric != PRN_METRIC_CHANGES;

	for (size_t i = 0; i < evaluation->sweep_count; i++) {
		size_t first = evaluation->first[i], count = evaluation->first[i + 1] - first;

		for (size_t j = 0; j < count; j++) {
			size_t rank = rises ? j : count - 1 - j, at = first + evaluation->order[first + rank];
			double cost = costs[at] / weight, metric = metrics[at] / weight;

			points[j] = (struct prn_tradeoff_point){ by_cost ? cost : metric, by_cost ? metric : cost, 1 };
		}
		count = prn_tradeoff_pool(points, count);
		for (size_t j = 0; j < comparison->target_count; j++)
			values[(i * comparison->target_count + j) * stride] =
				prn_tradeoff_read(points, count, comparison->targets[j]);
	}
}

/* Draws as many clusters as there are; times[i] is how often cluster i was drawn. */
static void draw(const struct bootstrap *bootstrap, size_t resample, uint32_t *times)
{
	struct prn_random random;

	memset(times, 0, bootstrap->cluster_count * sizeof *times);
	prn_random_seed(&random, bootstrap->comparison->seed, resample);
	for (size_t i = 0; i < bootstrap->cluster_count; i++)
		times[prn_random_below(&random, bootstrap->cluster_count)]++;
}

static void add_times(double *sums, const double *cluster, double times, size_t settings)
{
	for (size_t i = 0; i < settings; i++)
		sums[i] += times * cluster[i];
}

/* sums [BLOCK][2][settings]: costs and metrics of each resample. */
static void resample_block(const struct bootstrap *bootstrap, size_t start, size_t count, uint32_t *times,
                           double *sums, struct prn_tradeoff_point *points)
{
	const struct prn_evaluation *evaluation = bootstrap->evaluation;
	const struct prn_comparison *comparison = bootstrap->comparison;
	size_t settings = evaluation->settings;
	double weights[BLOCK] = { 0 };

	memset(sums, 0, BLOCK * 2 * settings * sizeof *sums);
	for (size_t r = 0; r < count; r++)
		draw(bootstrap, start + r, &times[r * bootstrap->cluster_count]);
	for (size_t i = 0; i < bootstrap->cluster_count; i++) {
		size_t cluster = bootstrap->clusters[i];
		const double *of = &evaluation->row_sums[prn_evaluation_row(evaluation, cluster)];
		const double *costs = &of[prn_evaluation_column(evaluation, comparison->window, PRN_COLUMN_COST)];
		const double *metrics = &of[prn_evaluation_column(evaluation, comparison->window,
		                                                  PRN_COLUMN_OF(comparison->metric))];

		for (size_t r = 0; r < count; r++) {
			double n = times[r * bootstrap->cluster_count + i];

			if (n <= 0)
				continue;
			weights[r] += n * evaluation->row_weights[cluster];
			add_times(&sums[2 * r * settings], costs, n, settings);
			add_times(&sums[(2 * r + 1) * settings], metrics, n, settings);
		}
	}
	for (size_t r = 0; r < count; r++)
		read_off(evaluation, comparison, &sums[2 * r * settings], &sums[(2 * r + 1) * settings], weights[r],
		         points, &bootstrap->values_of[start + r], comparison->resamples);
}

static int run_block(void *context, size_t thread, size_t item, struct prn_error *error)
{
	const struct bootstrap *bootstrap = context;
	size_t settings = bootstrap->evaluation->settings, start = item * BLOCK;
	size_t left = bootstrap->comparison->resamples - start;
	uint32_t *times = calloc(bootstrap->cluster_count, BLOCK * sizeof *times);
	double *sums = calloc(settings + 1, BLOCK * 2 * sizeof *sums);
	struct prn_tradeoff_point *points = calloc(settings + 1, sizeof *points);
	int code = 0;

	(void)thread;
	if (times && sums && points)
		resample_block(bootstrap, start, left < BLOCK ? left : BLOCK, times, sums, points);
	else
		code = prn_error_memory(error);
	free(times);
	free(sums);
	free(points);
	return code;
}

/* values [count] is overwritten. */
static void set_interval(struct prn_interval *interval, double *values, size_t count)
{
	if (!isnan(interval->value))
		prn_quantile_middle(values, count, CONFIDENCE, &interval->low, &interval->high);
}

/* The ratios come first: computing an interval reorders its values, and every ratio needs those of the reference. */
static void set_intervals(const struct bootstrap *bootstrap, double *scratch, struct prn_compared *compared)
{
	const struct prn_comparison *comparison = bootstrap->comparison;
	size_t resamples = comparison->resamples, targets = comparison->target_count;

	for (size_t i = 0; i < bootstrap->values && comparison->reference != PRN_NO_REFERENCE; i++) {
		size_t reference = comparison->reference * targets + i % targets;

		for (size_t r = 0; r < resamples; r++)
			scratch[r] = bootstrap->values_of[i * resamples + r] /
			             bootstrap->values_of[reference * resamples + r];
		set_interval(&compared[i].ratio, scratch, resamples);
	}
	for (size_t i = 0; i < bootstrap->values; i++)
		set_interval(&compared[i].value, &bootstrap->values_of[i * resamples], resamples);
}

static int run_bootstrap(struct bootstrap *bootstrap, struct prn_compared *compared)
{
	size_t resamples = bootstrap->comparison->resamples, clusters = bootstrap->evaluation->clusters.count;
	size_t *with_pages = calloc(clusters + 1, sizeof *with_pages);
	double *scratch = calloc(resamples, sizeof *scratch);
	int code = PRN_E_MEMORY;

	if (bootstrap->values <= SIZE_MAX / resamples)
		bootstrap->values_of = calloc(bootstrap->values * resamples, sizeof *bootstrap->values_of);
	if (!with_pages || !scratch || !bootstrap->values_of)
		goto out;
	for (size_t i = 0; i < clusters; i++)
		if (bootstrap->evaluation->row_weights[i] > 0)
			with_pages[bootstrap->cluster_count++] = i;
	bootstrap->clusters = with_pages;
	code = 0;
	if (bootstrap->cluster_count < 2) /* a single cluster gives no information about others */
		goto out;
	code = prn_parallel_for((resamples + BLOCK - 1) / BLOCK, prn_parallel_threads(bootstrap->comparison->threads), run_block,
	                        bootstrap, NULL);
	if (!code)
		set_intervals(bootstrap, scratch, compared);
out:
	free(bootstrap->values_of);
	free(scratch);
	free(with_pages);
	return code;
}

static void set_values(const struct prn_comparison *comparison, const double *values, size_t count,
                       struct prn_compared *compared)
{
	size_t targets = comparison->target_count;

	for (size_t i = 0; i < count; i++) {
		double ratio = NAN;

		if (comparison->reference != PRN_NO_REFERENCE)
			ratio = values[i] / values[comparison->reference * targets + i % targets];
		compared[i].value = (struct prn_interval){ values[i], NAN, NAN };
		compared[i].ratio = (struct prn_interval){ isfinite(ratio) ? ratio : NAN, NAN, NAN };
	}
}

static bool is_comparable(const struct prn_evaluation *evaluation, const struct prn_comparison *comparison)
{
	bool fits = (unsigned)comparison->axis <= PRN_AXIS_STALENESS && (unsigned)comparison->window < PRN_WINDOWS &&
	            (unsigned)comparison->metric < PRN_METRICS &&
	            (comparison->reference == PRN_NO_REFERENCE || comparison->reference < evaluation->sweep_count);

	for (size_t i = 0; i < comparison->target_count; i++)
		fits &= !isnan(comparison->targets[i]);
	return fits;
}

int prn_evaluation_compare(const struct prn_evaluation *evaluation, const struct prn_comparison *comparison,
                           struct prn_compared *compared)
{
	struct bootstrap bootstrap = { .evaluation = evaluation, .comparison = comparison };
	const double *sums = evaluation->sums;
	struct prn_tradeoff_point *points;
	double *values;
	int code = PRN_E_MEMORY;

	if (!is_comparable(evaluation, comparison))
		return PRN_E_ARGUMENT;
	points = calloc(evaluation->settings + 1, sizeof *points);
	bootstrap.values = evaluation->sweep_count * comparison->target_count;
	values = calloc(bootstrap.values + 1, sizeof *values);
	if (!points || !values)
		goto out;
	read_off(evaluation, comparison, &sums[prn_evaluation_column(evaluation, comparison->window, PRN_COLUMN_COST)],
	         &sums[prn_evaluation_column(evaluation, comparison->window, PRN_COLUMN_OF(comparison->metric))],
	         evaluation->weight, points, values, 1);
	set_values(comparison, values, bootstrap.values, compared);
	code = 0;
	if (comparison->resamples && bootstrap.values)
		code = run_bootstrap(&bootstrap, compared);
out:
	free(points);
	free(values);
	return code;
}
