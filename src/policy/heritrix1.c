/* Heritrix 1's adaptive revisiting: the interval is divided by a factor after a change, else multiplied by one. */
#include "policy/adaptive.h"

struct parameters {
	struct prn_adaptive_parameters interval;
	double stretch, shrink; /* factors >= 1 on the interval */
};

static int visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	const struct parameters *own = parameters;
	struct prn_adaptive_state *state = bytes;

	switch (prn_adaptive_see(&own->interval, state, now)) {
	case PRN_ADAPTIVE_CHANGED:
		state->interval /= own->shrink;
		break;
	case PRN_ADAPTIVE_SAME:
		state->interval *= own->stretch;
		break;
	case PRN_ADAPTIVE_NEW:
		break;
	}
	prn_adaptive_clamp(&own->interval, state);
	return 0;
}

static const struct prn_policy_key keys[] = {
	{ .name = "stretch", .fallback = "1.5", .help = "unchanged: the interval times this",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, stretch), .least = 1 },
	{ .name = "shrink", .fallback = "1.5", .help = "changed: the interval divided by this",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, shrink), .least = 1 },
	PRN_KEY_START("1"),
	PRN_KEY_SHORTEST("0.0416667"),
	PRN_KEY_LONGEST("28"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_heritrix1 = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "heritrix1",
	          .title = "Heritrix 1's adaptive revisiting",
	          .source = "Heritrix 1, adaptive revisit",
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
