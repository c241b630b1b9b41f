/* Decides when a page is tried again that has failed. */
#include "decide/decider_internal.h"
#include "decide/loads.h"
#include "decide/patience.h"

#include <math.h>

/* So often in a row a page may be refused by its host before it waits longer (patience.h): within five days. */
#define REFUSALS 7

/* The delay in seconds after as many failures in a row as the page in hand has. */
static int back_off(const struct prn_decider *decider, struct prn_entry *entry, bool is_refused, double *delay, struct prn_error *error)
{
	struct prn_interval_bounds interval = prn_decider_interval(decider, entry);
	double doubled = ldexp(decider->options.retry_s, (int)entry->state.failures - 1), days = 0;
	bool paced = decider->budget_per_day > 0;
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_decision decision;
	int code = 0;

	*delay = fmin(doubled, decider->options.retry_max_s);
	if (prn_patience_intervals(&entry->state, paced) && !(is_refused && entry->state.failures <= REFUSALS)) {
		if (paced && !entry->state.visits)
			code = prn_loads_round(decider, &reader, &days, error);
		prn_decider_decide(decider, entry, decider->threshold, &decision);
		*delay = fmax(*delay, prn_patience_days(&entry->state, paced, fmax(decision.expected, days)) * PRN_DAY_S);
	}
	/* What retires a page for good is not to be the last hour of an outage. */
	if (entry->state.gones && entry->state.gones + 1 >= decider->options.retire_after)
		*delay = fmax(*delay, PRN_DAY_S);
	*delay = fmax(interval.min_s, fmin(*delay, interval.max_s));
	return code;
}

/*
 * Whether a failure at time is that of a lease that ran out later, and was counted then.  Where the threshold has changed since,
 * that is not quite known, and a page that waits for its intervals may have a failure too many.
 */
static int is_counted(const struct prn_decider *decider, struct prn_entry *entry, int64_t time, bool *counted, struct prn_error *error)
{
	double delay;
	int code;

	*counted = false;
	if (!entry->state.failures || entry->state.reason != PRN_NEXT_RETRY)
		return 0;
	code = back_off(decider, entry, false, &delay, error);
	*counted = (double)time <= (double)entry->due - delay;
	return code;
}

static void count_failure(struct prn_page_state *state, enum prn_failure cause, bool counted)
{
	if (!counted)
		state->failures += state->failures < PRN_PAGE_FAILURES;
	if (cause == PRN_FAILURE_GONE)
		state->gones += state->gones < PRN_PAGE_FAILURES;
	else if (cause != PRN_FAILURE_SILENT)
		state->gones = 0;
}

int prn_decider_fail(const struct prn_decider *decider, struct prn_entry *entry, int64_t time, enum prn_failure cause,
                     struct prn_error *error)
{
	struct prn_page_state *state = &entry->state;
	double delay;
	bool counted;
	int code = is_counted(decider, entry, time, &counted, error);

	if (code)
		return code;
	count_failure(state, cause, counted);
	state->reason = PRN_NEXT_RETRY;
	/* A page that was never visited waits from this time on: the time before is not kept with this reason. */
	if (!state->visits)
		state->visited = PRN_TIME_UNKNOWN;
	code = back_off(decider, entry, cause == PRN_FAILURE_REFUSED, &delay, error);
	entry->due = prn_time_after(time, delay);
	return code;
}
