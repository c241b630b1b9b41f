/* Survival from censored lives: a published table, exponential lives, bins, and intervals. */
#include "longevity/survival_internal.h"
#include "base/random.h"
#include "longevity/draws.h"
#include "tap.h"

#include <stdlib.h>

static struct prn_survival *open_survival(size_t clusters)
{
	struct prn_survival *survival;

	if (prn_survival_open(&survival, clusters))
		abort();
	return survival;
}

static const struct prn_survival_point *point_at(const struct prn_survival *survival, double duration)
{
	const struct prn_survival_point *points = prn_survival_points(survival), *last = NULL;

	for (size_t i = 0; i < prn_survival_count(survival) && points[i].duration <= duration + 1e-9; i++)
		last = &points[i];
	return last;
}

/*
 * Remission of leukaemia under 6-mercaptopurine, weeks (Freireich et al. 1963; the estimate as printed in Cox and
 * Oakes, Analysis of Survival Data, 1984, table 4.1, and many others).  Negative: censored.
 */
static void test_published(void)
{
	static const int weeks[] = { 6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35 };
	static const struct { double week, survival; uint64_t at_risk; } table[] = {
		{ 6, 0.857, 21 }, { 7, 0.807, 17 }, { 10, 0.753, 15 }, { 13, 0.690, 12 },
		{ 16, 0.627, 11 }, { 22, 0.538, 7 }, { 23, 0.448, 6 },
	};
	struct prn_survival *survival = open_survival(0);

	for (size_t i = 0; i < sizeof weeks / sizeof *weeks; i++)
		prn_survival_add(survival, 0, abs(weeks[i]), weeks[i] < 0 ? PRN_CENSORED_RIGHT : PRN_CENSORED_NOT);
	ok(!prn_survival_finish(survival, NULL), "a survival is finished");
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct prn_survival_point *point = point_at(survival, table[i].week);

		near(point->survival.value, table[i].survival, 0.0005, "published remission after %g weeks", table[i].week);
		near((double)point->at_risk, (double)table[i].at_risk, 0,
		     "published numbers at risk after %g weeks",
		     table[i].week);
	}
	near(prn_survival_median(survival).value, 23, 1e-9, "the median is the published one, 23 weeks");
	near(point_at(survival, 35)->survival.value, 0.448, 0.0005, "the curve stays level where lives are only censored");
	near(point_at(survival, 10)->known_only, 4.0 / 9, 1e-12, "of the 9 known remissions 4 outlast 10 weeks");
	prn_survival_free(survival);
}

/* Lives of mean 1, each watched for a time of its own: censoring drags the known ones down, not the estimate. */
static void test_exponential(void)
{
	struct prn_survival *survival = open_survival(0);
	struct prn_random random;
	double worst = 0, known_at_1;

	prn_random_seed(&random, 1, 0);
	for (int i = 0; i < 100000; i++) {
		double life = prn_random_exponential(&random, 1), watched = 2 * prn_random_unit(&random);

		prn_survival_add(survival, 0, fmin(life, watched), life <= watched ? PRN_CENSORED_NOT : PRN_CENSORED_RIGHT);
	}
	prn_survival_finish(survival, NULL);
	for (size_t i = 0; i < prn_survival_count(survival); i++) {
		const struct prn_survival_point *point = &prn_survival_points(survival)[i];

		if (point->duration > 0.01 && point->duration < 1.5)
			worst = fmax(worst, fabs(point->survival.value - exp(-point->duration)));
	}
	/* 4 standard errors of 0.0022 at 1.5, and half a bin: 0.0055 of a duration of 1 on a slope of 0.37. */
	near(worst, 0, 0.012, "Kaplan-Meier finds the exponential law through heavy censoring");
	known_at_1 = point_at(survival, 1)->known_only;
	ok(known_at_1 < 0.28, "the known lives alone say %.3f of e^-1 = 0.368 after 1", known_at_1);
	near(prn_survival_median(survival).value, log(2), 0.02,
	     "the median of the exponential law is ln 2, within two bins");
	prn_survival_free(survival);
}

static void test_bins(void)
{
	struct prn_survival *survival = open_survival(0);
	bool exact = true;
	size_t many;

	for (int step = 1; step <= 92; step++)
		prn_survival_add(survival, 0, step * 0.125, PRN_CENSORED_NOT);
	prn_survival_add(survival, 0, 0, PRN_CENSORED_NOT);
	prn_survival_add(survival, 0, NAN, PRN_CENSORED_NOT);
	prn_survival_finish(survival, NULL);
	ok(prn_survival_count(survival) == 92, "92 steps of a grid are 92 points; durations of 0 and NaN are left out");
	for (size_t i = 0; i < prn_survival_count(survival); i++)
		exact = exact && fabs(prn_survival_points(survival)[i].duration - (double)(i + 1) * 0.125) < 1e-12;
	ok(exact, "each point of a grid is at its own duration");
	prn_survival_free(survival);

	survival = open_survival(0);
	for (int i = 1; i < 200000; i++)
		prn_survival_add(survival, 0, i * 1e-6, PRN_CENSORED_LEFT);
	prn_survival_add(survival, 0, 1e300, PRN_CENSORED_BOTH);
	prn_survival_add(survival, 0, 1e-300, PRN_CENSORED_BOTH);
	prn_survival_finish(survival, NULL);
	many = prn_survival_count(survival);
	ok(many < 1300, "200,000 different durations are %zu points", many);
	ok(prn_survival_total(survival, PRN_CENSORED_LEFT) == 199999 && prn_survival_total(survival, PRN_CENSORED_BOTH) == 2,
	   "no duration is lost, however long or short");
	ok(isnan(prn_survival_median(survival).value),
	   "without a life whose birth was seen there is no median");
	prn_survival_free(survival);
}

/* S falls to just a half at 1. */
static void test_median_of_two(void)
{
	struct prn_survival *survival = open_survival(0);

	prn_survival_add(survival, 0, 1, PRN_CENSORED_NOT);
	prn_survival_add(survival, 0, 2, PRN_CENSORED_NOT);
	prn_survival_finish(survival, NULL);
	near(prn_survival_median(survival).value, 1, 1e-9, "the median is the duration by which half are gone, not more than half");
	prn_survival_free(survival);
}

/* The interval at 3 of lives in 20 clusters, and as many lives again whose birth was not seen, or none. */
static struct prn_interval interval_with(size_t unseen)
{
	enum { CLUSTERS = 20 };
	uint32_t in_use[CLUSTERS];
	struct prn_draws draws = { CLUSTERS, 200, in_use, CLUSTERS, 5 };
	struct prn_survival *survival = open_survival(CLUSTERS);
	struct prn_interval interval;

	for (uint32_t c = 0; c < CLUSTERS; c++) {
		in_use[c] = c;
		for (int i = 1; i <= 6; i++)
			prn_survival_add(survival, c, (double)(1 + (i + (int)c) % 6), PRN_CENSORED_NOT);
		prn_survival_add(survival, c, 1 + c % 2, PRN_CENSORED_NOT);
		for (size_t i = 0; i < unseen; i++)
			prn_survival_add(survival, c, 8, i % 2 ? PRN_CENSORED_LEFT : PRN_CENSORED_BOTH);
	}
	prn_survival_finish(survival, &draws);
	interval = point_at(survival, 1)->survival;
	prn_survival_free(survival);
	return interval;
}

static void test_unseen_births(void)
{
	struct prn_interval without = interval_with(0), with = interval_with(10);

	ok(without.low < without.value && without.value < without.high, "clusters that differ give an interval");
	near(with.value, without.value, 0, "lives whose birth was not seen leave the estimate as it is");
	ok(with.low == without.low && with.high == without.high,
	   "lives whose birth was not seen leave the interval as it is");
}

static bool covers(const struct prn_interval *interval, double truth)
{
	return interval->low <= truth && truth <= interval->high;
}

/* Clusters whose lives share a mean of their own: how often does the interval hold the law of the mixture? */
static void test_coverage(void)
{
	enum { CORPORA = 200, CLUSTERS = 60, LIVES = 20 };
	uint32_t in_use[CLUSTERS];
	int held = 0, ordered = 0;

	for (uint32_t c = 0; c < CLUSTERS; c++)
		in_use[c] = c;
	for (int corpus = 0; corpus < CORPORA; corpus++) {
		struct prn_draws draws = { CLUSTERS, 200, in_use, CLUSTERS, 5 };
		struct prn_survival *survival = open_survival(CLUSTERS);
		const struct prn_survival_point *point;
		struct prn_random random;

		prn_random_seed(&random, 9, (uint64_t)corpus);
		for (size_t c = 0; c < CLUSTERS; c++) {
			double mean = prn_random_unit(&random) < 0.5 ? 2 : 8;

			for (int i = 0; i < LIVES; i++) {
				double life = ceil(prn_random_exponential(&random, mean));

				prn_survival_add(survival, c, fmin(life, 10), life <= 10 ? PRN_CENSORED_NOT : PRN_CENSORED_RIGHT);
			}
		}
		prn_survival_finish(survival, &draws);
		point = point_at(survival, 4);
		held += covers(&point->survival, (exp(-4.0 / 2) + exp(-4.0 / 8)) / 2);
		ordered += point->survival.low <= point->survival.value && point->survival.value <= point->survival.high;
		prn_survival_free(survival);
	}
	/* Percentile intervals on 60 clusters hold a little less than 95 %; 4 standard errors of 200 draws are 6 %. */
	ok(held >= 0.87 * CORPORA && held <= 199, "95 %% intervals over clusters hold the truth in %d of 200 corpora", held);
	ok(ordered == CORPORA, "95 %% intervals over clusters always hold the estimate");
}

static void test_no_intervals(void)
{
	uint32_t in_use[] = { 0 };
	struct prn_draws draws = { 1, 100, in_use, 1, 1 };
	struct prn_survival *survival = open_survival(1);

	prn_survival_add(survival, 0, 1, PRN_CENSORED_NOT);
	prn_survival_add(survival, 0, 2, PRN_CENSORED_RIGHT);
	prn_survival_finish(survival, &draws);
	ok(isnan(prn_survival_points(survival)[0].survival.low),
	   "a survival of one cluster has no interval");
	prn_survival_free(survival);
	survival = open_survival(3);
	prn_survival_finish(survival, &draws);
	ok(!prn_survival_count(survival) && isnan(prn_survival_median(survival).value),
	   "a survival to which nothing was added has no points");
	prn_survival_free(survival);
	prn_survival_free(NULL);
}

int main(void)
{
	test_published();
	test_exponential();
	test_bins();
	test_median_of_two();
	test_unseen_births();
	test_coverage();
	test_no_intervals();
	return done();
}
