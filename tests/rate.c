/* Change rates: the published worked example, the edges, simulation, and what bounded memory costs. */
#include "perennial/rate.h"

#include "base/random.h"
#include "tap.h"

#define VISITS 200

static void test_worked(void)
{
	struct prn_rate_history history = { 0 };

	ok(prn_rate_mle(&history) == 0, "no visits: rate 0");
	prn_rate_history_add(&history, 6, true);
	prn_rate_history_add(&history, 4, false);
	prn_rate_history_add(&history, 3, true);
	prn_rate_history_add(&history, 7, false);
	/* given to three digits (Cho §6.3; theory.md 9) */
	near(20 * prn_rate_mle(&history), 2.67, 0.005, "changed after 6 h and 3 h, not after 4 h and 7 h");
}

static void test_edges(void)
{
	struct prn_rate_history never = { 0 }, always = { 0 }, regular = { 0 };

	prn_rate_history_add(&never, 5, false);
	prn_rate_history_add(&never, 7, false);
	near(1 / prn_rate_mle(&never), 12, 1e-12, "never changed: 1/λ = Σ t");
	ok(never.changes == 0, "and no change was seen");
	prn_rate_history_add(&always, 5, true);
	prn_rate_history_add(&always, 2, true);
	prn_rate_history_add(&always, 7, true);
	near(1 / prn_rate_mle(&always), 2, 1e-6, "always changed: 1/λ = min t (single precision)");
	for (int i = 0; i < 10; i++)
		prn_rate_history_add(&regular, 1, i < 6);
	/* at one interval I the likelihood has the closed form -log(1 - X/n)/I */
	near(prn_rate_mle(&regular), -log(0.4), 1e-6, "6 of 10 daily visits: -log(1 - X/n)");
}

/* The likelihood's slope over all visits, each kept: the equation before any grouping. */
static double exact_mle(const double *intervals, const bool *changed, size_t n)
{
	double low = 1e-12, high = 1e6;

	while (high / low > 1 + 1e-12) {
		double rate = sqrt(low * high), slope = 0;

		for (size_t i = 0; i < n; i++)
			slope += changed[i] ? intervals[i] / expm1(rate * intervals[i]) : -intervals[i];
		*(slope > 0 ? &low : &high) = rate;
	}
	return low;
}

/* Intervals as policies make them: anywhere within two decades, or a few repeated ones. */
static void test_groups(void)
{
	double worst = 0, worst_few = 0;
	struct prn_random random;

	prn_random_seed(&random, 4, 0);
	for (int page = 0; page < 300; page++) {
		struct prn_rate_history history = { 0 };
		double intervals[VISITS], rate = pow(10, -1.5 + 2 * prn_random_unit(&random)), error;
		bool changed[VISITS], few = page % 3 == 0;
		size_t n = 20 + prn_random_below(&random, VISITS - 20);

		for (size_t i = 0; i < n; i++) {
			intervals[i] = few ? 1 + (double)prn_random_below(&random, PRN_RATE_GROUPS)
			                   : pow(10, -1 + 2 * prn_random_unit(&random));
			changed[i] = prn_random_unit(&random) < -expm1(-rate * intervals[i]);
			prn_rate_history_add(&history, intervals[i], changed[i]);
		}
		if (history.changes == 0 || !(history.unchanged > 0))
			continue;
		error = fabs(prn_rate_mle(&history) / exact_mle(intervals, changed, n) - 1);
		*(few ? &worst_few : &worst) = fmax(few ? worst_few : worst, error);
	}
	near(worst_few, 0, 1e-6, "up to %d different intervals: exact to single precision", PRN_RATE_GROUPS);
	near(worst, 0, 0.02, "20 to 200 different ones over two decades: within 2 %%, a tenth of what is known");
}

static void test_simulation(void)
{
	double sum = 0, rate = 0.3;
	struct prn_random random;
	int pages = 2000;

	prn_random_seed(&random, 6, 0);
	for (int page = 0; page < pages; page++) {
		struct prn_rate_history history = { 0 };

		for (int i = 0; i < 100; i++) {
			double interval = 1 + (double)prn_random_below(&random, 5);

			prn_rate_history_add(&history, interval, prn_random_unit(&random) < -expm1(-rate * interval));
		}
		sum += prn_rate_mle(&history) / pages;
	}
	/* one page's error is 13 %, the mean of 2000 has 0.3 %; the estimator's own bias at 100 visits is 1 % */
	near(sum / rate, 1, 0.02, "Poisson changes seen at irregular visits: the rate is recovered");
}

static void test_finite(void)
{
	struct prn_random random;
	bool finite = true;

	prn_random_seed(&random, 8, 0);
	for (int page = 0; page < 2000; page++) {
		struct prn_rate_history history = { 0 };
		double share = page % 5 / 4.0, scale = pow(10, -40 + 80 * prn_random_unit(&random));

		for (int i = 0; i < 50; i++) {
			double spread = page % 2 ? pow(10, 20 * prn_random_unit(&random)) : 1, rate;

			prn_rate_history_add(&history, scale * spread, prn_random_unit(&random) < share);
			rate = prn_rate_mle(&history);
			finite &= isfinite(rate) && rate >= 0;
		}
	}
	ok(finite, "no changes to all changes, intervals over 100 decades: finite");
}

int main(void)
{
	test_worked();
	test_edges();
	test_groups();
	test_simulation();
	test_finite();
	return done();
}
