/* mle, prior-mle and mm: their equations solved without bounded memory, what that memory costs, and simulation. */
#include "base/random.h"
#include "learner.h"
#include "tap.h"

#define VISITS 200

struct history {
	double interval[VISITS];
	bool changed[VISITS];
	size_t n;
};

/* The equations over all visits, each kept; all fall with the rate. */
static double likelihood_slope(const struct history *history, double rate)
{
	double slope = 0;

	for (size_t i = 0; i < history->n; i++)
		slope += history->changed[i] ? history->interval[i] / expm1(rate * history->interval[i])
		                             : -history->interval[i];
	return slope;
}

static double prior_slope(const struct history *history, double rate)
{
	return likelihood_slope(history, rate) + 0.5 / expm1(rate * 0.5) - 4;
}

static double moments_excess(const struct history *history, double rate)
{
	double excess = 0;

	for (size_t i = 0; i < history->n; i++)
		excess += exp(-rate * history->interval[i]) - !history->changed[i];
	return excess;
}

static double bisect(double (*f)(const struct history *, double), const struct history *history)
{
	double low = 1e-12, high = 1e6;

	while (high / low > 1 + 1e-13) {
		double rate = sqrt(low * high);

		*(f(history, rate) > 0 ? &low : &high) = rate;
	}
	return low;
}

/* Intervals as policies make them: anywhere within two decades, or a few repeated ones. */
static void draw(struct history *history, struct prn_random *random, bool few)
{
	double rate = pow(10, -1.5 + 2 * prn_random_unit(random));

	history->n = 20 + prn_random_below(random, VISITS - 20);
	for (size_t i = 0; i < history->n; i++) {
		double t = few ? 1 + (double)prn_random_below(random, 8)
		               : pow(10, -1 + 2 * prn_random_unit(random));

		history->interval[i] = t;
		history->changed[i] = prn_random_unit(random) < -expm1(-rate * t);
	}
}

static double relative_error(const char *specification, const struct history *history, double want)
{
	struct learner learner;

	learner_start(&learner, specification);
	for (size_t i = 0; i < history->n; i++)
		learner_visit(&learner, history->interval[i], history->changed[i], 0);
	return fabs(learner_rate(&learner) / want - 1);
}

static void against_bisection(const char *name, const char *all_kept,
                              double (*f)(const struct history *, double))
{
	double worst = 0, worst_few = 0, worst_all = 0;
	struct prn_random random;
	int pages = 0;

	prn_random_seed(&random, 4, 0);
	for (int page = 0; page < 300; page++) {
		struct history history;
		bool few = page % 3 == 0;
		double want, changes = 0;

		draw(&history, &random, few);
		for (size_t i = 0; i < history.n; i++)
			changes += history.changed[i];
		if (changes < 1 || changes >= (double)history.n)
			continue;
		want = bisect(f, &history);
		*(few ? &worst_few : &worst) =
			fmax(few ? worst_few : worst, relative_error(name, &history, want));
		worst_all = fmax(worst_all, relative_error(all_kept, &history, want));
		pages++;
	}
	ok(pages > 200, "%s is tried on many random histories of 20 to 200 visits: %d", name, pages);
	near(worst_few, 0, 1e-9, "%s finds the root that bisection finds for up to 8 different intervals", name);
	/* Intervals within 1e-5 of each other become one even then: 1e-10 of the equation, as it is of second order. */
	near(worst_all, 0, 1e-8,
	     "%s finds the root that bisection finds for any intervals, if all may be kept", name);
	near(worst, 0, 0.03,
	     "%s that keeps 8 of 20 to 200 intervals over two decades is within 3 %%, a fifth of what is known", name);
}

static void simulated(const char *name)
{
	double sum = 0, rate = 0.3;
	struct prn_random random;
	int pages = 2000;

	prn_random_seed(&random, 6, 0);
	for (int page = 0; page < pages; page++) {
		struct learner learner;

		learner_start(&learner, name);
		for (int i = 0; i < 100; i++) {
			double interval = 1 + (double)prn_random_below(&random, 5);

			learner_visit(&learner, interval, prn_random_unit(&random) < -expm1(-rate * interval),
			              0);
		}
		sum += learner_rate(&learner) / pages;
	}
	/* One page's error is 13 %, the mean of 2000 has 0.3 %; the estimator's own bias at 100 visits is 1 %. */
	near(sum / rate, 1, 0.02, "%s recovers the rate of Poisson changes seen at irregular visits", name);
}

static void worked(void)
{
	static const char *const names[] = { "mle", "mm" };
	struct learner learner;

	learner_start(&learner, "mle");
	learner_visit(&learner, 6, true, 0);
	learner_visit(&learner, 4, false, 0);
	learner_visit(&learner, 3, true, 0);
	learner_visit(&learner, 7, false, 0);
	/* Given to three digits (Cho §6.3; doc/theory.md §9). */
	near(20 * learner_rate(&learner), 2.67, 0.005,
	     "mle makes 2.67 changes per 20 h of changes after 6 h and 3 h, none after 4 h and 7 h");
	for (int i = 0; i < 2; i++) {
		learner_start(&learner, names[i]);
		for (int day = 0; day < 10; day++)
			learner_visit(&learner, 1, day < 6, 0);
		near(learner_rate(&learner), -log(0.4), 1e-9,
		     "%s makes -log(1 - X/n) of changes at 6 of 10 daily visits",
		     names[i]);
	}
}

/* doc/theory.md §9: the prior of one hour and 57 hours alone (GF; FGT §4.4).  Its equation is e^λ = 58/57. */
static void prior_alone(void)
{
	struct learner learner;

	learner_start(&learner, "prior-mle:prior-changed=1:prior-unchanged=57");
	near(1 / learner_rate(&learner), 57.5, 0.05,
	     "the prior of (1 h, 57 h) alone estimates 57.5 h between changes");
	near(1 / learner_rate(&learner), 1 / log(58.0 / 57), 1e-9,
	     "the prior of (1 h, 57 h) alone estimates 1 / log(58/57) h between changes");
	learner_start(&learner, "prior-mle");
	near(24 / learner_rate(&learner), 57.5, 0.05,
	     "the default prior, in days, estimates 57.5 h between changes");
}

/* As visits come in the prior fades. */
static void prior_fades(void)
{
	double gap[2];

	for (int i = 0; i < 2; i++) {
		struct learner with, without;

		learner_start(&with, "prior-mle");
		learner_start(&without, "mle");
		for (int n = 0; n < (i ? 2000 : 20); n++) {
			learner_visit(&with, 1, n % 5 == 0, 0);
			learner_visit(&without, 1, n % 5 == 0, 0);
		}
		gap[i] = learner_rate(&with) / learner_rate(&without) - 1;
	}
	ok(gap[0] > 0.05, "a prior pulls by %.2g after 20 visits", gap[0]);
	ok(gap[1] > 0 && gap[1] < gap[0] / 50, "a prior pulls less after 2000 visits: by %.2g, not %.2g", gap[1], gap[0]);
}

int main(void)
{
	worked();
	prior_alone();
	prior_fades();
	against_bisection("mle", "mle:lengths=200", likelihood_slope);
	against_bisection("prior-mle:prior-changed=0.5:prior-unchanged=4",
	                  "prior-mle:prior-changed=0.5:prior-unchanged=4:lengths=200", prior_slope);
	against_bisection("mm", "mm:lengths=200", moments_excess);
	simulated("mle");
	simulated("mm");
	return done();
}
