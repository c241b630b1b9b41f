#include "policy/rate.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

void prn_rate_sizes(const void *parameters, size_t *slots, size_t *state_size)
{
	const struct prn_rate_parameters *own = parameters;

	*slots = 1;
	*state_size = sizeof(struct prn_rate_state) + prn_estimator_state_size(&own->estimator);
}

int prn_rate_curve(const void *parameters, const void *bytes, struct prn_curve *curve)
{
	const struct prn_rate_parameters *own = parameters;
	const struct prn_rate_state *state = bytes;
	double rate = prn_estimator_rate(&own->estimator, state->learned);

	if (state->visits < 2 && rate <= 0)
		return 0;
	*curve = prn_curve_churn(1, rate);
	return 1;
}

int prn_rate_visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	const struct prn_rate_parameters *own = parameters;
	struct prn_rate_state *state = bytes;
	struct prn_estimator_visit seen = { now->time - state->time, now->divergence[0] > own->change,
		                            now->since_modified };

	if (state->visits)
		prn_estimator_add(&own->estimator, state->learned, &seen);
	state->time = now->time;
	state->visits += state->visits < UINT32_MAX;
	return 0;
}

/* The estimator's numbers are all >= 0; trailing zeros are not stored. */
void prn_rate_pack(const void *parameters, void *bytes, struct prn_packing *packing)
{
	const struct prn_rate_parameters *own = parameters;
	struct prn_rate_state *state = bytes;
	uint32_t most = (uint32_t)(prn_estimator_state_size(&own->estimator) / sizeof(double));
	uint32_t visits = prn_rate_visits(state), count = most;

	prn_packing_count(packing, &visits, UINT32_MAX);
	prn_packing_ago(packing, &state->time);
	while (count && state->learned[count - 1] <= 0)
		count--;
	prn_packing_count(packing, &count, most);
	for (uint32_t i = 0; i < count; i++)
		prn_packing_number(packing, &state->learned[i]);
	prn_packing_require(packing, visits && prn_estimator_valid(&own->estimator, state->learned));
	if (packing->in)
		state->visits = visits;
}

/* Draws a period within the bounds; its mean is that of an exponential variable cut off there. */
static void draw(const struct prn_rate_parameters *parameters, const struct prn_rate_state *state, const struct prn_visit *now,
                 double frequency, struct prn_decision *decision)
{
	struct prn_decision most;
	struct prn_random random;
	double period = INFINITY;

	prn_random_seed(&random, parameters->seed ^ now->page, state->visits);
	if (frequency > 0)
		period = prn_random_exponential(&random, 1 / frequency);
	prn_bounds_decide(&parameters->bounds, period, prn_rate_visits(state), now, decision);
	prn_bounds_decide(&parameters->bounds, INFINITY, prn_rate_visits(state), now, &most);
	decision->expected = frequency > 0 ? -expm1(-frequency * most.period) / frequency : most.period;
}

void prn_rate_decide_at_random(enum prn_objective objective, const void *parameters, const void *bytes,
                               const struct prn_visit *now, struct prn_decision *decision)
{
	const struct prn_rate_parameters *own = parameters;
	const struct prn_rate_state *state = bytes;
	struct prn_curve learned;

	if (prn_rate_curve(own, state, &learned))
		draw(own, state, now, prn_allocate_one(objective, learned.rate, now->weight, now->threshold),
		     decision);
	else
		prn_bounds_decide_curve(&own->bounds, NULL, prn_rate_visits(state), now, decision);
}

int prn_rate_multiplier(enum prn_objective objective, const double *rates, const double *weights, size_t n,
                        double budget, double *multiplier)
{
	double *frequencies = n ? calloc(n, sizeof *frequencies) : NULL;
	double found;
	int code;

	if (n && !frequencies)
		return PRN_E_MEMORY;
	code = prn_allocate(objective, rates, weights, n, budget, frequencies, &found);
	free(frequencies);
	if (!code && !(found > 0))
		code = PRN_E_ARGUMENT;
	if (!code)
		*multiplier = found;
	return code;
}

int prn_rate_price_freshness(const double *rates, const double *weights, size_t n, double budget, double *dial)
{
	return prn_rate_multiplier(PRN_OBJECTIVE_FRESHNESS, rates, weights, n, budget, dial);
}
