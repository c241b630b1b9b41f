/* The posterior of Δ, against integrals over a far finer grid that is even in Δ, and where it must end up. */
#include "model/posterior.h"

#include "base/random.h"
#include "tap.h"

#include <stdlib.h>

static struct prn_estimator estimator;
static struct prn_likelihood *likelihood;

static void start(void)
{
	if (prn_estimator_init(&estimator, "prior-mle:lengths=8", NULL))
		abort();
	free(likelihood);
	likelihood = calloc(1, prn_estimator_state_size(&estimator));
	if (!likelihood)
		abort();
}

static void add(double interval, bool changed)
{
	prn_estimator_add(&estimator, likelihood, &(struct prn_estimator_visit){ .interval = interval, .changed = changed });
}

/* Word for word: the density of Δ is the likelihood of all intervals, pseudo ones and seen ones. */
static double density(double interval, double changed, double unchanged)
{
	double log_density = log(-expm1(-changed / interval)) - (unchanged + likelihood->unchanged) / interval;

	for (size_t i = 0; i < (size_t)likelihood->used; i++)
		log_density += likelihood->lengths[i].count * log(-expm1(-likelihood->lengths[i].length / interval));
	return exp(log_density);
}

static double by_integration(double changed, double unchanged, double most, double t)
{
	const int cells = 60000;
	double all = 0, sum = 0;

	for (int i = 0; i < cells; i++) {
		double interval = most * (i + 0.5) / cells, each = density(interval, changed, unchanged);

		all += each;
		sum += each * -expm1(-t / interval);
	}
	return sum / all;
}

static void integrals(const char *what)
{
	struct prn_posterior posterior;
	double sum = 0, worst = 0, inverse = 0;

	prn_posterior_make(&posterior, likelihood, 0.04, 2.4, 500);
	for (int i = 0; i < PRN_POSTERIOR_CELLS; i++)
		sum += posterior.shares[i];
	near(sum, 1, 1e-12, "%s: the posterior is a distribution", what);
	for (double t = 0.01; t < 2000; t *= 3) {
		double got = prn_posterior_changes(&posterior, t);

		worst = fmax(worst, fabs(got / by_integration(0.04, 2.4, 500, t) - 1));
		if (got < 0.999)
			inverse = fmax(inverse, fabs(prn_posterior_until(&posterior, got) / t - 1));
	}
	/* 128 cells, at most 10 % apart: the midpoint rule errs by some ten-thousandths. */
	near(worst, 0, 1e-3, "%s: the probability of a change as integrated", what);
	near(inverse, 0, 1e-9, "%s: the time until a probability of change is its inverse", what);
}

/* With much to go by, only the truth is left: 4000 visits know Δ = 4 to 2 %. */
static void settles(void)
{
	struct prn_posterior posterior;
	struct prn_random random;

	prn_random_seed(&random, 5, 0);
	start();
	for (int i = 0; i < 4000; i++)
		add(3, prn_random_exponential(&random, 4) < 3);
	prn_posterior_make(&posterior, likelihood, 0.04, 2.4, 500);
	near(prn_posterior_changes(&posterior, 2), -expm1(-0.5), 0.01, "4000 visits leave Δ = 4");
	near(prn_posterior_changes(&posterior, 0), 0, 0, "in no time there is no change");
}

/* All evidence is for a Δ far beyond the largest that is held possible: the posterior is at that. */
static void beyond(void)
{
	struct prn_posterior posterior;

	start();
	for (int i = 0; i < 50; i++)
		add(1e5, i % 2);
	prn_posterior_make(&posterior, likelihood, 0.04, 2.4, 500);
	near(prn_posterior_changes(&posterior, 100), -expm1(-100 / 500.0), 1e-3,
	     "what speaks for a Δ far above the largest is taken for the largest");
	near(prn_posterior_until(&posterior, 0.5), 500 * log(2), 1,
	     "with the largest Δ a change is as likely as not after 500 log 2");
}

int main(void)
{
	start();
	integrals("the prior alone");
	add(1, true);
	add(5, false);
	add(2, true);
	integrals("three visits");
	for (int i = 0; i < 30; i++)
		add(0.5, true);
	integrals("mostly changes");
	for (int i = 0; i < 30; i++)
		add(40, false);
	integrals("a long silence, near the largest Δ");
	settles();
	beyond();
	free(likelihood);
	return done();
}
