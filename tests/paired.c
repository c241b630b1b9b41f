/* Intervals of paired measurements: against published tables, against integration, and how often they are right. */
#include "soak/paired.h"
#include "base/random.h"
#include "tap.h"

#define STEPS 20000

/* Student's density, integrated from 0 to t by Simpson's rule, both sides. */
static double integrated(double t, uint64_t degrees)
{
	double n = (double)degrees, step = t / STEPS, sum = 0;
	double factor = exp(lgamma((n + 1) / 2) - lgamma(n / 2)) / sqrt(n * acos(-1));

	for (int i = 0; i <= STEPS; i++) {
		double at = i * step, density = factor * pow(1 + at * at / n, -(n + 1) / 2);

		sum += density * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
	}
	return 2 * sum * step / 3;
}

static void test_tables(void)
{
	/* Two-sided 95 and 99 per cent, as every table of Student's t prints them: to three places. */
	static const struct {
		uint64_t degrees;
		double at_95, at_99;
	} rows[] = { { 1, 12.706, 63.657 }, { 2, 4.303, 9.925 }, { 3, 3.182, 5.841 }, { 4, 2.776, 4.604 }, { 9, 2.262, 3.250 },
		     { 29, 2.045, 2.756 }, { 30, 2.042, 2.750 }, { 99, 1.984, 2.626 } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		near(paired_student_bound(0.95, rows[i].degrees), rows[i].at_95, 5e-4,
		     "the tables' bound of 95 %% of Student's distribution with %u degrees of freedom", (unsigned)rows[i].degrees);
		near(paired_student_bound(0.99, rows[i].degrees), rows[i].at_99, 5e-4,
		     "the tables' bound of 99 %% of Student's distribution with %u degrees of freedom", (unsigned)rows[i].degrees);
	}
	near(paired_student_bound(0.95, 1000000), 1.959964, 1e-4, "with very many degrees of freedom the bound is the normal distribution's");
}

static void test_integrated(void)
{
	double worst = 0;

	for (uint64_t degrees = 1; degrees <= 40; degrees++)
		for (double t = 0.25; t < 8; t *= 2)
			worst = fmax(worst, fabs(paired_student_within(t, degrees) - integrated(t, degrees)));
	/* Simpson's own error at this step is below 1e-12. */
	near(worst, 0, 1e-10, "the share within t is the integral of the density, of 1 to 40 degrees of freedom");
	worst = 0;
	for (uint64_t degrees = 1; degrees <= 200; degrees++)
		for (double share = 0.05; share < 1; share += 0.05)
			worst = fmax(worst, fabs(paired_student_within(paired_student_bound(share, degrees), degrees) - share));
	near(worst, 0, 1e-12, "the bound of a share has that share within it, of 1 to 200 degrees of freedom");
}

static void test_pairs(void)
{
	static const double measured[] = { 2.2, 3.3, 6, 1.5 }, beside[] = { 2, 3, 5, 1.5 };
	struct paired paired = { 0 }, level = { 0 };

	ok(isinf(paired_half_width(&paired, 0.95)), "of no pair nothing is known");
	paired_add(&paired, measured[0], beside[0]);
	ok(isinf(paired_half_width(&paired, 0.95)), "of one pair nothing is known");
	for (size_t i = 1; i < 4; i++)
		paired_add(&paired, measured[i], beside[i]);
	/* Ratios 1.1, 1.1, 1.2, 1: their mean 1.1, their variance .02 / 3, three degrees of freedom. */
	near(paired.mean, 1.1, 1e-12, "the mean is of each pair's own ratio");
	near(paired_half_width(&paired, 0.95), 3.182446 * sqrt(0.02 / 3 / 4), 1e-6, "the half width is t times the standard error of the mean");
	for (unsigned i = 1; i <= 20; i++)
		paired_add(&level, 1e6 * i, 1e6 * i);
	ok(fabs(level.mean - 1) <= 0 && paired_half_width(&level, 0.95) <= 0, "pairs that are level are known to be level, however much they differ in size");
}

static void test_shown(void)
{
	const struct paired four = { 4, 1.02, 0.0012 }, one = { 1, 0.5, 0 };
	double half = paired_half_width(&four, 0.95); /* 3.182 times .01 */

	ok(paired_shows(&four, 1.02 + half + 1e-9, 0.95) == PAIRED_HELD, "a claim is held when the upper end of the interval is allowed");
	ok(paired_shows(&four, 1.02 + half - 1e-9, 0.95) == PAIRED_OPEN, "a claim is open when the mean is allowed, and the upper end of the interval is not");
	ok(paired_shows(&four, 1.02 - half + 1e-9, 0.95) == PAIRED_OPEN, "a claim is open when just the lower end of the interval is allowed");
	ok(paired_shows(&four, 1.02 - half - 1e-9, 0.95) == PAIRED_BROKEN, "a claim is broken when the lower end of the interval is not allowed");
	ok(paired_shows(&one, 1.03, 0.95) == PAIRED_OPEN, "of one pair no claim is held, and none broken");
}

static double normal(struct prn_random *random)
{
	return sqrt(-2 * log(1 - prn_random_unit(random))) * cos(2 * acos(-1) * prn_random_unit(random));
}

/* What an interval of 95 per cent promises: that 95 of a hundred such have the true ratio in them. */
static void test_coverage(unsigned pairs)
{
	enum { TRIALS = 20000 };
	struct prn_random random;
	unsigned within = 0;

	prn_random_seed(&random, 11, pairs);
	for (unsigned trial = 0; trial < TRIALS; trial++) {
		struct paired paired = { 0 };

		for (unsigned i = 0; i < pairs; i++)
			paired_add(&paired, (1.02 + 0.05 * normal(&random)) * 7, 7);
		within += fabs(paired.mean - 1.02) <= paired_half_width(&paired, 0.95);
	}
	/* Four standard errors of 20,000 trials: sqrt(.95 * .05 / 20000) = .0015. */
	near((double)within / TRIALS, 0.95, 0.0062, "95 of 100 intervals of %u pairs have the true ratio in them", pairs);
}

int main(void)
{
	test_tables();
	test_integrated();
	test_pairs();
	test_shown();
	test_coverage(2);
	test_coverage(5);
	test_coverage(30);
	return done();
}
