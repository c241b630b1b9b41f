/*
 * Stochastic approximation (AV eq. 3): at each visit y moves by η_k [z (y + p) - y], η_k = (k+1)^-γ, towards the
 * λ at which a visit of Poisson rate p is as likely to raise as to lower it.  It starts at p; at regular visits it
 * tends to p (e^(λ/p) - 1) instead.
 */
#include "model/confidence.h"
#include "model/estimator_internal.h"

#include <math.h>

struct sa {
	double visits, time;
	double rate; /* y */
};

static size_t state_size(const struct prn_estimator *estimator)
{
	(void)estimator;
	return sizeof(struct sa);
}

static void add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit)
{
	struct sa *sa = state;
	double p = estimator->visit_rate, step = pow(sa->visits + 1, -estimator->exponent);

	sa->visits++;
	sa->time += visit->interval;
	if (p <= 0)
		p = sa->visits / sa->time;
	if (sa->visits <= 1)
		sa->rate = p;
	sa->rate += step * (visit->changed ? p : -sa->rate);
}

static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct sa *sa = state;

	return sa->visits > 0 ? sa->rate : estimator->visit_rate;
}

/*
 * The estimate fluctuates about λ with a variance of η λ (λ + p)/2: each step adds η² times the variance of z
 * (y + p), which is (λ + p)² q (1 - q) with q = λ/(λ + p), and removes the share 2 η (1 - q) of it.
 */
static void interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low, double *high)
{
	const struct sa *sa = state;
	double p = estimator->visit_rate, half;

	if (!(sa->visits > 0))
		return;
	if (p <= 0)
		p = sa->visits / sa->time;
	half = prn_confidence_z(confidence) * sqrt(pow(sa->visits, -estimator->exponent) / 2 * sa->rate * (sa->rate + p));
	*low = fmax(sa->rate - half, 0);
	*high = sa->rate > 0 ? sa->rate + half : INFINITY;
}

static const char *const keys[] = { "visit-rate", "exponent", NULL };

const struct prn_estimator_kind prn_estimator_sa = {
	.info = { "sa", "stochastic approximation; Poisson visits (regular ones: high, p(e^(λ/p) - 1))",
	          "AV eq. 3", keys },
	.state_size = state_size,
	.add = add,
	.rate = rate,
	.interval = interval,
};
