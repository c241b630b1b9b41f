#include "decide/patience.h"

#include "perennial/time.h"

#include <math.h>

/* So many failures in a row may be a bad night of the page's host, or of whoever fetches. */
#define QUICK_RETRIES 3u
#define QUICK_RETRIES_PACED 1u /* of a page that never answered: it is dead more often than not */

#define FIRST_DAYS (3600.0 / PRN_DAY_S)
#define MOST_DAYS 180.0

unsigned prn_patience_intervals(const struct prn_page_state *state, bool paced)
{
	unsigned quick = (paced && !state->visits ? QUICK_RETRIES_PACED : QUICK_RETRIES) + state->gones;

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
