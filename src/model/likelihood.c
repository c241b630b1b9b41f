#include "model/likelihood.h"

#include "base/root.h"
#include "model/confidence.h"

#include <math.h>

size_t prn_likelihood_size(const struct prn_estimator *estimator)
{
	return sizeof(struct prn_likelihood) + estimator->lengths * sizeof(struct prn_length);
}

void prn_likelihood_add(const struct prn_estimator *estimator, void *state,
                        const struct prn_estimator_visit *visit)
{
	struct prn_likelihood *likelihood = state;

	if (!visit->changed) {
		likelihood->unchanged += visit->interval;
		return;
	}
	if (!(likelihood->changes > 0) || visit->interval < likelihood->shortest)
		likelihood->shortest = visit->interval;
	likelihood->changes++;
	prn_lengths_add(likelihood->lengths, &likelihood->used, estimator->lengths, visit->interval);
}

void prn_likelihood_fade(const struct prn_estimator *estimator, void *state, double kept)
{
	struct prn_likelihood *likelihood = state;

	(void)estimator;
	/* A tiny value becomes 0, or is kept above the least, so that quotients stay finite. */
	if (likelihood->changes > 0)
		likelihood->changes = fmax(likelihood->changes * kept, PRN_LENGTHS_LEAST);
	likelihood->unchanged *= kept;
	if (likelihood->unchanged < PRN_INTERVAL_MIN)
		likelihood->unchanged = 0;
	prn_lengths_fade(likelihood->lengths, likelihood->used, kept);
}

bool prn_likelihood_valid(const struct prn_estimator *estimator, const void *state)
{
	const struct prn_likelihood *likelihood = state;

	return prn_lengths_valid(likelihood->lengths, likelihood->used, estimator->lengths,
	                         estimator->forgetting < 1 ? PRN_LENGTHS_LEAST / 2 : 1);
}

struct equation {
	const struct prn_likelihood *likelihood;
	double more_changed, unchanged;
};

struct terms {
	double sum, fall; /* Σ t/(e^(λt) - 1), and its derivative by λ, negated */
};

static void add_terms(struct terms *terms, double rate, double t, double count)
{
	double grown = expm1(rate * t), term = count * t / grown;

	terms->sum += term;
	terms->fall += term * t * (1 + 1 / grown);
}

/* The log of the right side less that of the left: rising and concave in λ, so Newton from below is safe. */
static struct prn_root_sample balance_at(const void *context, double rate)
{
	const struct equation *equation = context;
	const struct prn_likelihood *likelihood = equation->likelihood;
	struct terms terms = { 0, 0 };

	for (size_t i = 0; i < (size_t)likelihood->used; i++)
		add_terms(&terms, rate, likelihood->lengths[i].length, likelihood->lengths[i].count);
	if (equation->more_changed > 0)
		add_terms(&terms, rate, equation->more_changed, 1);
	return (struct prn_root_sample){ log(equation->unchanged / terms.sum), terms.fall / terms.sum };
}

double prn_likelihood_root(const struct prn_likelihood *likelihood, double more_changed, double more_unchanged)
{
	struct equation equation = { likelihood, more_changed, likelihood->unchanged + more_unchanged };
	double changes = likelihood->changes + (more_changed > 0), changed = more_changed, low, high;

	for (size_t i = 0; i < (size_t)likelihood->used; i++)
		changed += likelihood->lengths[i].count * likelihood->lengths[i].length;
	/* x/(e^x - 1) lies between 1 - x/2 and 1, which brackets the root. */
	low = changes / (equation.unchanged + changed / 2);
	high = changes / equation.unchanged;
	if (!(high > low * (1 + 1e-12)))
		return low;
	return prn_root_find(balance_at, &equation, low * (1 - 1e-9), high, low + 1e-10 * (high - low));
}

static double log_of(const void *context, double rate)
{
	const struct equation *equation = context;
	const struct prn_likelihood *likelihood = equation->likelihood;
	double sum = -rate * equation->unchanged;

	for (size_t i = 0; i < (size_t)likelihood->used; i++)
		sum += likelihood->lengths[i].count * log(-expm1(-rate * likelihood->lengths[i].length));
	if (equation->more_changed > 0)
		sum += log(-expm1(-rate * equation->more_changed));
	return sum;
}

void prn_likelihood_interval(const struct prn_likelihood *likelihood, double more_changed, double more_unchanged,
                             double confidence, double *low, double *high)
{
	struct equation equation = { likelihood, more_changed, likelihood->unchanged + more_unchanged };
	bool changed = likelihood->changes > 0 || more_changed > 0;
	double best = 0, scale;

	if (!changed && !(equation.unchanged > 0))
		return;
	if (changed && equation.unchanged > 0)
		best = prn_likelihood_root(likelihood, more_changed, more_unchanged);
	else if (changed)
		best = INFINITY;
	scale = changed && isinf(best) ? 1 / likelihood->shortest : 1 / fmax(equation.unchanged, PRN_INTERVAL_MIN);
	prn_confidence_find(log_of, &equation, best, scale, prn_confidence_z(confidence), low, high);
}

double prn_likelihood_forgotten(const struct prn_likelihood *likelihood)
{
	double time = 0, count = 0;

	for (size_t i = 0; i < (size_t)likelihood->used; i++) {
		time += likelihood->lengths[i].count * likelihood->lengths[i].length;
		count += likelihood->lengths[i].count;
	}
	return count > 0 ? fmax(PRN_ESTIMATOR_UNCHANGED_LEAST * time / count - likelihood->unchanged, 0) : 0;
}

double prn_likelihood_edge(double changes, double unchanged, double shortest)
{
	if (changes > 0)
		return 1 / shortest;
	return unchanged > 0 ? 1 / unchanged : 0;
}
