#include "perennial/prior.h"

#include "base/root.h"
#include "perennial/error.h"

#include <math.h>
#include <stdbool.h>

#define MOVED_MIN 0.5

/* The sum of so many divergences of 1 may come out slightly above their number. */
#define ROUNDING 1e-9

/* The weight of a prior in changes is searched in steps of this factor, then by golden section. */
#define ALPHA_MIN 1e-3
#define ALPHA_MAX 1e2
#define ALPHA_STEP 2.0
#define GOLDEN 0.3819660112501051

struct corpus {
	const struct prn_drifted *pages;
	size_t n;
	double step;  /* the size of a change */
	double extra; /* added to every page's divergence */
};

/* In changes, as α is throughout this file. */
static double changes(const struct corpus *corpus, size_t i)
{
	return (corpus->pages[i].moved + corpus->extra) / corpus->step;
}

struct beta_equation {
	const struct corpus *corpus;
	double alpha;
};

/* The derivative of the log-likelihood by β, times -β: Σ (β d - α τ)/(β + τ) rises with β from -nα to Σd. */
static struct prn_root_sample beta_at(const void *context, double beta)
{
	const struct beta_equation *equation = context;
	const struct corpus *corpus = equation->corpus;
	struct prn_root_sample at = { 0, 0 };

	for (size_t i = 0; i < corpus->n; i++) {
		double moved = changes(corpus, i), time = corpus->pages[i].time, all = beta + time;

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
		moved += changes(corpus, i);
		time += corpus->pages[i].time;
	}
	return prn_root_find(beta_at, &equation, 0, INFINITY, alpha * time / moved);
}

/* Σ log of Γ(d + α)/Γ(α) · (β/(β+τ))^α · (1/(β+τ))^d, without the terms that depend on neither α nor β. */
static double likelihood(const struct corpus *corpus, double alpha, double beta)
{
	double sum = 0;
	int sign;

	for (size_t i = 0; i < corpus->n; i++) {
		double moved = changes(corpus, i), time = corpus->pages[i].time;

		sum += lgamma_r(moved + alpha, &sign) - lgamma_r(alpha, &sign) - alpha * log1p(time / beta) -
		       moved * log(beta + time);
	}
	return sum;
}

/* The likelihood at the best β, with the prior of α. */
static double profile_likelihood(const struct corpus *corpus, double log_alpha)
{
	double alpha = exp(log_alpha);

	return likelihood(corpus, alpha, best_beta(corpus, alpha)) - alpha;
}

static double best_alpha(const struct corpus *corpus)
{
	double low = log(ALPHA_MIN), high = log(ALPHA_MAX), best = low, most = -INFINITY;

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

static bool valid(double value, double most)
{
	return value >= 0 && value <= most && isfinite(value);
}

int prn_prior_learn(const struct prn_drifted *pages, size_t n, struct prn_prior *prior)
{
	struct corpus corpus = { pages, n, 1, 0 };
	double moved = 0, changed = 0;

	if (!n)
		return PRN_E_ARGUMENT;
	for (size_t i = 0; i < n; i++) {
		if (!valid(pages[i].changes, INFINITY) || !valid(pages[i].moved, pages[i].changes * (1 + ROUNDING)) ||
		    !valid(pages[i].time, INFINITY) || pages[i].time == 0)
			return PRN_E_ARGUMENT;
		moved += pages[i].moved;
		changed += pages[i].changes;
	}
	if (moved > 0)
		corpus.step = moved / changed;
	if (moved < MOVED_MIN)
		corpus.extra = (MOVED_MIN - moved) / (double)n;
	prior->alpha = best_alpha(&corpus);
	prior->beta = best_beta(&corpus, prior->alpha);
	prior->alpha *= corpus.step;
	return 0;
}
