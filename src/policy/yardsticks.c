#include "policy/yardsticks.h"
#include "perennial/policy_kind.h"

static const struct prn_policy_key no_keys[] = { PRN_KEYS_END };

/* In the order of enum prn_yardstick. */
static const struct prn_policy_info yardsticks[PRN_YARDSTICKS] = {
	{ .name = "fs-s",
	  .title = "offline: one period per page, from its average divergence curve",
	  .source = "OP §3.4",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true,
	  .compared = true },
	{ .name = "hs-s",
	  .title = "offline: one period per page, from its change rate",
	  .source = "OP §3.4",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
	{ .name = "fs-d",
	  .title = "offline: visits when the divergence that built up is worth it",
	  .source = "OP §3.4",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
	{ .name = "hs-d",
	  .title = "offline: visits when the time since a change is worth it",
	  .source = "OP §3.4",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
	{ .name = "fs-l",
	  .title = "offline: visits at one level of divergence per page, the best there is",
	  .source = "this project",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
	{ .name = "fs-n",
	  .title = "offline: as fs-s, but by the naive rule that a visit is worth the divergence",
	  .source = "OP §2.2",
	  .dial = PRN_DIAL_THRESHOLD,
	  .keys = no_keys,
	  .knows_weights = true },
};

const struct prn_policy_info *prn_yardstick_info(size_t i)
{
	return i < PRN_YARDSTICKS ? &yardsticks[i] : NULL;
}
