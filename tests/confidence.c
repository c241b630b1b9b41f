/*
 * Intervals of estimators: their ends against the likelihoods written out again, edges, and how often they hold the truth.
 */
#include "model/confidence.h"

#include "base/random.h"
#include "learner.h"
#include "tap.h"

#define VISITS 12
#define DROP (1.959963984540054 * 1.959963984540054 / 2)

static const double intervals[VISITS] = { 1, 2, 0.5, 3, 1, 1, 2, 4, 0.7, 1.5, 2, 1 };
static const bool changed[VISITS] = { 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0 };
static const double since[VISITS] = { 0.2, 0, 0, 1, 0.9, 0, 0.1, 3, 0, 0, 2, 0 };

static void learn(struct learner *learner, const char *specification)
{
	learner_start(learner, specification);
	for (int i = 0; i < VISITS; i++)
		learner_visit(learner, intervals[i], changed[i], since[i]);
}

/* Log-likelihoods of the visits above. */
static double of_intervals(double rate)
{
	double sum = 0;

	for (int i = 0; i < VISITS; i++)
		sum += changed[i] ? log(1 - exp(-rate * intervals[i])) : -rate * intervals[i];
	return sum;
}

static double with_prior(double rate)
{
	return of_intervals(rate) + log(1 - exp(-rate * 0.5)) - rate * 2;
}

static double of_mean_interval(double rate)
{
	double time = 0, x = 0;

	for (int i = 0; i < VISITS; i++) {
		time += intervals[i];
		x += changed[i];
	}
	return x * log(1 - exp(-rate * time / VISITS)) - (VISITS - x) * rate * time / VISITS;
}

static double of_times(double rate)
{
	double sum = 0;

	for (int i = 0; i < VISITS; i++)
		sum += changed[i] ? log(rate) - rate * since[i] : -rate * intervals[i];
	return sum;
}

static double of_poisson_visits(double rate)
{
	double sum = 0;

	for (int i = 0; i < VISITS; i++)
		sum += log((changed[i] ? rate : 1.5) / (rate + 1.5));
	return sum;
}

static double top_of(double (*f)(double))
{
	double top = -INFINITY;

	for (double rate = 1e-3; rate < 1e3; rate *= 1.0001)
		top = fmax(top, f(rate));
	return top;
}

static void likelihoods(void)
{
	static const struct {
		const char *name;
		double (*f)(double);
	} all[] = {
		{ "mle:lengths=20", of_intervals },  { "prior-mle:prior-changed=0.5:prior-unchanged=2:lengths=20", with_prior },
		{ "naive", of_mean_interval },       { "ratio", of_mean_interval },
		{ "last-modified", of_times },       { "last-modified-naive", of_times },
		{ "lln:visit-rate=1.5", of_poisson_visits },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		double low, high, top = top_of(all[i].f);
		struct learner learner;

		learn(&learner, all[i].name);
		prn_estimator_interval(&learner.estimator, learner.state, 0.95, &low, &high);
		/* The top is that of a grid of 1e-4: off by less than its square. */
		near(top - all[i].f(low), DROP, 1e-6, "the likelihood of %s falls by z²/2 to the lower end, %.3f", all[i].name, low);
		near(top - all[i].f(high), DROP, 1e-6, "the likelihood of %s falls by z²/2 to the upper end, %.3f", all[i].name, high);
	}
}

static void moments(void)
{
	double low, high, ends[2];
	struct learner learner;

	learn(&learner, "mm:lengths=20");
	prn_estimator_interval(&learner.estimator, learner.state, 0.95, &low, &high);
	ends[0] = low;
	ends[1] = high;
	for (int k = 0; k < 2; k++) {
		double off = 0, variance = 0;

		for (int i = 0; i < VISITS; i++) {
			double q = 1 - exp(-ends[k] * intervals[i]);

			off += changed[i] - q;
			variance += q * (1 - q);
		}
		near(off / sqrt(variance), k ? -1.959964 : 1.959964, 1e-5,
		     "at the %s end of mm what was seen is z standard deviations off", k ? "upper" : "lower");
	}
}

static void interval_after(const char *name, int visits, bool change, double *low, double *high)
{
	struct learner learner;

	learner_start(&learner, name);
	for (int i = 0; i < visits; i++)
		learner_visit(&learner, 2, change, 0);
	prn_estimator_interval(&learner.estimator, learner.state, 0.95, low, high);
}

static void edges(void)
{
	static const char *const names[] = { "naive", "ratio", "mle" };
	/* Of five changes in five visits those that are left begin at .57: below it are the changes seen per time, and one in an interval. */
	static const double beyond[] = { 0.5, 0, 0.5 };
	double low, high;

	for (size_t i = 0; i < 3; i++) {
		interval_after(names[i], 5, false, &low, &high);
		ok(low == 0, "%s: where no change was seen, the rate may be 0", names[i]);
		near(high, DROP / 10, 1e-9, "%s: where no change was seen, the rate is at most z²/2 in the time watched", names[i]);
		interval_after(names[i], 5, true, &low, &high);
		ok(isinf(high), "%s: where every visit saw a change, the rate may be any", names[i]);
		if (beyond[i] > 0)
			near(low, beyond[i], 1e-15,
			     "%s: where every visit saw a change, the lowest rate is what is estimated, which is below all that is left", names[i]);
		else
			near(5 * log(1 - exp(-2 * low)), -DROP, 1e-8,
			     "%s: where every visit saw a change, the rate is at least what makes that as improbable", names[i]);
		interval_after(names[i], 0, false, &low, &high);
		ok(low == 0 && isinf(high), "%s without visits knows nothing", names[i]);
	}
	interval_after("prior-mle", 0, false, &low, &high);
	ok(low > 0 && high < INFINITY, "prior-mle without visits knows its prior");
	low = high = 7;
	{
		struct learner learner;

		learn(&learner, "mle");
		prn_estimator_interval(&learner.estimator, learner.state, 0, &low, &high);
		prn_estimator_interval(&learner.estimator, learner.state, 1, &low, &high);
		prn_estimator_interval(&learner.estimator, learner.state, NAN, &low, &high);
	}
	ok(low == 7 && high == 7, "a confidence that is none writes nothing");
	near(prn_confidence_z(0.95), 1.959963984540054, 1e-12, "z of 95 %%");
	near(prn_confidence_z(0.5), 0.6744897501960817, 1e-12, "z of 50 %%");
	/* There the derivative of its logarithm is 0: r e^r = 2 (e^r - 1). */
	ok(PRN_ESTIMATOR_BEST_R * exp(PRN_ESTIMATOR_BEST_R) > 2 * expm1(PRN_ESTIMATOR_BEST_R) - 1e-12 &&
	   PRN_ESTIMATOR_BEST_R * exp(PRN_ESTIMATOR_BEST_R) < 2 * expm1(PRN_ESTIMATOR_BEST_R) + 1e-12,
	   "the information of a visit, r²/(e^r - 1), is largest at %.4f", PRN_ESTIMATOR_BEST_R);
}

/* An estimate that forgetting has brought below any rate that is told apart from 0. */
static void next_to_nothing(void)
{
	struct learner learner;
	double low = 7, high = 7;

	learner_start(&learner, "naive:forgetting=0.05");
	learner_visit(&learner, 1, true, 0);
	for (int i = 0; i < 80; i++)
		learner_visit(&learner, 1, false, 0);
	prn_estimator_interval(&learner.estimator, learner.state, 0.95, &low, &high);
	ok(low <= 0, "a change that is as good as forgotten leaves rates from 0 on: %g", low);
	ok(high > 0.1 && isfinite(high), "a change that is as good as forgotten leaves rates up to a finite one: %g", high);
	prn_estimator_interval(&learner.estimator, learner.state, 1e-300, &low, &high);
	ok(low <= 0, "a change that is as good as forgotten leaves rates from 0 on at hardly any confidence: %g", low);
	ok(high > 0 && high < 1e-20, "a change that is as good as forgotten leaves rates just above 0 at hardly any confidence: %g", high);
}

static void classes(void)
{
	struct learner learner;
	double low, high;

	learner_start(&learner, "bayes:classes=4/1/2/0.5");
	prn_estimator_interval(&learner.estimator, learner.state, 0.4, &low, &high);
	near(low, 0.5, 1e-15, "of four classes alike the middle two are left at 40 %%: from 1/2");
	near(high, 1, 1e-15, "of four classes alike the middle two are left at 40 %%: to 1");
	prn_estimator_interval(&learner.estimator, learner.state, 0.9, &low, &high);
	near(low, 0.25, 1e-15, "of four classes alike all are left at 90 %%: from 1/4");
	near(high, 2, 1e-15, "of four classes alike all are left at 90 %%: to 2");
	prn_estimator_interval(&learner.estimator, learner.state, 1e-300, &low, &high);
	near(low, 0.5, 1e-15, "with next to no confidence those at the middle are left, in their order: from 1/2");
	near(high, 1, 1e-15, "with next to no confidence those at the middle are left, in their order: to 1");
	for (int i = 0; i < 200; i++)
		learner_visit(&learner, 1, i % 5 == 0, 0);
	prn_estimator_interval(&learner.estimator, learner.state, 0.9, &low, &high);
	/* The estimate is the mean: 40 changes in 200 visits make the next class e^-17 as probable. */
	ok(low == 0.25 && fabs(high - 0.25) < 1e-7, "after many visits one class is left: %g to %g", low, high);
}

/* How often the truth is within: n visits to many pages. */
static double coverage(const char *name, double rate, int n, bool regular)
{
	const int pages = 4000;
	struct prn_random random;
	int within = 0;

	prn_random_seed(&random, 5, 0);
	for (int page = 0; page < pages; page++) {
		struct learner learner;
		double low, high;

		learner_start(&learner, name);
		for (int i = 0; i < n; i++) {
			double t = regular ? 1 : prn_random_exponential(&random, 1), back = prn_random_exponential(&random, 1 / rate);

			learner_visit(&learner, t, back < t, back);
		}
		prn_estimator_interval(&learner.estimator, learner.state, 0.95, &low, &high);
		within += low <= rate && rate <= high;
	}
	return (double)within / pages;
}

static void covered(void)
{
	static const struct {
		const char *name;
		double rate;
		int n;
		bool regular;
	} cases[] = {
		{ "mle:lengths=200", 0.5, 50, false }, { "mle", 1.5, 50, true }, { "ratio", 0.5, 100, true },
		{ "naive", 1, 60, true },              { "mm:lengths=200", 0.5, 50, false }, { "mm", 2, 50, true },
		{ "lln:visit-rate=1", 0.7, 80, false }, { "last-modified", 2, 30, true }, { "last-modified-naive", 0.3, 60, false },
	};

	/*
	 * 95 % but for what is discrete: with 30 visits the next value of X is some 4 % away.  The sample adds 1.4 % (four
	 * standard errors).
	 */
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double share = coverage(cases[i].name, cases[i].rate, cases[i].n, cases[i].regular);

		near(share, 0.95, 0.035, "95 %% intervals of %s hold the truth in %.1f %% of pages (rate %g, %d visits)", cases[i].name,
		     100 * share, cases[i].rate, cases[i].n);
	}
	/* Its variance is a limit that is reached slowly. */
	near(coverage("sa:visit-rate=1", 1, 400, false), 0.95, 0.06, "95 %% intervals of sa hold the truth after 400 visits");
}

/* Whatever was seen: numbers, in order, about the estimate, within each other at a lower confidence. */
static void any(const char *name)
{
	static const double confidences[] = { 0.95, 0.5, 0.01 };
	bool fine = true, nested = true, inside = true;
	struct prn_random random;

	prn_random_seed(&random, 6, 0);
	for (int page = 0; page < 300; page++) {
		struct learner learner;

		learner_start(&learner, name);
		for (int i = 0; i < 20; i++) {
			double t = page % 3 ? pow(10, 60 * prn_random_unit(&random) - 30) : 1, low = 0, high = INFINITY, rate;

			learner_visit(&learner, t, prn_random_unit(&random) < page % 5 / 4.0, t * prn_random_unit(&random));
			rate = prn_estimator_rate(&learner.estimator, learner.state);
			for (size_t k = 0; k < sizeof confidences / sizeof *confidences; k++) {
				double l = NAN, h = NAN;

				prn_estimator_interval(&learner.estimator, learner.state, confidences[k], &l, &h);
				fine &= l >= 0 && l <= h && isfinite(l) && h > 0;
				nested &= l >= low * (1 - 1e-9) && h <= high * (1 + 1e-9);
				inside &= l <= rate && rate <= h;
				low = l;
				high = h;
			}
		}
	}
	ok(fine, "intervals of %s have ends in order on every history", name);
	ok(nested, "intervals of %s at a lower confidence are within those at a higher one", name);
	ok(inside, "the estimate by %s is within its own intervals, on every history and at any confidence", name);
}

int main(void)
{
	likelihoods();
	moments();
	edges();
	classes();
	next_to_nothing();
	covered();
	for (size_t i = 0; prn_estimator_info(i); i++)
		any(prn_estimator_info(i)->name);
	any("mle:forgetting=0.5");
	any("mm:forgetting=0.5");
	return done();
}
