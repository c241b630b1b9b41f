/* Measures the model: refits, periods, allocation. */
#include "bench/bench.h"

#include "base/random.h"
#include "perennial/allocate.h"
#include "perennial/fit.h"

#include <math.h>

#define PAGES 64 /* few, so that a round is short and seldom interrupted */
#define POINTS 32

/* Pages whose points are noisy scroll and churn, as in profiles: 32 points over 64 clock units. */
struct work {
	struct prn_fit *fit;
	struct prn_point points[PAGES][POINTS];
	struct prn_curve before[PAGES]; /* fitted to all points but the last */
	struct prn_curve curves[PAGES];
	double thresholds[PAGES];
	double sink;
};

static void prepare(struct work *work)
{
	struct prn_random random;

	prn_random_seed(&random, 1, 0);
	for (size_t i = 0; i < PAGES; i++) {
		uint32_t k = 1u << (i % 6);

		double share = 0.05 + 0.9 * prn_random_unit(&random), rate = k * (0.02 + 0.2 * prn_random_unit(&random));

		work->curves[i] = prn_curve_scroll(share, rate, k);
		work->thresholds[i] = (0.01 + 0.98 * prn_random_unit(&random)) * prn_curve_utility_limit(&work->curves[i]);
		for (size_t j = 0; j < POINTS; j++) {
			double lag = 1 + 2 * (double)j, noise = 0.04 * (prn_random_unit(&random) - 0.5);
			double d = prn_curve_divergence(&work->curves[i], lag) + noise;

			work->points[i][j] = (struct prn_point){ (float)lag, (float)fmin(fmax(d, 0), 1) };
		}
		prn_fit_curve(work->fit, work->points[i], POINTS - 1, NULL, &work->before[i]);
	}
}

static void refit_cold(void *context)
{
	struct work *work = context;
	struct prn_curve curve;

	for (size_t n = 0; n < PAGES; n++)
		work->sink += prn_fit_curve(work->fit, work->points[n], POINTS, NULL, &curve);
}

static void refit_warm(void *context)
{
	struct work *work = context;
	struct prn_curve curve;

	for (size_t n = 0; n < PAGES; n++)
		work->sink += prn_fit_curve(work->fit, work->points[n], POINTS, &work->before[n], &curve);
}

static void periods(void *context)
{
	struct work *work = context;

	for (size_t n = 0; n < PAGES; n++) {
		double period = 0;

		prn_curve_period(&work->curves[n], 1, work->thresholds[n], &period);
		work->sink += period;
	}
}

static void row(const char *figure, const char *goal, double most_us, bench_fn *run, struct work *work)
{
	double us = 1e6 * bench_time(BENCH_CPU, run, work) / PAGES;

	bench_row(figure, goal, us, "us", us <= most_us);
}

#define DIVIDED 1000000

/* Pages whose rates span six decades and whose weights span two. */
struct division {
	double rates[DIVIDED], weights[DIVIDED], frequencies[DIVIDED];
	enum prn_objective objective;
	double budget, sink;
};

static void divide(void *context)
{
	struct division *division = context;
	double multiplier = 0;

	if (prn_allocate(division->objective, division->rates, division->weights, DIVIDED, division->budget,
	                 division->frequencies, &multiplier))
		abort();
	division->sink += multiplier;
}

static void allocation_rows(void)
{
	static const char *const figures[] = { "allocation of 10^6 pages, freshness", "allocation of 10^6 pages, age",
		                               "allocation of 10^6 pages, binary", "allocation of 10^6 pages, harmonic" };
	struct division *division = malloc(sizeof *division);
	struct prn_random random;

	if (!division)
		abort();
	prn_random_seed(&random, 2, 0);
	for (size_t i = 0; i < DIVIDED; i++) {
		division->rates[i] = pow(10, 6 * prn_random_unit(&random) - 5);
		division->weights[i] = pow(10, 2 * prn_random_unit(&random) - 1);
	}
	division->budget = DIVIDED / 10.0;
	division->sink = 0;
	for (int i = 0; i < 4; i++) {
		double seconds;

		division->objective = (enum prn_objective)i;
		seconds = bench_seconds(BENCH_CPU, divide, division);
		bench_row(figures[i], "<= 2 s", seconds, "s", seconds <= 2);
	}
	free(division);
}

int main(void)
{
	struct work *work = calloc(1, sizeof *work);

	if (!work || prn_fit_open(&work->fit))
		return 1;
	prepare(work);
	row("refit of a page, 32 points, cold", "<= 12 us", 12, refit_cold, work);
	row("refit of a page, 32 points, warm", "<= 2.5 us", 2.5, refit_warm, work);
	row("period from a curve, K = 1 ... 32", "<= 0.5 us", 0.5, periods, work);
	prn_fit_free(work->fit);
	free(work);
	allocation_rows();
	return 0;
}
