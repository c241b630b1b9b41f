/* Maximum likelihood (Cho eq. 6.3). */
#include "model/likelihood.h"

#include <math.h>

static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct prn_likelihood *likelihood = state;
	double added = prn_estimator_forgets(estimator) ? prn_likelihood_forgotten(likelihood) : 0;

	if (likelihood->changes > 0 && likelihood->unchanged + added > 0)
		return prn_likelihood_root(likelihood, 0, added);
	return prn_likelihood_edge(likelihood->changes, likelihood->unchanged, likelihood->shortest);
}

static void interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low, double *high)
{
	(void)estimator;
	prn_likelihood_interval(state, 0, 0, confidence, low, high);
}

static const char *const keys[] = { "lengths", "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_mle = {
	.info = { "mle", "maximum likelihood; irregular visits", "Cho eq. 6.3; GF §3.3", keys },
	.state_size = prn_likelihood_size,
	.add = prn_likelihood_add,
	.rate = rate,
	.fade = prn_likelihood_fade,
	.interval = interval,
	.valid = prn_likelihood_valid,
};
