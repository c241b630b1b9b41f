#include "perennial/interval_prior.h"

#include "base/random.h"
#include "model/estimator_internal.h"
#include "perennial/error.h"

#include <math.h>
#include <stdlib.h>

#define RESTARTS 6
#define STEPS 3000

/* Steps in log length shrink from the first to the second; the temperature falls to 0 well before the end. */
#define STRIDE_FIRST 2.0
#define STRIDE_LAST 1e-2
#define TEMPERATURE 0.02
#define COOLING 6

/* The corpus on the grid. */
struct histogram {
	struct prn_interval_grid grid;
	size_t cells, used;
	double *share;     /* [cells] shares of the intervals on the grid; their sum is 1 */
	double *posterior; /* [cells] scratch for one */
};

static double middle(const struct histogram *histogram, size_t cell)
{
	return ((double)cell + 0.5) * histogram->grid.step;
}

/* e^(-t_u/Δ) is computed relative to the last cell, where it is largest, so that the sum is never 0. */
static double distance(const struct histogram *histogram, double changed, double unchanged)
{
	double last = 1 / middle(histogram, histogram->cells - 1), sum = 0, squares = 0;

	for (size_t i = 0; i < histogram->cells; i++) {
		double rate = 1 / middle(histogram, i);

		histogram->posterior[i] = -expm1(-changed * rate) * exp(-unchanged * (rate - last));
		sum += histogram->posterior[i];
	}
	for (size_t i = 0; i < histogram->cells; i++) {
		double gap = histogram->posterior[i] / sum - histogram->share[i];

		squares += gap * gap;
	}
	return sqrt(squares);
}

static void histogram_release(struct histogram *histogram)
{
	free(histogram->share);
	free(histogram->posterior);
}

static int histogram_fill(struct histogram *histogram, const double *intervals, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!(intervals[i] > 0) || !isfinite(intervals[i]))
			return PRN_E_ARGUMENT;
		if (intervals[i] <= histogram->grid.most) {
			size_t cell = (size_t)(intervals[i] / histogram->grid.step);

			histogram->share[cell < histogram->cells ? cell : histogram->cells - 1]++;
			histogram->used++;
		}
	}
	for (size_t i = 0; i < histogram->cells && histogram->used; i++)
		histogram->share[i] /= (double)histogram->used;
	return histogram->used ? 0 : PRN_E_ARGUMENT;
}

static int histogram_make(struct histogram *histogram, const double *intervals, size_t n,
                          const struct prn_interval_grid *grid)
{
	double cells = ceil(grid->most / grid->step * (1 - 1e-12));
	int code;

	if (!(grid->step >= PRN_INTERVAL_MIN) || !(grid->most <= PRN_INTERVAL_MAX) ||
	    !(cells >= 1 && cells <= PRN_INTERVAL_CELLS))
		return PRN_E_ARGUMENT;
	*histogram = (struct histogram){ .grid = *grid, .cells = (size_t)cells };
	histogram->share = calloc(histogram->cells, sizeof *histogram->share);
	histogram->posterior = calloc(histogram->cells, sizeof *histogram->posterior);
	code = histogram->share && histogram->posterior ? histogram_fill(histogram, intervals, n)
	                                                : PRN_E_MEMORY;
	if (code)
		histogram_release(histogram);
	return code;
}

/* A pair of lengths, as logarithms, and its value. */
struct point {
	double changed, unchanged;
	double distance;
};

static void judge(const struct histogram *histogram, struct point *point)
{
	point->distance = distance(histogram, exp(point->changed), exp(point->unchanged));
}

static double move(struct prn_random *random, double from, double stride, double low, double high)
{
	return fmin(fmax(from + stride * (2 * prn_random_unit(random) - 1), low), high);
}

/* Runs one annealing from a random start; keeps the best point of all runs in *best. */
static void anneal(const struct histogram *histogram, struct prn_random *random, struct point *best)
{
	double low = log(histogram->grid.step * 1e-3), high = log(histogram->grid.most * 1e3);
	struct point at = { low + (high - low) * prn_random_unit(random),
		            low + (high - low) * prn_random_unit(random), 0 };

	judge(histogram, &at);
	for (int step = 0; step < STEPS; step++) {
		double progress = (double)step / STEPS, temperature = TEMPERATURE * pow(1 - progress, COOLING);
		double stride = STRIDE_FIRST * pow(STRIDE_LAST / STRIDE_FIRST, progress);
		struct point next = { move(random, at.changed, stride, low, high),
			              move(random, at.unchanged, stride, low, high), 0 };

		judge(histogram, &next);
		if (prn_random_unit(random) < exp((at.distance - next.distance) / temperature))
			at = next;
		if (at.distance < best->distance)
			*best = at;
	}
}

int prn_interval_prior_fit(const double *intervals, size_t n, const struct prn_interval_grid *grid,
                           uint64_t seed, struct prn_interval_prior *prior)
{
	struct point best = { 0, 0, INFINITY };
	struct histogram histogram;
	int code = histogram_make(&histogram, intervals, n, grid);

	if (code)
		return code;
	for (uint64_t start = 0; start < RESTARTS; start++) {
		struct prn_random random;

		prn_random_seed(&random, seed, start);
		anneal(&histogram, &random, &best);
	}
	*prior = (struct prn_interval_prior){ exp(best.changed), exp(best.unchanged), best.distance,
		                               histogram.used };
	histogram_release(&histogram);
	return 0;
}

int prn_interval_prior_distance(const double *intervals, size_t n, const struct prn_interval_grid *grid,
                                double changed, double unchanged, double *out)
{
	struct histogram histogram;
	int code;

	if (!(changed > 0) || !(unchanged > 0) || !isfinite(changed) || !isfinite(unchanged))
		return PRN_E_ARGUMENT;
	code = histogram_make(&histogram, intervals, n, grid);
	if (code)
		return code;
	*out = distance(&histogram, changed, unchanged);
	histogram_release(&histogram);
	return 0;
}
