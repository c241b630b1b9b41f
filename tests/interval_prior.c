/* GF's prior of two pseudo-intervals: a planted one is found again, and no other pair on a fine net is closer. */
#include "base/random.h"
#include "perennial/error.h"
#include "perennial/interval_prior.h"
#include "tap.h"

#define PAGES 20000
#define CELLS 100

static const struct prn_interval_grid grid = { 5, 500 };
static double intervals[PAGES];

/* Draws pages from the posterior of t_c and t_u on the grid, cell by cell, by the inverse of its sums. */
static void plant(double changed, double unchanged, uint64_t seed)
{
	double sums[CELLS + 1] = { 0 };
	struct prn_random random;

	prn_random_seed(&random, seed, 0);
	for (int i = 0; i < CELLS; i++) {
		double interval = 5 * (i + 0.5);

		sums[i + 1] = sums[i] + (1 - exp(-changed / interval)) * exp(-unchanged / interval);
	}
	for (int page = 0; page < PAGES; page++) {
		double at = prn_random_unit(&random) * sums[CELLS];
		int cell = 0;

		while (sums[cell + 1] < at)
			cell++;
		intervals[page] = 5 * (cell + prn_random_unit(&random));
	}
}

static void planted(void)
{
	struct prn_interval_prior prior, again, other;
	double truth = 0, closest = 1, distance = 0, to_c = 0, to_u = 0;

	plant(80, 40, 1);
	ok(!prn_interval_prior_fit(intervals, PAGES, &grid, 1, &prior),
	   "a prior is fitted to 20000 pages drawn from lengths 80 and 40");
	printf("# fitted %.3f and %.3f, distance %.5f\n", prior.changed, prior.unchanged, prior.distance);
	ok(prior.used == PAGES, "all 20000 pages are on the grid");
	prn_interval_prior_distance(intervals, PAGES, &grid, 80, 40, &truth);
	ok(prior.distance <= truth,
	   "the fitted prior is closer to the pages than the one that they were drawn from (%.5f, %.5f)", prior.distance,
	   truth);
	/* Each of 100 shares has a standard error of sqrt(0.01 · 0.99 / 20000) or so. */
	near(prior.distance, 0, 2 * sqrt(0.99 / 20000),
	     "the fitted prior is at a distance that sampling explains");
	near(prior.unchanged / 40, 1, 0.1, "the unchanged length is found within 10 %%");
	near(prior.changed / 80, 1, 0.3, "the changed length, which matters less, is found within 30 %%");
	ok(!prn_interval_prior_distance(intervals, PAGES, &grid, prior.changed, prior.unchanged, &distance) &&
	           distance == prior.distance,
	   "the distance of a fitted prior is that of its lengths");
	for (double c = 1; c < 3000; c *= 1.1)
		for (double u = 1; u < 3000; u *= 1.1)
			if (!prn_interval_prior_distance(intervals, PAGES, &grid, c, u, &distance) &&
			    distance < closest) {
				closest = distance;
				to_c = c;
				to_u = u;
			}
	ok(prior.distance <= closest,
	   "no pair of lengths on a net of 10 %% is closer than the fitted one (%.1f and %.1f: %.5f)", to_c, to_u,
	   closest);
	prn_interval_prior_fit(intervals, PAGES, &grid, 1, &again);
	ok(again.changed == prior.changed && again.unchanged == prior.unchanged,
	   "the same seed fits the same prior");
	prn_interval_prior_fit(intervals, PAGES, &grid, 2, &other);
	near(other.distance / prior.distance, 1, 1e-3, "another seed fits a prior that is as close");
}

/* By hand: two cells of middles 1 and 3, t_c without limit and t_u = 3: weights e^-3 and e^-1. */
static void by_hand(void)
{
	static const double pages[] = { 0.5, 1.9, 2.5, 4 };
	const struct prn_interval_grid two = { 2, 4 };
	double distance = 0, want = fabs(exp(-3) / (exp(-3) + exp(-1)) - 0.5) * sqrt(2);

	ok(!prn_interval_prior_distance(pages, 4, &two, 1e9, 3, &distance),
	   "four pages in two cells have a distance");
	near(distance, want, 1e-12, "the distance of four pages in two cells is as worked by hand");
}

static void degenerate(void)
{
	static const double one[] = { 30 }, alike[] = { 30, 30, 30 }, wild[] = { 1e-3, 30, 499, 501, 1e9 };
	struct prn_interval_prior prior = { 7, 7, 7, 7 };

	ok(!prn_interval_prior_fit(one, 1, &grid, 1, &prior), "a prior is fitted to one page");
	ok(isfinite(prior.changed) && isfinite(prior.unchanged), "a prior that is fitted to one page is finite");
	ok(!prn_interval_prior_fit(alike, 3, &grid, 1, &prior) && prior.distance < sqrt(2),
	   "a prior is fitted to pages that are all alike");
	ok(!prn_interval_prior_fit(wild, 5, &grid, 1, &prior) && prior.used == 3,
	   "pages beyond the grid are left out");
	prior = (struct prn_interval_prior){ 7, 7, 7, 7 };
	ok(prn_interval_prior_fit(wild + 3, 2, &grid, 1, &prior) == PRN_E_ARGUMENT,
	   "a fit without a page on the grid is refused");
	ok(prn_interval_prior_fit(one, 0, &grid, 1, &prior) == PRN_E_ARGUMENT, "a fit without a page is refused");
	ok(prn_interval_prior_fit(one, 1, &(struct prn_interval_grid){ 0, 1 }, 1, &prior) == PRN_E_ARGUMENT,
	   "a grid whose cells have no width is refused");
	ok(prn_interval_prior_fit(one, 1, &(struct prn_interval_grid){ 1e-3, 500 }, 1, &prior) == PRN_E_ARGUMENT,
	   "a grid of too many cells is refused");
	ok(prn_interval_prior_fit((double[]){ 30, -1 }, 2, &grid, 1, &prior) == PRN_E_ARGUMENT,
	   "an interval below 0 is refused");
	ok(prior.changed == 7 && prior.used == 7, "a fit that is refused writes nothing");
	ok(!prn_interval_prior_fit(one, 1, &(struct prn_interval_grid){ 40, 40 }, 1, &prior) &&
	           prior.distance == 0,
	   "a grid of one cell holds all and has distance 0");
	ok(!prn_interval_prior_fit(one, 1, &(struct prn_interval_grid){ 1e28, 1e30 }, 1, &prior),
	   "a prior is fitted on a huge grid");
}

int main(void)
{
	planted();
	by_hand();
	degenerate();
	return done();
}
