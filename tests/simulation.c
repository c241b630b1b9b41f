/*
 * Simulated estimators against exact expectations: summed over the binomial distribution of visits that see a change, with
 * the formulas of the estimators written out again here.
 */
#include "perennial/simulation.h"
#include "tap.h"

#include <stdlib.h>

#define PAGES 20000

struct setup {
	struct prn_simulation simulation;
	struct prn_schedule schedule;
	struct prn_estimator estimator;
};

static struct setup set_up(const char *process, double rate, const char *schedule, const char *estimator)
{
	struct setup setup = { .simulation = { .rate = rate, .pages = PAGES, .seed = 3, .threads = 2 } };

	if (prn_process_init(&setup.simulation.process, process, NULL) ||
	    prn_schedule_init(&setup.schedule, schedule, NULL) || prn_estimator_init(&setup.estimator, estimator, NULL))
		abort();
	return setup;
}

static struct prn_simulated_estimate run(const struct setup *setup, enum prn_simulation_of of, uint64_t visits)
{
	struct prn_simulated_estimate simulated;

	if (prn_simulate_estimator(&setup->simulation, &setup->schedule, 1, &setup->estimator, of, &visits, 1, &simulated, NULL))
		abort();
	return simulated;
}

static double naive_of(double x, double n)
{
	return x / n;
}

static double ratio_of(double x, double n)
{
	return -log((n - x + 0.5) / (n + 0.5));
}

struct expected {
	double mean, spread, deviation, none;
	double spread_error; /* the standard error of a spread over PAGES pages: spread √((kurtosis - 1)/4n) */
};

/* Pr[X = x]: of n regular visits at r changes per interval so many see one. */
static double binomial_of(int x, int n, double r)
{
	return exp(lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1) + x * log(-expm1(-r)) - (n - x) * r);
}

/* n regular visits at rate r per interval: X is binomial.  interval: of r/r̂, where X > 0. */
static struct expected expect(double (*estimate)(double x, double n), double r, int n, bool interval)
{
	struct expected expected = { 0 };
	double squares = 0, fourth = 0, judged = 0;

	for (int x = 0; x <= n; x++) {
		double p = binomial_of(x, n, r), ratio = interval ? r / estimate(x, n) : estimate(x, n) / r;

		expected.none += x ? 0 : p;
		if (!isfinite(ratio))
			continue;
		judged += p;
		expected.mean += p * ratio;
		squares += p * ratio * ratio;
		expected.deviation += p * fabs(ratio - 1);
	}
	expected.mean /= judged;
	expected.deviation /= judged;
	expected.spread = sqrt(squares / judged - expected.mean * expected.mean);
	for (int x = 0; x <= n; x++) {
		double ratio = interval ? r / estimate(x, n) : estimate(x, n) / r;

		if (isfinite(ratio))
			fourth += binomial_of(x, n, r) / judged * pow((ratio - expected.mean) / expected.spread, 4);
	}
	expected.spread_error = expected.spread * sqrt((fourth - 1) / 4 / PAGES);
	return expected;
}

static void against(const char *name, double (*estimate)(double x, double n), double r, int n, bool interval)
{
	const struct setup setup = set_up("poisson", r, "regular", name);
	struct prn_simulated_estimate got =
		run(&setup, interval ? PRN_SIMULATION_OF_INTERVAL : PRN_SIMULATION_OF_RATE, (uint64_t)n);
	struct expected want = expect(estimate, r, n, interval);
	double error = want.spread / sqrt(PAGES * (interval ? 1 - want.none : 1));

	/* Four standard errors of each figure. */
	near(got.mean, want.mean, 4 * error, "%s%s at r = %g after %d visits: mean %.4f", name, interval ? " (Δ)" : "", r, n,
	     want.mean);
	near(got.error * sqrt(PAGES * (interval ? 1 - got.none : 1)), got.spread, 1e-6,
	     "%s at r = %g after %d visits: the standard error is the spread over √pages", name, r, n);
	near(got.spread, want.spread, 4 * want.spread_error,
	     "%s at r = %g after %d visits: spread %.4f", name, r, n, want.spread);
	near(got.deviation, want.deviation, 4 * error,
	     "%s at r = %g after %d visits: mean absolute deviation %.4f", name, r, n, want.deviation);
	near(got.none, want.none, 4 * sqrt(want.none / PAGES) + 1e-12,
	     "%s at r = %g after %d visits: no change was seen on a share of %.4f", name, r, n, want.none);
	near(got.found, -expm1(-r) / r, 4 / sqrt(PAGES * r * n),
	     "%s at r = %g after %d visits: a share of (1 - e^-r)/r of the changes is found", name, r, n);
	near(got.time, n, 1e-9 * n, "the time of %d visits at interval 1", n);
}

static void binomial(void)
{
	static const double rates[] = { 0.1, 1, 2 };
	static const int visits[] = { 3, 10, 50 };

	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++) {
			against("naive", naive_of, rates[i], visits[j], false);
			against("ratio", ratio_of, rates[i], visits[j], false);
		}
	against("ratio", ratio_of, 0.5, 5, true);
	against("naive", naive_of, 0.1, 10, true);
}

/* Long runs tend to what the law of large numbers says. */
static void schedules(void)
{
	struct setup setup = set_up("poisson", 3, "poisson", "naive");
	struct prn_simulated_estimate got;

	setup.simulation.pages = 200;
	got = run(&setup, PRN_SIMULATION_OF_RATE, 2000);
	near(got.mean * 3, 0.75, 4 * got.error * 3 + 0.002, "naive at Poisson visits of rate p tends to λp/(λ + p)");
	near(got.found, 0.25, 0.01, "Poisson visits of rate p find a share p/(λ + p) of the changes");

	setup = set_up("poisson", 2, "irregular:spread=0.9", "naive");
	setup.simulation.pages = 200;
	got = run(&setup, PRN_SIMULATION_OF_RATE, 2000);
	/* E[1 - e^-2t], t even in [.1, 1.9] */
	near(got.mean * 2, 1 - (exp(-0.2) - exp(-3.8)) / 3.6, 4 * got.error * 2 + 0.002,
	     "naive at irregular visits tends to the mean of 1 - e^-λt");
	near(got.time, 2000, 4 * sqrt(0.27 * 2000 / 200), "irregular intervals have the mean that they are told");

	setup = set_up("poisson", 0.25, "adaptive:r=1.5:first=5", "mle");
	setup.simulation.pages = 400;
	{
		const uint64_t visits[] = { 5, 400, 500 };
		struct prn_simulated_estimate three[3];

		ok(!prn_simulate_estimator(&setup.simulation, &setup.schedule, 1, &setup.estimator, PRN_SIMULATION_OF_RATE,
		                           visits, 3, three, NULL), "one run is looked at several times");
		near(three[0].time, 5, 1e-9, "an adaptive schedule begins with visits at the interval");
		/* 400 visits know the rate to 6 %, over 400 pages; Jensen adds its square. */
		near(three[2].time - three[1].time, 100 * 1.5 / 0.25, 10,
		     "an adaptive schedule goes on with visits r/λ apart");
	}
}

static void processes(void)
{
	/* Changes at regular times, visits twice as often: every second visit sees one, on every page. */
	struct setup setup = set_up("gamma:shape=1000000", 0.5, "regular", "naive");
	struct prn_simulated_estimate got = run(&setup, PRN_SIMULATION_OF_RATE, 100);
	double want;

	near(got.mean, 1, 1e-3, "regular changes, visited twice as often, are all found");
	near(got.spread, 0, 0.01, "regular changes, visited twice as often, are found on every page");

	/* Cho §6.7: after 100 visits at .1, an mle is below .3 for 20 more at 2. */
	setup = set_up("shift:factor=20:at=100", 0.1, "regular", "mle");
	setup.simulation.pages = 1000;
	got = run(&setup, PRN_SIMULATION_OF_RATE, 120);
	want = -log(1 - (100 * -expm1(-0.1) + 20 * -expm1(-2)) / 120) / 2;
	near(got.mean, want, 4 * got.error + 0.01, "mle lags behind a rate that has changed");
	ok(got.mean * 2 < 0.3, "20 visits after a rate of .1 has become 2, mle has %.3f", got.mean * 2);

	setup = set_up("two-speed:fast=4", 0.2, "regular", "ratio");
	got = run(&setup, PRN_SIMULATION_OF_RATE, 50);
	near(got.mean, expect(ratio_of, 1, 50, false).mean, 4 * got.error, "a page of two regions changes when either does");
	setup = set_up("mixture:factors=1/3:shares=1/1", 0.5, "regular", "naive");
	got = run(&setup, PRN_SIMULATION_OF_RATE, 30);
	near(got.mean, (expect(naive_of, 0.5, 30, false).mean + expect(naive_of, 1.5, 30, false).mean) / 2, 4 * got.error,
	     "each page of a mixture is held against its own rate");

	/* Cho §6.5.2: at r = 1 the time since the last change makes the estimate right after a few visits. */
	setup = set_up("poisson", 1, "regular", "last-modified");
	got = run(&setup, PRN_SIMULATION_OF_RATE, 10);
	near(got.mean, 1, 0.02 + 4 * got.error, "last-modified is told how old the last change is");
}

/* Intervals of naive and ratio are of the same likelihood: they hold the truth on the same pages. */
static void covered(void)
{
	struct setup setup = set_up("poisson", 1, "regular", "ratio");
	struct prn_simulated_estimate ratio;
	double want = 0;

	ok(isnan(run(&setup, PRN_SIMULATION_OF_RATE, 10).covered), "intervals are not looked at unless asked for");
	setup.simulation.confidence = 0.9;
	ratio = run(&setup, PRN_SIMULATION_OF_RATE, 30);
	/* X of which the log-likelihood at the truth is within z²/2 of its top. */
	for (int x = 0; x <= 30; x++) {
		double q = 1 - exp(-1), top = (x ? x * log(x / 30.0) : 0) + (x < 30 ? (30 - x) * log(1 - x / 30.0) : 0);

		if (top - x * log(q) - (30 - x) * log(1 - q) < 1.6448536 * 1.6448536 / 2)
			want += binomial_of(x, 30, 1);
	}
	near(ratio.covered, want, 4 * sqrt(0.09 / PAGES), "90 %% intervals hold the truth with a probability of %.4f", want);
}

static void threads(void)
{
	struct setup setup = set_up("gamma", 0.7, "poisson", "ratio");
	struct prn_simulated_estimate one, three, other;

	setup.simulation.pages = 1000;
	setup.simulation.threads = 1;
	one = run(&setup, PRN_SIMULATION_OF_RATE, 9);
	setup.simulation.threads = 3;
	three = run(&setup, PRN_SIMULATION_OF_RATE, 9);
	ok(!memcmp(&one, &three, sizeof one), "any number of threads gives the same digits");
	setup.simulation.threads = 0;
	three = run(&setup, PRN_SIMULATION_OF_RATE, 9);
	ok(!memcmp(&one, &three, sizeof one), "0 threads, which are all processors, give the same digits");
	setup.simulation.seed++;
	other = run(&setup, PRN_SIMULATION_OF_RATE, 9);
	ok(other.mean < one.mean || other.mean > one.mean, "another seed gives other estimates");
}

static void refused(void)
{
	const struct setup setup = set_up("poisson", 1, "regular", "naive");
	struct prn_simulated_estimate out[2];
	struct prn_simulation bad = setup.simulation;
	struct prn_schedule schedule;
	struct prn_error error;

#define REFUSED(simulation, interval, ...)                                                                             \
	prn_simulate_estimator(simulation, &setup.schedule, interval, &setup.estimator, PRN_SIMULATION_OF_RATE,         \
	                       (const uint64_t[]){ __VA_ARGS__ }, 2, out, NULL) == PRN_E_ARGUMENT
	ok(REFUSED(&bad, 0, 1, 2), "an interval of 0 is refused");
	ok(REFUSED(&bad, 1, 2, 2), "visits that do not ascend are refused");
	ok(REFUSED(&bad, 1, 0, 2), "no visits are refused");
	ok(REFUSED(&bad, 1, 1, PRN_SIMULATION_VISITS + 1), "too many visits are refused");
	bad.rate = PRN_SIMULATION_CHANGES;
	ok(REFUSED(&bad, 1.01, 1, 2), "more changes an interval than can be simulated are refused");
	bad.process = set_up("mixture:factors=1/200:shares=1/1", 1, "regular", "naive").simulation.process;
	bad.rate = 51;
	ok(REFUSED(&bad, 1, 1, 2), "too many changes on some pages are refused");
	bad = setup.simulation;
	bad.rate = NAN;
	ok(REFUSED(&bad, 1, 1, 2), "a rate that is no number is refused");
	bad = setup.simulation;
	bad.pages = 1;
	ok(REFUSED(&bad, 1, 1, 2), "a single page is refused");
	bad = setup.simulation;
	bad.confidence = 1;
	ok(REFUSED(&bad, 1, 1, 2), "a confidence of 1 is refused");
	ok(prn_schedule_init(&schedule, "daily", &error) == PRN_E_NOT_FOUND, "an unknown schedule is refused");
	same(error.text, "no schedule 'daily': there is regular, poisson, irregular, adaptive",
	     "who asks for an unknown schedule is told what there is");
	ok(prn_schedule_init(&schedule, "adaptive:least=2:most=1", NULL) == PRN_E_ARGUMENT,
	   "a longest interval below the shortest is refused");
	ok(prn_schedule_init(&schedule, "irregular:spread=1", NULL) == PRN_E_ARGUMENT, "intervals of 0 are refused");
}

int main(void)
{
	binomial();
	schedules();
	processes();
	covered();
	threads();
	refused();
	return done();
}
