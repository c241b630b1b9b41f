/*
 * Apache Nutch's AdaptiveFetchSchedule.  It has two sets of defaults that differ: those of nutch-default.xml,
 * which an installation runs with, and those in the code.
 */
#include "policy/adaptive.h"

#include <math.h>

#define DAYS_MAX 1e100 /* outside any clock; keeps what follows finite */

/* Days since the page was modified: by the server, or by the last visit that found a change. */
static double days_unmodified(const struct prn_adaptive_state *state, const struct prn_visit *now)
{
	double since = now->time - state->modified;

	if (since > 0 && now->since_modified > 0)
		since = now->since_modified;
	return fmin(since / now->threshold, DAYS_MAX);
}

/* It aims at where the next change would be if they came evenly: sync x δ before the interval is over. */
static int visit(const struct prn_policy *policy, void *bytes, const struct prn_visit *now)
{
	const struct prn_parameters *parameters = &policy->parameters;
	struct prn_adaptive_state *state = bytes;
	double unmodified;

	switch (prn_adaptive_see(policy, state, now)) {
	case PRN_ADAPTIVE_CHANGED:
		state->interval *= 1 - parameters->decrease;
		break;
	case PRN_ADAPTIVE_SAME:
		state->interval *= 1 + parameters->increase;
		break;
	case PRN_ADAPTIVE_NEW:
		break;
	}
	unmodified = days_unmodified(state, now);
	state->interval = fmax(state->interval, unmodified);
	prn_adaptive_clamp(policy, state);
	state->lead = parameters->sync * unmodified;
	return 0;
}

static const struct prn_policy_key keys[] = {
	{ "preset", "xml", "sets the next three: \"xml\" to 0.4, 0.2, 0.3, \"code\" to 0.2, 0.2, 0.2" },
	{ "increase", "0.4", "unchanged: the interval times 1 + this" },
	{ "decrease", "0.2", "changed: the interval times 1 - this" },
	{ "sync", "0.3", "the share of the time since the last change by which a visit comes sooner" },
	PRN_KEY_START("30"),
	PRN_KEY_SHORTEST("0.000694444"),
	PRN_KEY_LONGEST("365"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_nutch = {
	.info = { "nutch", "Nutch's adaptive schedule", "Apache Nutch, AdaptiveFetchSchedule", PRN_DIAL_SCALE, keys },
	.slots = prn_adaptive_slots,
	.state_size = prn_adaptive_state_size,
	.visit = visit,
	.decide = prn_adaptive_decide,
	.pack = prn_adaptive_pack,
};
