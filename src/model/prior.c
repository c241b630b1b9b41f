#include "perennial/prior.h"

#include "base/root.h"
#include "perennial/error.h"

#include <math.h>

#define MOVED_MIN 0.5

/* alpha is searched in steps of this factor, then by golden section. */
#define ALPHA_STEP 2.0
#define GOLDEN 0.3819660112501051

struct corpus {
	const double *moved, *time;
	size_t n;
	double extra; /* added to every page's divergence */
};

struct beta_equation {
	const struct corpus *corpus;
	double alpha;
};

/* The likelihood's slope in β, times -β: Σ (β d - α τ)/(β + τ) rises with β from -nα to Σd. */
static struct prn_root_sample beta_at(const void *context, double beta)
{
	const struct beta_equation *equation = context;
	const struct corpus *corpus = equation->corpus;
	struct prn_root_sample at = { 0, 0 };

	for (size_t i = 0; i < corpus->n; i++) {
		double moved = corpus->moved[i] + corpus->extra, time = corpus->time[i], all = beta + time;

		at.value += (beta * moved - equation->alpha * time) / all;
		at.slope += time * (moved + equation->alpha) / (all * all);
	}
	return at;
}

static double best_beta(const struct corpus *corpus, double alpha)
{
	struct beta_equation equation = { corpus, alpha };
	double moved = 0, time = 0;

	for (size_t i = 0; i < corpus->n; i++) {
		moved += corpus->moved[i] + corpus->extra;
		time += corpus->time[i];
	}
	return prn_root_find(beta_at, &equation, 0, INFINITY, alpha * time / moved);
}

/* Σ log of Γ(d + α)/Γ(α) · (β/(β+τ))^α · (1/(β+τ))^d; what does not depend on α and β is left out. */
static double likelihood(const struct corpus *corpus, double alpha, double beta)
{
	double sum = 0;
	int sign;

	for (size_t i = 0; i < corpus->n; i++) {
		double moved = corpus->moved[i] + corpus->extra, time = corpus->time[i];

		sum += lgamma_r(moved + alpha, &sign) - lgamma_r(alpha, &sign) - alpha * log1p(time / beta) -
		       moved * log(beta + time);
	}
	return sum;
}

static double profile_likelihood(const struct corpus *corpus, double log_alpha)
{
	double alpha = exp(log_alpha);

	return likelihood(corpus, alpha, best_beta(corpus, alpha));
}

static double best_alpha(const struct corpus *corpus)
{
	double low = log(PRN_PRIOR_ALPHA_MIN), high = log(PRN_PRIOR_ALPHA_MAX), best = low, most = -INFINITY;

	for (double at = low; at < high + log(ALPHA_STEP); at += log(ALPHA_STEP)) {
		double value = profile_likelihood(corpus, fmin(at, high));

		if (value > most) {
			most = value;
			best = fmin(at, high);
		}
	}
	low = fmax(low, best - log(ALPHA_STEP));
	high = fmin(high, best + log(ALPHA_STEP));
	while (high - low > 1e-4) {
		double a = low + GOLDEN * (high - low), b = high - GOLDEN * (high - low);

		if (profile_likelihood(corpus, a) > profile_likelihood(corpus, b))
			high = b;
		else
			low = a;
	}
	return exp((low + high) / 2);
}

int prn_prior_learn(const double *moved, const double *time, size_t n, struct prn_prior *prior)
{
	struct corpus corpus = { moved, time, n, 0 };
	double all = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(moved[i] >= 0) || !isfinite(moved[i]) || !(time[i] > 0) || !isfinite(time[i]))
			return PRN_E_RANGE;
		all += moved[i];
	}
	if (!n)
		return PRN_E_RANGE;
	if (all < MOVED_MIN)
		corpus.extra = (MOVED_MIN - all) / (double)n;
	prior->alpha = best_alpha(&corpus);
	prior->beta = best_beta(&corpus, prior->alpha);
	return 0;
}
