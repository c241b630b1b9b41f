#include "model/posterior.h"

#include "base/root.h"

#include <math.h>

/* A density of e^-40 counts as 0: there cells begin and end. */
#define DEPTH 40

struct evidence {
	const struct prn_likelihood *likelihood;
	double changed, unchanged;
};

/* The logarithm of the density over x = log Δ, which is Δ times that over Δ, up to a constant. */
static double log_density(const struct evidence *evidence, double x)
{
	const struct prn_likelihood *likelihood = evidence->likelihood;
	double interval = exp(x), sum = x + log(-expm1(-evidence->changed / interval));

	for (size_t i = 0; i < (size_t)likelihood->used; i++)
		sum += likelihood->lengths[i].count * log(-expm1(-likelihood->lengths[i].length / interval));
	return sum - (likelihood->unchanged + evidence->unchanged) / interval;
}

/* Walks from x in growing steps, down (-1) or up (1), to where the density is 0, but not beyond the limit. */
static double end_of(const struct evidence *evidence, double x, double direction, double limit)
{
	double floor = log_density(evidence, x) - DEPTH, step = 0.05;

	while (direction * (limit - x) > 0 && log_density(evidence, x) > floor) {
		x += direction * step;
		step *= 1.5;
	}
	return direction * (limit - x) > 0 ? x : limit;
}

void prn_posterior_make(struct prn_posterior *posterior, const struct prn_likelihood *likelihood, double changed,
                        double unchanged, double most)
{
	struct evidence evidence = { likelihood, changed, unchanged };
	double x = fmin(-log(prn_likelihood_root(likelihood, changed, unchanged)), log(most));
	double low = end_of(&evidence, x, -1, -INFINITY), high = end_of(&evidence, x, 1, log(most));
	double step = (high - low) / PRN_POSTERIOR_CELLS, highest = -INFINITY, sum = 0;

	for (size_t i = 0; i < PRN_POSTERIOR_CELLS; i++) {
		double middle = low + step * ((double)i + 0.5);

		posterior->intervals[i] = exp(middle);
		posterior->shares[i] = log_density(&evidence, middle);
		highest = fmax(highest, posterior->shares[i]);
	}
	for (size_t i = 0; i < PRN_POSTERIOR_CELLS; i++) {
		posterior->shares[i] = exp(posterior->shares[i] - highest);
		sum += posterior->shares[i];
	}
	for (size_t i = 0; i < PRN_POSTERIOR_CELLS; i++)
		posterior->shares[i] /= sum;
}

double prn_posterior_changes(const struct prn_posterior *posterior, double t)
{
	double sum = 0;

	for (size_t i = 0; i < PRN_POSTERIOR_CELLS; i++)
		sum -= posterior->shares[i] * expm1(-t / posterior->intervals[i]);
	return sum;
}

struct target {
	const struct prn_posterior *posterior;
	double probability;
};

static struct prn_root_sample excess(const void *context, double t)
{
	const struct target *target = context;
	struct prn_root_sample sample = { -target->probability, 0 };

	for (size_t i = 0; i < PRN_POSTERIOR_CELLS; i++) {
		double interval = target->posterior->intervals[i], still = exp(-t / interval);

		sample.value += target->posterior->shares[i] * -expm1(-t / interval);
		sample.slope += target->posterior->shares[i] * still / interval;
	}
	return sample;
}

double prn_posterior_until(const struct prn_posterior *posterior, double probability)
{
	struct target target = { posterior, probability };

	/* If all pages had the shortest Δ, they would change soonest. */
	return prn_root_find(excess, &target, 0, INFINITY, -log1p(-probability) * posterior->intervals[0]);
}
