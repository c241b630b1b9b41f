/* Changes seen per time (Cho §6.4.1).  It is too low, as several changes in one interval count once. */
#include "model/confidence.h"
#include "model/estimator_internal.h"

#include <math.h>

struct naive {
	double changes, time, visits;
};

static size_t state_size(const struct prn_estimator *estimator)
{
	(void)estimator;
	return sizeof(struct naive);
}

static void add(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit)
{
	struct naive *naive = state;

	(void)estimator;
	naive->changes += visit->changed;
	naive->time += visit->interval;
	naive->visits++;
}

static void fade(const struct prn_estimator *estimator, void *state, double kept)
{
	struct naive *naive = state;

	(void)estimator;
	naive->changes *= kept;
	naive->time *= kept;
	naive->visits *= kept;
}

/* The interval of the true rate, which the estimate is below, from the share of visits that saw a change. */
static void interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low, double *high)
{
	const struct naive *naive = state;

	(void)estimator;
	if (naive->visits > 0)
		prn_confidence_binomial(fmin(naive->changes, naive->visits), naive->visits, naive->time / naive->visits,
		                        confidence, low, high);
}

static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct naive *naive = state;

	(void)estimator;
	return naive->time > 0 ? naive->changes / naive->time : 0;
}

static const char *const keys[] = { "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_naive = {
	.info = { "naive", "changes seen per time: low where pages change between visits", "Cho §6.4.1", keys },
	.state_size = state_size,
	.add = add,
	.rate = rate,
	.fade = fade,
	.interval = interval,
};
