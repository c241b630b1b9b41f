#include "decide/patience.h"

#include "perennial/time.h"

#include <math.h>

/* So many failures in a row may be a bad night of the page's host, or of whoever fetches. */
#define QUICK_RETRIES 3u
#define QUICK_RETRIES_PACED 1u /* of a page that never answered: it is dead more often than not */

/* The weight of a new answer in the share of answers that came after failures, once there are enough for a mean. */
#define TROUBLED_FADE 0.25

#define FIRST_DAYS (3600.0 / PRN_DAY_S)
#define MOST_DAYS 180.0

void prn_patience_learn(struct prn_page_state *state)
{
	double weight = fmax(TROUBLED_FADE, 1.0 / (state->visits + 1.0));

	state->troubled = prn_page_share(state->troubled + weight * ((state->failures > 0) - state->troubled));
}

/* How many failures in a row are followed by a quick retry. */
static unsigned quick_retries(const struct prn_page_state *state, bool paced)
{
	if (paced && !state->visits)
		return QUICK_RETRIES_PACED;
	return (unsigned)(QUICK_RETRIES * (1 - state->troubled) + 1e-9);
}

unsigned prn_patience_intervals(const struct prn_page_state *state, bool paced)
{
	unsigned retries = quick_retries(state, paced), quick = retries + (retries ? state->gones : 0);

	return state->failures > quick ? state->failures - quick : 0;
}

double prn_patience_days(const struct prn_page_state *state, bool paced, double interval)
{
	unsigned intervals = prn_patience_intervals(state, paced);

	if (!intervals)
		return interval;
	return fmax(intervals * interval, state->visits ? 0 : fmin(ldexp(FIRST_DAYS, (int)state->failures - 1), MOST_DAYS));
}

bool prn_patience_has_only_failed(const struct prn_page_state *state)
{
	return !state->visits && state->failures > 1;
}

double prn_patience_value(double threshold, double days, double interval)
{
	double grown = 1 + days / interval;

	return threshold * grown * grown;
}
