/*
 * Apache Nutch's AdaptiveFetchSchedule.  It has two sets of defaults that differ: those of nutch-default.xml,
 * which an installation runs with, and those in the code.
 */
#include "policy/adaptive.h"

#include <math.h>
#include <string.h>

#define DAYS_MAX 1e100 /* outside the range of clocks; keeps the results finite */

struct parameters {
	struct prn_adaptive_parameters interval;
	double increase, decrease, sync; /* shares, increase may be larger than 1 */
};

/* The next visit aims at where the next change would be if changes came evenly: sync x δ before the end of the interval. */
static int visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	const struct parameters *own = parameters;
	struct prn_adaptive_state *state = bytes;
	double unmodified;

	switch (prn_adaptive_see(&own->interval, state, now)) {
	case PRN_ADAPTIVE_CHANGED:
		state->interval *= 1 - own->decrease;
		break;
	case PRN_ADAPTIVE_SAME:
		state->interval *= 1 + own->increase;
		break;
	case PRN_ADAPTIVE_NEW:
		break;
	}
	/* Days since the page was modified: by the server, or by the last visit that found a change. */
	unmodified = now->time - state->modified;
	if (unmodified > 0 && now->since_modified > 0)
		unmodified = now->since_modified;
	unmodified = fmin(unmodified / now->threshold, DAYS_MAX);
	state->interval = fmax(state->interval, unmodified);
	prn_adaptive_clamp(&own->interval, state);
	state->lead = own->sync * unmodified;
	return 0;
}

/* Acts as if the three keys were written; keys that follow override it. */
static bool read_preset(const char *text, void *to)
{
	struct parameters *parameters = to;
	bool xml = !strcmp(text, "xml");

	if (!xml && strcmp(text, "code"))
		return false;
	parameters->increase = xml ? 0.4 : 0.2;
	parameters->decrease = 0.2;
	parameters->sync = xml ? 0.3 : 0.2;
	return true;
}

static const struct prn_policy_key keys[] = {
	{ .name = "preset", .fallback = "xml",
	  .help = "sets the next three: \"xml\" to 0.4, 0.2, 0.3, \"code\" to 0.2, 0.2, 0.2",
	  .type = PRN_KEY_TYPE_OWN, .read = read_preset, .fits = "'xml' or 'code'" },
	{ .name = "increase", .fallback = "0.4", .help = "unchanged: the interval times 1 + this",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, increase), .above = true },
	{ .name = "decrease", .fallback = "0.2", .help = "changed: the interval times 1 - this",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, decrease), .most = 1 },
	{ .name = "sync", .fallback = "0.3", .help = "the share of the time since the last change that is taken off the interval",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, sync), .most = 1 },
	PRN_KEY_START("30"),
	PRN_KEY_SHORTEST("0.000694444"),
	PRN_KEY_LONGEST("365"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_nutch = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "nutch",
	          .title = "Nutch's adaptive schedule",
	          .source = "Apache Nutch, AdaptiveFetchSchedule",
	          .dial = PRN_DIAL_SCALE,
	          .keys = keys,
	          .compared = true },
	.parameters_size = sizeof(struct parameters),
	.slots = 1,
	.state_size = sizeof(struct prn_adaptive_state),
	.visit = visit,
	.decide = prn_adaptive_decide,
	.pack = prn_adaptive_pack,
};
