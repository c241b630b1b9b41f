/* StormCrawler's AdaptiveScheduler: after a change the interval moves a share of the way to the shortest. */
#include "policy/adaptive.h"

#include <math.h>

struct parameters {
	struct prn_adaptive_parameters interval;
	double increase, decrease; /* shares, increase may be larger than 1 */
};

static int visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	const struct parameters *own = parameters;
	struct prn_adaptive_state *state = bytes;

	switch (prn_adaptive_see(&own->interval, state, now)) {
	case PRN_ADAPTIVE_CHANGED:
		state->interval += own->decrease * (own->interval.shortest - state->interval);
		break;
	case PRN_ADAPTIVE_SAME:
		state->interval = fmin(state->interval * (1 + own->increase), own->interval.longest);
		break;
	case PRN_ADAPTIVE_NEW:
		break;
	}
	return 0;
}

static const struct prn_policy_key keys[] = {
	{ .name = "increase", .fallback = "0.5", .help = "unchanged: the interval times 1 + this",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, increase), .above = true },
	{ .name = "decrease", .fallback = "0.5", .help = "changed: the share of the way to the shortest interval",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, decrease), .most = 1 },
	PRN_KEY_START("1"),
	PRN_KEY_SHORTEST("0.0416667"),
	PRN_KEY_LONGEST("14"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_stormcrawler = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "stormcrawler",
	          .title = "StormCrawler's adaptive schedule",
	          .source = "Apache StormCrawler, AdaptiveScheduler",
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
