/*
 * The law of large numbers (AV eq. 2): of visits at Poisson times of rate p, a share λ/(λ + p) sees a change,
 * so λ = p Î/(k + α_k - Î), for any α_k > 0 that grows slower than k: α, α k^γ, α log(k + 1).  At regular
 * visits it tends to p (e^(λ/p) - 1) instead.
 */
#include "model/confidence.h"
#include "model/estimator_internal.h"

#include <math.h>


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
	const struct prn_visit_counts *lln = state;
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
	const struct prn_visit_counts *lln = state;
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
	const struct prn_visit_counts *lln = state;

	(void)estimator;
	return lln->changes <= lln->visits;
}

static const char *const keys[] = { "visit-rate", "damping", "growth", "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_lln = {
	.info = { "lln", "law of large numbers; Poisson visits (regular ones: high, p(e^(λ/p) - 1))",
	          "AV eq. 2", keys },
	.state_size = prn_visit_counts_size,
	.add = prn_visit_counts_add,
	.rate = rate,
	.fade = prn_visit_counts_fade,
	.interval = interval,
	.valid = valid,
};
