#include "decide/patience.h"

#include "perennial/time.h"
#include "policy/policy_internal.h"

#include <math.h>

#define QUICK_RETRIES 3u
#define QUICK_RETRIES_NEW 1u

#define FIRST_S 3600.0
#define MOST_DAYS 180.0

/* The shortest interval that is counted, in days. */
#define LEAST_DAYS (600.0 / PRN_DAY_S)

/* So many failures may be a bad day of the page's host, or of whoever fetches. */
static unsigned quick_retries(const struct prn_page_state *state)
{
	return state->visits ? QUICK_RETRIES : QUICK_RETRIES_NEW;
}

/* A page that was said to be gone is soon retired, for which it takes the same attempts however late they come. */
bool prn_patience_is_due(const struct prn_page_state *state)
{
	return !state->gones && state->failures > quick_retries(state);
}

double prn_patience_days(const struct prn_page_state *state, double interval)
{
	double doubled = ldexp(FIRST_S / PRN_DAY_S, (int)state->failures - 1);

	if (!prn_patience_is_due(state))
		return interval;
	interval *= state->failures - quick_retries(state);
	return state->visits ? interval : fmax(interval, fmin(doubled, MOST_DAYS));
}

double prn_patience_growth(const struct prn_page_state *state, double weight)
{
	const struct prn_visit never = { .weight = weight, .threshold = 1 };
	struct prn_decision decision;
	double days;

	prn_policy_decide(state->policy, state->policy_state, &never, &decision);
	days = prn_patience_days(state, fmax(decision.expected, LEAST_DAYS));
	return 2 / (days * days);
}
