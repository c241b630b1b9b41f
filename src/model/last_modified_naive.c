/*
 * Counts changes per time since each, without the correction of last-modified.  It is too high, by up to 39 %
 * at two visits to a page that seldom changes, and less the more visits there are (Cho §6.5.1).
 */
#include "model/last_modified.h"

static double rate(const struct prn_estimator *estimator, const void *state)
{
	const struct prn_last_modified *seen = state;

	(void)estimator;
	return seen->changes > 0 ? seen->changes / seen->time : 0;
}

static const char *const keys[] = { "forgetting", NULL };

const struct prn_estimator_kind prn_estimator_last_modified_naive = {
	.info = { "last-modified-naive", "from the times since the last change: high after few visits", "Cho §6.5.1", keys },
	.state_size = prn_last_modified_size,
	.add = prn_last_modified_add,
	.rate = rate,
	.fade = prn_last_modified_fade,
	.interval = prn_last_modified_interval,
};
