#include "longevity/change_rate.h"
#include "perennial/estimator.h"

/* A state of mle with 8 different lengths takes at most 16 · (8 + 3) bytes (estimator.h). */
#define SPECIFICATION "mle:lengths=8"
#define STATE_DOUBLES 22

double prn_change_rate(const double *waits, const bool *changed, size_t count)
{
	double state[STATE_DOUBLES] = { 0 }, sum = 0;
	struct prn_estimator mle;

	if (prn_estimator_init(&mle, SPECIFICATION, NULL) || prn_estimator_state_size(&mle) > sizeof state)
		return 0;
	for (size_t i = 0; i < count; i++) {
		prn_estimator_add(&mle, state,
		                  &(struct prn_estimator_visit){ .interval = waits[i], .changed = changed[i] });
		sum += waits[i];
	}
	if (count)
		prn_estimator_add(&mle, state, &(struct prn_estimator_visit){ .interval = sum / (double)(2 * count) });
	return prn_estimator_rate(&mle, state);
}
