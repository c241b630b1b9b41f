/* The prior of drift: recovered from simulated corpora, and finite on poor ones. */
#include "perennial/prior.h"

#include "base/random.h"
#include "perennial/error.h"
#include "tap.h"

#include <stdlib.h>

#define PAGES 4000

static double normal(struct prn_random *random)
{
	return sqrt(prn_random_exponential(random, 2)) * cos(2 * M_PI * prn_random_unit(random));
}

/* Gamma(shape, rate 1) by Marsaglia and Tsang's squeeze; shapes below 1 by a power of a uniform. */
static double gamma_variate(struct prn_random *random, double shape)
{
	double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = normal(random), v = 1 + c * x, u = prn_random_unit(random);

		if (v <= 0 || log1p(-u) >= 0.5 * x * x + d - d * v * v * v + d * log(v * v * v))
			continue;
		return d * v * v * v * (shape < 1 ? pow(1 - prn_random_unit(random), 1 / shape) : 1);
	}
}

/* A page's rate from the prior, then that many whole changes as a Poisson process makes in its time. */
static void simulate(struct prn_random *random, double alpha, double beta, double *moved, double *time)
{
	double rate = gamma_variate(random, alpha) / beta;

	*time = 5 + 55 * prn_random_unit(random);
	*moved = 0;
	for (double at = prn_random_exponential(random, 1); at < rate * *time; at += prn_random_exponential(random, 1))
		*moved += 1;
}

/* From arrays; changes NULL: every change is whole. */
static int learn(const double *moved, const double *changes, const double *time, size_t n, struct prn_prior *prior)
{
	static struct prn_drifted pages[PAGES];

	for (size_t i = 0; i < n; i++)
		pages[i] = (struct prn_drifted){ moved[i], changes ? changes[i] : moved[i], time[i] };
	return prn_prior_learn(pages, n, prior);
}

static void test_recovery(double *moved, double *time)
{
	static const struct prn_prior priors[] = { { 0.3, 3 }, { 1, 20 }, { 4, 8 } };

	for (size_t i = 0; i < sizeof priors / sizeof *priors; i++) {
		struct prn_prior got = { 0, 0 };
		struct prn_random random;

		prn_random_seed(&random, 11, i);
		for (size_t j = 0; j < PAGES; j++)
			simulate(&random, priors[i].alpha, priors[i].beta, &moved[j], &time[j]);
		ok(!learn(moved, NULL, time, PAGES, &got),
		   "a prior is learned from a corpus of %d pages, α = %g, β = %g", PAGES,
		   priors[i].alpha, priors[i].beta);
		/* standard errors at 4000 pages are 3 to 4 %, of the mean 1 to 3 % (40 simulated corpora): three of them */
		near(got.alpha / priors[i].alpha, 1, 0.12, "the α of a prior is learned within 12 %%");
		near(got.beta / priors[i].beta, 1, 0.12, "the β of a prior is learned within 12 %%");
		near(got.alpha / got.beta / (priors[i].alpha / priors[i].beta), 1, 0.1,
		     "the mean drift of a prior is learned within 10 %%");
	}
}

/* The likelihood again, from its definition: ∫ Gamma(r) r^d e^(-rτ) dr, by the trapezoid rule in log r. */
static double integral(double alpha, double beta, double moved, double time)
{
	double sum = 0, h = 0.02;

	for (double x = -40; x < 8; x += h) {
		double r = exp(x);

		sum += h * exp(alpha * log(beta) - lgamma(alpha) + (alpha + moved) * x - r * (beta + time));
	}
	return log(sum);
}

static void test_maximum(void)
{
	static const double moved[] = { 0, 0.4, 1.7, 0.2, 3.1, 0 }, time[] = { 20, 30, 10, 40, 25, 50 };
	struct prn_prior prior;
	double best = 0, other = -INFINITY;

	learn(moved, NULL, time, 6, &prior);
	for (size_t i = 0; i < 6; i++)
		best += integral(prior.alpha, prior.beta, moved[i], time[i]);
	best -= prior.alpha;
	for (int side = 0; side < 4; side++) {
		double a = prior.alpha * (side == 0 ? 1.1 : side == 1 ? 1 / 1.1 : 1);
		double b = prior.beta * (side == 2 ? 1.1 : side == 3 ? 1 / 1.1 : 1);

		double sum = -a; /* the exponential prior of α */

		for (size_t i = 0; i < 6; i++)
			sum += integral(a, b, moved[i], time[i]);
		other = fmax(other, sum);
	}
	ok(best > other, "the likelihood, integrated numerically, is lower 10 %% away on every side");
}

/* Changes of size 0.2 are five to a divergence: a fifth of α, and the same β. */
static void test_steps(double *moved, double *time, double *changes)
{
	struct prn_prior whole, steps;
	struct prn_random random;

	prn_random_seed(&random, 12, 0);
	for (size_t i = 0; i < PAGES; i++)
		simulate(&random, 1, 20, &moved[i], &time[i]);
	learn(moved, NULL, time, PAGES, &whole);
	for (size_t i = 0; i < PAGES; i++) {
		changes[i] = moved[i];
		moved[i] *= 0.2;
	}
	ok(!learn(moved, changes, time, PAGES, &steps), "a prior is learned from changes of size 0.2");
	near(steps.alpha / whole.alpha, 0.2, 1e-9, "changes of size 0.2 have a fifth of the α of whole ones");
	near(steps.beta / whole.beta, 1, 1e-9, "changes of size 0.2 have the β of whole ones");
	changes[7] = 0.9 * moved[7] - 0.1;
	ok(learn(moved, changes, time, PAGES, &steps) == PRN_E_ARGUMENT,
	   "fewer changes than divergence are refused");
}

/*
 * Sizes from 0.01 to 1, most of them small.  What pages never seen to change will do next is known here: it is what the
 * prior says of them only if changes are counted by their mean size, not by that of what moves the most.
 */
static void test_sizes(double *moved, double *time, double *changes)
{
	double alpha = 0.5, beta = 10, mean = 0.99 / log(100), truth = 0, served = 0;
	struct prn_prior prior = { 0, 0 };
	struct prn_random random;

	prn_random_seed(&random, 13, 0);
	for (size_t i = 0; i < PAGES; i++) {
		simulate(&random, alpha, beta, &changes[i], &time[i]);
		moved[i] = 0;
		for (double change = 0; change < changes[i]; change++)
			moved[i] += pow(100, -prn_random_unit(&random));
	}
	learn(moved, changes, time, PAGES, &prior);
	for (size_t i = 0; i < PAGES; i++)
		if (!(changes[i] > 0)) {
			truth += mean * alpha / (beta + time[i]);
			served += prior.alpha / (prior.beta + time[i]);
		}
	/* sizes that differ look like rates that differ, which makes the prior weaker than it is */
	near(served / truth, 1, 0.25, "pages never seen to change do what the prior says of them, within a quarter: %.2f",
	     served / truth);
}

static void test_poor(void)
{
	double none[] = { 0, 0, 0 }, time[] = { 10, 10, 40 }, alike[] = { 5, 5, 20 }, huge[] = { 1e6, 0, 1e-9 };
	double bad = NAN, negative = -1, zero = 0;
	struct prn_prior prior = { 42, 42 };

	ok(learn(none, NULL, time, 0, &prior) == PRN_E_ARGUMENT, "a prior of no pages is refused");
	ok(learn(&bad, NULL, time, 1, &prior) == PRN_E_ARGUMENT,
	   "a prior of a divergence that is no number is refused");
	ok(learn(&negative, NULL, time, 1, &prior) == PRN_E_ARGUMENT, "a prior of a divergence below 0 is refused");
	ok(learn(none, NULL, &zero, 1, &prior) == PRN_E_ARGUMENT, "a prior of no time is refused");
	ok(prior.alpha == 42, "a prior that is refused leaves the one that was there");
	ok(!learn(none, NULL, time, 3, &prior), "a prior is learned from pages that never changed");
	ok(prior.alpha > 0 && prior.beta > 0, "the prior of pages that never changed is above 0");
	/* half a divergence in 60; pages of unequal time and α's own prior move it a little */
	near(prior.alpha / prior.beta / (0.5 / 60), 1, 0.25,
	     "the prior of pages that never changed has the mean of about half a divergence in the corpus");
	ok(!learn(none, NULL, time, 1, &prior), "a prior is learned from one page");
	ok(isfinite(prior.alpha) && isfinite(prior.beta), "the prior of one page is finite");
	ok(prior.beta > 0, "the prior of one page is of a time above 0");
	ok(!learn(alike, NULL, time, 3, &prior), "a prior is learned from three pages all alike");
	ok(prior.alpha < 5, "three pages all alike do not make a strong prior (α = %g)", prior.alpha);
	near(prior.alpha / prior.beta, 0.5, 0.1, "the prior of three pages all alike has about their mean");
	ok(!learn(huge, NULL, time, 3, &prior), "a prior is learned from pages that have nothing in common");
	ok(isfinite(prior.alpha) && isfinite(prior.beta), "the prior of pages that have nothing in common is finite");
	ok(prior.beta > 0, "the prior of pages that have nothing in common is of a time above 0");
}

int main(void)
{
	static double moved[PAGES], time[PAGES], changes[PAGES];

	test_recovery(moved, time);
	test_steps(moved, time, changes);
	test_sizes(moved, time, changes);
	test_maximum();
	test_poor();
	return done();
}
