/*
 * Bounds on the time between two visits of a page (decider.h, struct prn_interval_rule).
 */
#ifndef DECIDE_INTERVALS_H
#define DECIDE_INTERVALS_H

#include "perennial/decider.h"
#include "perennial/time.h"

#define PRN_INTERVAL_MOST_S (180.0 * PRN_DAY_S) /* unless a rule says otherwise */

struct prn_interval_bounds {
	double min_s, max_s; /* 0 < min_s <= max_s */
};

/* Checks that rules are in range and parse; the error's text names the rule.  PRN_E_ARGUMENT */
int prn_intervals_check(const struct prn_interval_rule *rules, size_t count, struct prn_error *error);

/*
 * The bounds of a page, by its normal URL and the prn_media_code of its type.  Where the rules contradict each other, the
 * minimum wins.
 */
struct prn_interval_bounds prn_intervals_find(const struct prn_interval_rule *rules, size_t count,
                                              const char *normal_url, uint32_t media);

#endif
