/* Estimators at visits of a Poisson process: the two experiments of Avrachenkov, Patil and Thoppe (AV §6). */
#include "base/random.h"
#include "learner.h"
#include "perennial/allocate.h"
#include "tap.h"

/* The estimate of a page of rate λ after n visits at rate p, at Poisson times or regular ones. */
static double estimate(const char *name, double rate, double p, int n, bool regular, uint64_t seed)
{
	struct prn_random random;
	struct learner learner;

	prn_random_seed(&random, seed, 0);
	learner_start(&learner, name);
	for (int i = 0; i < n; i++) {
		double interval = regular ? 1 / p : prn_random_exponential(&random, 1 / p);

		learner_visit(&learner, interval, prn_random_exponential(&random, 1 / rate) < interval, 0);
	}
	return learner_rate(&learner);
}

/* Experiment 1: λ = 5, visits at p = 3.  Î/k has a standard error of sqrt(5/8 · 3/8 / n) = 0.00108. */
static void experiment_1(void)
{
	const int n = 200000;
	/* dλ/d(Î/k) = (p + λ)²/p. */
	double error = 0.00108 * 64 / 3;

	near(estimate("lln:visit-rate=3", 5, 3, n, false, 1), 5, 4 * error,
	     "lln finds λ = 5 at p = 3 within four standard errors");
	near(estimate("lln", 5, 3, n, false, 1), 5, 5 * error,
	     "lln that knows p from its visits only finds λ = 5");
	/* sa's variance is η (λ+p)² q(1-q) / 2(1-q), q = 5/8, and η = n^-0.75: its error is twice that of lln. */
	near(estimate("sa:visit-rate=3", 5, 3, n, false, 1), 5, 4 * 2 * error, "sa finds λ = 5 at p = 3");
	near(estimate("sa", 5, 3, n, false, 1), 5, 4 * 2 * error,
	     "sa that knows p from its visits only finds λ = 5");
	/* mle knows each interval, so it is the better one; 8 lengths for all of them cost 2 %. */
	near(estimate("mle:lengths=100", 5, 3, n, false, 1), 5, 4 * error, "mle finds λ = 5 at p = 3");
	near(estimate("mm:lengths=100", 5, 3, n, false, 1), 5, 4 * error, "mm finds λ = 5 at p = 3");
	near(estimate("naive", 5, 3, n, false, 1), 1.875, 4 * 0.00108 * 3, "naive tends to λp/(λ+p) = 1.875");
}

/* doc/theory.md §9: at regular visits the two see p(e^(λ/p) - 1). */
static void at_regular_visits(void)
{
	double want = 3 * expm1(1), error = 3 * exp(2) * sqrt(0.632 * 0.368 / 200000);

	near(estimate("lln", 3, 3, 200000, true, 2), want, 4 * error,
	     "lln at regular visits finds 1.72 λ at λ = p");
	near(estimate("sa", 3, 3, 200000, true, 2), want, 8 * error, "sa at regular visits finds 1.72 λ at λ = p");
	near(estimate("ratio", 3, 3, 200000, true, 2), 3, 4 * error, "ratio at regular visits finds λ");
}

#define PAGES 100

/* What the pages of experiment 2 are, and what is known of them so far. */
struct crawl {
	double rates[PAGES], weights[PAGES], total;
	struct prn_random random[PAGES];
	struct learner learners[PAGES];
	int visits;
};

static void crawl_start(struct crawl *crawl, const char *name)
{
	struct prn_random random;

	prn_random_seed(&random, 3, 0);
	crawl->total = 0;
	crawl->visits = 0;
	for (int i = 0; i < PAGES; i++) {
		crawl->rates[i] = 0.1 + 5 * prn_random_unit(&random);
		crawl->weights[i] = 0.1 + prn_random_unit(&random);
		crawl->total += crawl->weights[i];
		prn_random_seed(&crawl->random[i], 4, (uint64_t)i);
		learner_start(&crawl->learners[i], name);
	}
}

static void crawl_until(struct crawl *crawl, int visits)
{
	for (; crawl->visits < visits; crawl->visits++)
		for (int i = 0; i < PAGES; i++) {
			double interval = prn_random_exponential(&crawl->random[i], 1.0 / 3);
			double change = prn_random_exponential(&crawl->random[i], 1 / crawl->rates[i]);

			learner_visit(&crawl->learners[i], interval, change < interval, 0);
		}
}

/* The average freshness, under the true rates, of the division of 100 visits that is best for the given rates. */
static double freshness(const struct crawl *crawl, const double *rates)
{
	double frequencies[PAGES], multiplier, sum = 0;

	if (prn_allocate(PRN_OBJECTIVE_BINARY, rates, crawl->weights, PAGES, 100, frequencies, &multiplier))
		return NAN;
	for (int i = 0; i < PAGES; i++)
		sum += crawl->weights[i] / crawl->total *
		       prn_freshness(PRN_ORDER_PURELY_RANDOM, crawl->rates[i], frequencies[i]);
	return sum;
}

/* What estimates lose is of second order in their errors: it goes like their variance. */
static void experiment_2(const char *name)
{
	static struct crawl crawl;
	double loss[4], best;
	bool falls = true;

	crawl_start(&crawl, name);
	best = freshness(&crawl, crawl.rates);
	for (int i = 0; i < 4; i++) {
		double estimates[PAGES];

		crawl_until(&crawl, (int[]){ 10, 100, 1000, 10000 }[i]);
		for (int page = 0; page < PAGES; page++)
			estimates[page] = learner_rate(&crawl.learners[page]);
		loss[i] = 1 - freshness(&crawl, estimates) / best;
		falls &= i == 0 || (loss[i] > 0 && loss[i] < loss[i - 1] / 3);
	}
	ok(falls, "%s: ten times the visits lose less than a third of the optimal freshness %.4f", name, best);
	near(loss[3], 0, 0.001, "%s: 10000 visits lose less than 0.1 %% of the optimal freshness", name);
	printf("# losses after 10 ... 10000 visits: %.3g %.3g %.3g %.3g\n", loss[0], loss[1], loss[2], loss[3]);
}

int main(void)
{
	experiment_1();
	at_regular_visits();
	experiment_2("lln:visit-rate=3");
	experiment_2("sa:visit-rate=3");
	experiment_2("mle:lengths=20");
	return done();
}
