/* The Poisson check: p-values are uniform when changes are a Poisson process, small when they are not. */
#include "longevity/poisson.h"
#include "base/random.h"
#include "tap.h"

#include <stdlib.h>

enum { WAITS = 90, DRAWS = 99 };

/* Waits of an even grid, or of one whose second half is four times as coarse. */
static void make_waits(double waits[WAITS], bool even)
{
	for (int i = 0; i < WAITS; i++)
		waits[i] = even || i < WAITS / 2 ? 0.5 : 2;
}

static void poisson_changes(struct prn_random *random, const double *waits, double rate, bool *changed)
{
	for (int i = 0; i < WAITS; i++)
		changed[i] = prn_random_unit(random) < -expm1(-rate * waits[i]);
}

static struct prn_poisson open_poisson(void)
{
	struct prn_poisson poisson;

	if (prn_poisson_init(&poisson, DRAWS))
		abort();
	return poisson;
}

static int order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The largest distance between the distribution of p and the uniform one on 1/(DRAWS+1) … 1. */
static double from_uniform(double *p, size_t count)
{
	double worst = 0;

	qsort(p, count, sizeof *p, order);
	for (size_t i = 0; i < count; i++) {
		worst = fmax(worst, fabs((double)(i + 1) / (double)count - p[i]));
		worst = fmax(worst, fabs((double)i / (double)count - (p[i] - 1.0 / (DRAWS + 1))));
	}
	return worst;
}

static void test_uniform(bool even)
{
	enum { CORPORA = 300, PAGES = 4 };
	struct prn_poisson page = open_poisson();
	double waits[WAITS], p[CORPORA];
	bool changed[WAITS];

	make_waits(waits, even);
	for (int i = 0; i < CORPORA; i++) {
		struct prn_poisson sum = open_poisson();
		struct prn_random random;

		prn_random_seed(&random, 3, (uint64_t)i);
		for (int j = 0; j < PAGES; j++) {
			poisson_changes(&random, waits, 0.1 * (j + 1), changed);
			if (prn_poisson_read(&page, waits, changed, WAITS, 17, (uint64_t)(i * PAGES + j)) > 0)
				prn_poisson_add(&sum, &page);
		}
		p[i] = prn_poisson_p(&sum);
		prn_poisson_release(&sum);
	}
	/* Kolmogorov's 0.1 % point for 300 values is 1.95 / sqrt(300) = 0.113. */
	near(from_uniform(p, CORPORA), 0, 0.113, "p is uniform over Poisson corpora on %s grid", even ? "an even" : "an uneven");
	prn_poisson_release(&page);
}

static double p_of(const double *waits, const bool *changed, size_t count)
{
	struct prn_poisson page = open_poisson();
	double p = -1;

	if (prn_poisson_read(&page, waits, changed, count, 1, 1) > 0)
		p = prn_poisson_p(&page);
	prn_poisson_release(&page);
	return p;
}

static void test_power(void)
{
	double waits[WAITS];
	bool weekly[WAITS], bursts[WAITS];

	make_waits(waits, true);
	for (int i = 0; i < WAITS; i++) {
		weekly[i] = i % 7 == 3;
		bursts[i] = i % 30 < 8;
	}
	near(p_of(waits, weekly, WAITS), 0.01, 1e-9, "changes every 7th capture are no Poisson process: the least p");
	near(p_of(waits, bursts, WAITS), 0.01, 1e-9,
	     "bursts of 8 changes each 30 captures are no Poisson process: the least p");
}

static void test_edges(void)
{
	double waits[WAITS];
	bool changed[WAITS] = { true, false, true };

	make_waits(waits, true);
	near(p_of(waits, changed, WAITS), -1, 0, "two changes are too few to judge");
	for (int i = 0; i < WAITS; i++)
		changed[i] = true;
	near(p_of(waits, changed, WAITS), -1, 0, "a page that changed at every capture cannot be judged");
	near(p_of(waits, changed, 0), -1, 0, "a page with no waits cannot be judged");
}

static void test_bins(void)
{
	struct prn_poisson page = open_poisson();
	struct prn_change_times bins[PRN_CHANGE_TIMES];
	double waits[] = { 1, 1, 1, 1, 1, 1, 1, 1 }, share = 0, expected = 0, exponential = 0;
	bool changed[] = { false, true, true, false, false, true, false, false }; /* 1 and 3 apart: mean 2 */
	uint64_t total = 0;

	prn_poisson_read(&page, waits, changed, 8, 1, 1);
	ok(!prn_poisson_bins(&page, bins), "bins of the times between changes are made");
	for (int i = 0; i < PRN_CHANGE_TIMES; i++) {
		total += bins[i].seen;
		share += bins[i].share;
		expected += bins[i].expected;
		exponential += bins[i].exponential;
	}
	ok(total == 2, "each time between changes is counted once");
	ok(bins[5].seen == 1 && bins[15].seen == 1, "times of 1 and 3 are counted as 0.5 and 1.5 of their mean");
	near(share, 1, 1e-12, "the shares of times between changes add up to 1");
	near(expected, 1, 1e-12, "the shares expected of times between changes add up to 1");
	near(exponential, 1, 1e-12, "the shares of the exponential distribution add up to 1");
	near(bins[10].exponential, exp(-1) - exp(-1.1), 1e-12,
	     "the exponential share of 1 to 1.1 times the mean is that of the distribution");
	prn_poisson_release(&page);
}

/* Times of 7, 1 and 2: 2.1, 0.3 and 0.6 of their mean, which begin bins; 7 / 10 * 3 * 10 in doubles is below 21. */
static void test_bin_edges(void)
{
	struct prn_poisson page = open_poisson();
	struct prn_change_times bins[PRN_CHANGE_TIMES];
	double waits[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	bool changed[] = { true, false, false, false, false, false, false, true, true, false, true, false };
	static const unsigned edges[] = { 3, 6, 21 };

	prn_poisson_read(&page, waits, changed, 12, 1, 1);
	prn_poisson_bins(&page, bins);
	for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
		ok(bins[edges[i]].seen == 1,
		   "a time that begins bin %u is counted in it, whatever its ratio is rounded to", edges[i]);
	prn_poisson_release(&page);
}

int main(void)
{
	test_uniform(true);
	test_uniform(false);
	test_power();
	test_edges();
	test_bins();
	test_bin_edges();
	return done();
}
