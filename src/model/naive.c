/* Changes seen per time (Cho §6.4.1): low, as several changes in one interval count once. */
#include "model/estimator_internal.h"

struct naive {
	double changes, time;
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
}

static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct naive *naive = state;

	(void)estimator;
	return naive->time > 0 ? naive->changes / naive->time : 0;
}

static const char *const keys[] = { NULL };

const struct prn_estimator_kind prn_estimator_naive = {
	.info = { "naive", "changes seen per time: low where pages change between visits", "Cho §6.4.1", keys },
	.state_size = state_size,
	.add = add,
	.rate = rate,
};
