/*
 * How far Cho's estimators are off on average (thesis §6.4, §6.5), by exact expectation: summed over the binomial
 * distribution of changes seen, and integrated over the times since the last change.
 */
#include "base/random.h"
#include "learner.h"
#include "tap.h"

/* Pr[X = x], X ~ Binomial(n, q). */
static double binomial(int n, int x, double q)
{
	if (q >= 1)
		return x == n;
	return exp(lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1) + x * log(q) + (n - x) * log1p(-q));
}

/* E[estimate]/λ after n visits at interval 1: which of them saw the changes does not matter to these two. */
static double expectation(const char *name, double rate, int n)
{
	double sum = 0;

	for (int x = 0; x <= n; x++) {
		struct learner learner;

		learner_start(&learner, name);
		for (int i = 0; i < n; i++)
			learner_visit(&learner, 1, i < x, 0);
		sum += binomial(n, x, -expm1(-rate)) * learner_rate(&learner);
	}
	return sum / rate;
}

static void naive(void)
{
	near(expectation("naive", 1, 50), 1 - 0.368, 5e-4,
	     "naive is 36.8 %% low at one change per visit (Cho §6.4.1)");
	near(expectation("naive", 1, 3), expectation("naive", 1, 50), 1e-12,
	     "naive is as low at one change per visit after 3 visits as after 50");
	near(expectation("naive", 0.01, 10), 1, 0.01,
	     "naive is right where a page changes far less often than it is visited");
}

/* Cho §6.4.2: at r = 1 the bias of the ratio estimator is gone from 20 visits on. */
static void ratio(void)
{
	near(expectation("ratio", 1, 20), 1, 0.002,
	     "ratio after 20 visits at one change per visit is right within 0.2 %%");
	near(expectation("ratio", 1, 50), 1, 0.001,
	     "ratio after 50 visits at one change per visit is right within 0.1 %%");
	near(expectation("ratio", 0.3, 20), 1, 0.005,
	     "ratio after 20 visits at 0.3 changes per visit is right within 0.5 %%");
	ok(expectation("ratio", 4, 20) < 0.9,
	   "ratio is low at 4 changes per visit, where nearly every visit sees one (%.2f)",
	   expectation("ratio", 4, 20));
}

#define CELLS 200

/* Midpoints and weights of a density λ e^(-λt) on [0, 1], even in probability: each cell weighs the same. */
static double quantile(double rate, int cell, double *mass)
{
	double all = -expm1(-rate);

	*mass = all / CELLS;
	return -log1p(-all * (cell + 0.5) / CELLS) / rate;
}

/*
 * E[estimate]/λ after two visits at interval 1.  An interval saw no change with e^-λ; else the last one is t back,
 * with density λ e^(-λt).  Both changed: the estimate is singular at t = 0 but its mean is finite.
 */
static double last_modified_expectation(double rate)
{
	double none = exp(-rate), sum = 0;

	for (int i = 0; i < CELLS; i++) {
		struct learner learner;
		double mass, t = quantile(rate, i, &mass);

		learner_start(&learner, "last-modified");
		learner_visit(&learner, 1, true, t);
		learner_visit(&learner, 1, false, 0);
		sum += 2 * none * mass * learner_rate(&learner);
		for (int j = 0; j < CELLS; j++) {
			double other_mass, other = quantile(rate, j, &other_mass);

			learner_start(&learner, "last-modified");
			learner_visit(&learner, 1, true, t);
			learner_visit(&learner, 1, true, other);
			sum += mass * other_mass * learner_rate(&learner);
		}
	}
	return sum / rate;
}

/* Cho §6.5.2.  X/T without the correction of X would be 2 log 2 - 1 = 39 % high at n = 2 for rare changes. */
static void last_modified(void)
{
	static const double rates[] = { 0.001, 0.03, 0.1, 0.3, 0.6, 1, 1.5, 2, 3, 5, 10, 100 };
	double worst = 0, at = 0;

	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		double bias = last_modified_expectation(rates[i]) - 1;

		printf("# λI = %g: %+.3f %%\n", rates[i], 100 * bias);
		if (fabs(bias) > fabs(worst)) {
			worst = bias;
			at = rates[i];
		}
	}
	/* The midpoint rule on the singularity leaves 0.2 % (twice the cells halve it). */
	near(worst, 0, 0.02,
	     "bias-reduced last-modified is within 2 %% at two visits for every rate (worst %+.2g at %g)",
	     worst, at);
}

/* The same by simulation, with more visits than an integral can do. */
static void last_modified_simulated(double rate, int n)
{
	const int pages = 40000;
	struct prn_random random;
	double sum = 0, squares = 0, mean, error;

	prn_random_seed(&random, 15, (uint64_t)n);
	for (int page = 0; page < pages; page++) {
		struct learner learner;

		learner_start(&learner, "last-modified");
		for (int i = 0; i < n; i++) {
			double since = prn_random_exponential(&random, 1 / rate);

			learner_visit(&learner, 1, since < 1, since);
		}
		sum += learner_rate(&learner) / rate;
		squares += learner_rate(&learner) / rate * learner_rate(&learner) / rate;
	}
	mean = sum / pages;
	error = sqrt((squares / pages - mean * mean) / pages);
	/* Four standard errors of this mean, and the 2 % claimed. */
	near(mean, 1, 0.02 + 4 * error,
	     "bias-reduced last-modified is right at %d visits, %g changes each, as simulated (± %.2g)", n,
	     rate, error);
}

/* Cho §6.5.1: without the correction 2 log 2 times the rate at two visits of a page that seldom changes. */
static void last_modified_naive(void)
{
	const double rate = 1e-4, none = exp(-rate);
	double sum = 0;

	for (int i = 0; i < CELLS; i++) {
		struct learner learner;
		double mass, t = quantile(rate, i, &mass);

		learner_start(&learner, "last-modified-naive");
		learner_visit(&learner, 1, true, t);
		learner_visit(&learner, 1, false, 0);
		sum += 2 * none * mass * learner_rate(&learner);
	}
	/* Two changes are rarer by 1e-4; the midpoint rule is good to 1e-5. */
	near(sum / rate, 2 * log(2), 1e-3, "last-modified-naive is 39 %% high at two visits of a page that seldom changes");
}

int main(void)
{
	naive();
	ratio();
	last_modified();
	last_modified_naive();
	last_modified_simulated(0.2, 5);
	last_modified_simulated(1, 10);
	last_modified_simulated(3, 20);
	return done();
}
