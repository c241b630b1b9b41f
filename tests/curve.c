/* Divergence curves: closed forms against published values, numerical integration and simulation. */
#include "perennial/curve.h"

#include "base/random.h"
#include "perennial/error.h"
#include "tap.h"

#include <stdlib.h>

static const uint32_t items[] = { 1, 2, 3, 8, 32, 200, 1024 };
static const double shares[] = { 0.001, 0.3, 0.6, 1 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void test_check_values(void)
{
	static const struct {
		double share, rate;
		uint32_t items;
		double t, divergence, utility;
	} rows[] = {
		{ 0.3, 0.5, 1, 4, 0.399076023, 0.548302293 },
		{ 0.3, 0.5, 10, 4, 0.110254424, 0.216452838 },
		{ 0.6, 0.25, 10, 30, 0.590435488, 7.686198077 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct prn_curve curve = prn_curve_scroll(rows[i].share, rows[i].rate, rows[i].items);

		/* nine decimals are given */
		near(prn_curve_divergence(&curve, rows[i].t), rows[i].divergence, 5e-10,
		     "D* has check value %zu of doc/theory.md §3", i + 1);
		near(prn_curve_utility(&curve, rows[i].t), rows[i].utility, 5e-10,
		     "U has check value %zu of doc/theory.md §3", i + 1);
	}
}

static void test_churn(void)
{
	struct prn_curve curve = prn_curve_churn(0.4, 0.7);
	double a = 2 * 0.4 / 1.4, t = 3.1, e = exp(-0.7 * t);

	near(prn_curve_divergence(&curve, t), a * (1 - e), 1e-15, "D* of churn is a (1 - e^-λt)");
	near(prn_curve_utility(&curve, t), a * (1 / 0.7 - (t + 1 / 0.7) * e), 1e-15,
	     "U of churn is a (1/λ - (t + 1/λ) e^-λt)");
	near(prn_curve_utility_limit(&curve), a / 0.7, 1e-15, "U(∞) of churn is a/λ");
}

/* Simpson's rule on 4000 panels of ∫0..t x dD*(x) and ∫0..t D*, which knows nothing of the closed forms. */
static void integrate(const struct prn_curve *curve, double t, double *integral, double *utility)
{
	double h = t / 4000, sum = prn_curve_divergence(curve, t);

	for (int i = 1; i < 4000; i++)
		sum += (i % 2 ? 4 : 2) * prn_curve_divergence(curve, h * i);
	*integral = sum * h / 3;
	*utility = t * prn_curve_divergence(curve, t) - *integral;
}

static void test_integrals(void)
{
	double worst_integral = 0, worst_utility = 0;

	for (size_t i = 0; i < COUNT(items); i++)
		for (size_t j = 0; j < COUNT(shares); j++) {
			static const double reaches[] = { 0.1, 0.8, 1.5, 4 };
			struct prn_curve curve = prn_curve_scroll(shares[j], 0.25, items[i]);

			for (size_t k = 0; k < COUNT(reaches); k++) {
				double t = reaches[k] * items[i] / 0.25, integral, utility;

				integrate(&curve, t, &integral, &utility);
				worst_integral = fmax(worst_integral,
				                      fabs(prn_curve_integral(&curve, t) / integral - 1));
				worst_utility = fmax(worst_utility,
				                     fabs(prn_curve_utility(&curve, t) / utility - 1));
			}
		}
	/* Simpson at h with |D''''| <= (λ/h)^4-like scales: at most 1e-8 of the whole on these panels. */
	near(worst_integral, 0, 1e-8, "the integral of D* agrees with Simpson's rule for K = 1 … 1024");
	near(worst_utility, 0, 1e-8, "U agrees with Simpson's rule for K = 1 … 1024");
}

/* The pages of doc/theory.md §3 themselves: K items, each update appends one and evicts the oldest. */
static double simulate(struct prn_random *random, double share, double rate, uint32_t k, double t)
{
	size_t fixed = (size_t)lround(k * (1 - share) / share);
	uint32_t updates = 0;
	double at = prn_random_exponential(random, 1 / rate), common;

	while (at <= t) {
		updates++;
		at += prn_random_exponential(random, 1 / rate);
	}
	common = (double)fixed + (updates < k ? k - updates : 0);
	return 1 - common / (2.0 * ((double)fixed + k) - common);
}

static void test_simulation(void)
{
	static const struct {
		double share;
		uint32_t items;
		double t;
	} cases[] = { { 0.5, 1, 1.3 }, { 0.25, 3, 4 }, { 1, 8, 6 }, { 0.5, 20, 15 } };
	struct prn_random random;

	prn_random_seed(&random, 7, 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct prn_curve curve = prn_curve_scroll(cases[i].share, 0.8, cases[i].items);
		double sum = 0, squares = 0, mean, error;
		int n = 200000;

		for (int j = 0; j < n; j++) {
			double d = simulate(&random, cases[i].share, 0.8, cases[i].items, cases[i].t);

			sum += d;
			squares += d * d;
		}
		mean = sum / n;
		error = sqrt((squares / n - mean * mean) / n);
		/* four standard errors of the mean of 200000 pages: one seed in 16000 fails by chance */
		near(prn_curve_divergence(&curve, cases[i].t), mean, 4 * error,
		     "D* of %u items, share %g, agrees with simulated pages", cases[i].items, cases[i].share);
	}
}

static void test_periods(void)
{
	double worst = 0, worst_limit = 0;
	bool all = true;

	for (size_t i = 0; i < COUNT(items); i++)
		for (size_t j = 0; j < COUNT(shares); j++)
			for (double rate = 1e-6; rate < 1e7; rate *= 1000) {
				struct prn_curve curve = prn_curve_scroll(shares[j], rate, items[i]);
				double limit = prn_curve_utility_limit(&curve), period;

				for (double q = 1e-12; q < 1; q = q < 0.1 ? 10 * q : q + 0.0999) {
					all &= !prn_curve_period(&curve, 2, 2 * q * limit, &period);
					worst = fmax(worst, fabs(prn_curve_utility(&curve, period) / (q * limit) - 1));
				}
				all &= !prn_curve_period(&curve, 1, limit * (1 + 1e-12), &period) && isinf(period);
				worst_limit = fmax(worst_limit,
				                   fabs(prn_curve_utility(&curve, 1e9 / rate) / limit - 1));
			}
	/* the period is good to 1e-13, and U grows at most as its square; sums of 1024 terms round to 1e-13 */
	near(worst, 0, 1e-12, "W U(period) is T over K, g, λ and T from 1e-12 to 0.999 of U(∞)");
	ok(all, "a T beyond W U(∞) is never reached");
	near(worst_limit, 0, 1e-12, "U(t) tends to U(∞)");
}

static void test_monotone(void)
{
	struct prn_random random;
	bool divergence = true, utility = true, bounded = true;

	prn_random_seed(&random, 3, 0);
	for (int i = 0; i < 2000; i++) {
		uint32_t k = 1 + (uint32_t)prn_random_below(&random, i % 2 ? 40 : PRN_CURVE_ITEMS);
		struct prn_curve curve = prn_curve_scroll(prn_random_unit(&random), 1, k);
		double t = k * pow(10, -6 + 9 * prn_random_unit(&random)) / 30, later = t * 1.001;

		/* a rounding of the last digits is no decrease */
		divergence &= prn_curve_divergence(&curve, later) >= prn_curve_divergence(&curve, t) * (1 - 1e-13);
		utility &= prn_curve_utility(&curve, later) >= prn_curve_utility(&curve, t) * (1 - 1e-13);
		bounded &= prn_curve_divergence(&curve, t) >= 0 && prn_curve_divergence(&curve, t) <= 1 &&
		           prn_curve_utility(&curve, t) >= 0;
	}
	ok(divergence, "D* never decreases");
	ok(utility, "U never decreases");
	ok(bounded, "D* is in [0, 1] and U is not negative");
}

static void test_tiny(void)
{
	struct prn_curve churn = prn_curve_churn(1, 1), scroll = prn_curve_scroll(0.5, 1e-3, 32);
	double t = 1e-9, first = 2 * 0.5 / (32 + 0.5), period;

	/* P(2, y) = y²/2 - y³/3 + …: the second term is 7e-10 of the first */
	near(prn_curve_utility(&churn, t) / (t * t / 2), 1, 1e-8, "U of churn keeps its digits at λt = 1e-9");
	near(prn_curve_utility(&scroll, t) / (first * 1e-3 * t * t / 2), 1, 1e-8,
	     "U of scroll keeps its digits at λt = 1e-12");
	near(prn_curve_utility(&scroll, 1e-60) / (first * 1e-3 * 1e-120 / 2), 1, 1e-12,
	     "U of scroll keeps its digits at λt = 1e-63");
	near(prn_curve_divergence(&scroll, 1e-60) / (first * 1e-63), 1, 1e-12,
	     "D* of scroll keeps its digits at λt = 1e-63");
	ok(!prn_curve_period(&scroll, 1, 1e-100, &period), "a tiny T has a period");
	near(period / sqrt(2e-100 / (first * 1e-3)), 1, 1e-12, "the period of a tiny T is the parabola's");
}

static void test_edges(void)
{
	struct prn_curve still = prn_curve_churn(0, 1), rateless = prn_curve_scroll(1, 0, 5);
	struct prn_curve line = prn_curve_line(0.5), level = prn_curve_line(0), scroll = prn_curve_scroll(1, 2, 4);
	double period = 42;

	ok(prn_curve_period(&line, 0, 1, &period) == PRN_E_ARGUMENT &&
	           prn_curve_period(&line, INFINITY, 1, &period) == PRN_E_ARGUMENT,
	   "a weight that is not positive and finite is refused");
	ok(prn_curve_period(&line, 1, 0, &period) == PRN_E_ARGUMENT && prn_curve_period(&line, 1, NAN, &period) == PRN_E_ARGUMENT,
	   "a T that is not positive and finite is refused");
	ok(period == 42, "a period that is refused leaves the output untouched");
	ok(!prn_curve_period(&still, 1, 1, &period) && isinf(period), "a static page is never worth a refresh");
	ok(!prn_curve_period(&rateless, 1, 1, &period) && isinf(period),
	   "a page with no updates is never worth a refresh");
	ok(!prn_curve_period(&level, 1, 1, &period) && isinf(period),
	   "a page whose curve is a level line is never worth a refresh");
	ok(!prn_curve_period(&line, 4, 9, &period), "a line has a period");
	near(period, sqrt(2 * 9 / (4 * 0.5)), 1e-15, "the period of a line is sqrt(2 T / (W s))");
	near(prn_curve_utility(&line, 3), 0.5 * 9 / 2, 1e-15, "a line's U is s t²/2");
	near(prn_curve_integral(&line, 3), 0.5 * 9 / 2, 1e-15, "a line's integral is s t²/2");
	ok(isinf(prn_curve_integral(&line, 1e160)) && isinf(prn_curve_integral(&line, INFINITY)),
	   "a line's integral is infinite at infinity, and where it is above any double");
	ok(isinf(prn_curve_utility_limit(&line)), "U(∞) of a rising line is without bound");
	ok(prn_curve_utility_limit(&level) == 0, "U(∞) of a level line is 0");
	ok(prn_curve_utility_limit(&still) == 0, "U(∞) of a static page is 0");
	ok(prn_curve_divergence(&scroll, 0) == 0, "D* of scroll is 0 at t = 0");
	ok(prn_curve_utility(&scroll, 0) == 0, "U of scroll is 0 at t = 0");
	ok(prn_curve_integral(&scroll, 0) == 0, "the integral of scroll is 0 at t = 0");
	near(prn_curve_divergence(&scroll, INFINITY), 1, 1e-15, "D* of scroll at infinity is 2g/(1+g)");
	near(prn_curve_utility(&scroll, INFINITY), prn_curve_utility_limit(&scroll), 1e-15,
	     "U of scroll at infinity is U(∞)");
	ok(prn_curve_scroll(1, 1, 0).items == 1 && prn_curve_scroll(1, 1, 99999).items == PRN_CURVE_ITEMS,
	   "the K of a scroll curve is kept in range");
}

int main(void)
{
	test_check_values();
	test_churn();
	test_integrals();
	test_simulation();
	test_periods();
	test_monotone();
	test_tiny();
	test_edges();
	return done();
}
