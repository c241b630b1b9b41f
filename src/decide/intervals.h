/*
 * How long the time between two visits of a page may be (decider.h, struct prn_interval_rule).
 */
#ifndef DECIDE_INTERVALS_H
#define DECIDE_INTERVALS_H

#include "perennial/decider.h"
#include "perennial/time.h"

#define PRN_INTERVAL_MOST_S (180.0 * PRN_DAY_S) /* unless a rule says otherwise */

struct prn_interval_bounds {
	double min_s, max_s; /* 0 < min_s <= max_s */
};

/* Whether rules are in range and parse; the text names the rule.  PRN_E_ARGUMENT */
int prn_intervals_check(const struct prn_interval_rule *rules, size_t count, struct prn_error *error);

/*
 * The bounds of a page: its normal URL, and prn_media_code of its type.  Where the rules leave no room, the
 * minimum wins.
 */
struct prn_interval_bounds prn_intervals_find(const struct prn_interval_rule *rules, size_t count,
                                              const char *normal_url, uint32_t media);

#endif
