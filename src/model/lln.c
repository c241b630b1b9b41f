/*
 * The law of large numbers (AV eq. 2): of visits at Poisson times of rate p, a share λ/(λ + p) sees a change,
 * so λ = p Î/(k + α_k - Î), for any α_k > 0 that grows slower than k: α, α k^γ, α log(k + 1).  At regular
 * visits it tends to p (e^(λ/p) - 1) instead.
 */
#include "model/confidence.h"
#include "model/estimator_internal.h"

#include <math.h>

struct lln {
	double visits, changes, time;
};

static size_t state_size(const struct prn_estimator *estimator)
{
	(void)estimator;
	return sizeof(struct lln);
}

static void add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit)
{
	struct lln *lln = state;

	(void)estimator;
	lln->visits++;
	lln->changes += visit->changed;
	lln->time += visit->interval;
}

static void fade(const struct prn_estimator *estimator, void *state, double kept)
{
	struct lln *lln = state;

	(void)estimator;
	lln->visits *= kept;
	lln->changes *= kept;
	lln->time *= kept;
}

struct shares {
	double changes, visits, p;
};

static double log_likelihood(const void *context, double rate)
{
	const struct shares *seen = context;

	return (seen->changes > 0 ? seen->changes * -log1p(seen->p / rate) : 0) -
	       (seen->visits - seen->changes) * log1p(rate / seen->p);
}

static void interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low, double *high)
{
	const struct lln *lln = state;
	double p = estimator->visit_rate, unchanged = lln->visits - lln->changes;

	if (!(lln->visits > 0))
		return;
	if (p <= 0)
		p = lln->visits / lln->time;
	prn_confidence_find(log_likelihood, &(struct shares){ lln->changes, lln->visits, p },
	                    unchanged > 0 ? p * lln->changes / unchanged : INFINITY, p, prn_confidence_z(confidence), low, high);
}

static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct lln *lln = state;
	double p = estimator->visit_rate, damping = estimator->damping; /* α_k */

	if (lln->visits <= 0)
		return 0;
	if (p <= 0)
		p = lln->visits / lln->time;
	if (estimator->growth < 0)
		damping *= log1p(lln->visits);
	else if (estimator->growth > 0)
		damping *= pow(lln->visits, estimator->growth);
	return p * lln->changes / (lln->visits - lln->changes + damping);
}

static bool valid(const struct prn_estimator *estimator, const void *state)
{
	const struct lln *lln = state;

	(void)estimator;
	return lln->changes <= lln->visits;
}

static const char *const keys[] = { "visit-rate", "damping", "growth", "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_lln = {
	.info = { "lln", "law of large numbers; Poisson visits (regular ones: high, p(e^(λ/p) - 1))",
	          "AV eq. 2", keys },
	.state_size = state_size,
	.add = add,
	.rate = rate,
	.fade = fade,
	.interval = interval,
	.valid = valid,
};
