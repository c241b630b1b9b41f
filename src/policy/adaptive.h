/*
 * What the production crawlers share: one interval a page, made shorter after a visit that found a change and
 * longer after one that did not (doc/theory.md §9).  It is kept in the crawler's own time, in which its documented
 * limits are in days; the dial, a scale, is how many clock units such a day has.  They know no weights.
 */
#ifndef POLICY_ADAPTIVE_H
#define POLICY_ADAPTIVE_H

#include "policy/kind.h"

struct prn_adaptive_state {
	double interval; /* days of the crawler */
	double lead;     /* days by which the next visit comes before its end; >= 0 */
	double modified; /* when the page last changed as far as it knows; at first, the acquisition; clock units */
	uint64_t visited; /* 0 or 1 */
};

enum prn_adaptive_seen {
	PRN_ADAPTIVE_NEW, /* the first visit */
	PRN_ADAPTIVE_CHANGED,
	PRN_ADAPTIVE_SAME,
};

/* Takes a visit in and tells what it saw; a new page's interval is the key "start". */
enum prn_adaptive_seen prn_adaptive_see(const struct prn_policy *policy, struct prn_adaptive_state *state,
                                        const struct prn_visit *now);

/* Puts the interval between the keys "shortest" and "longest". */
void prn_adaptive_clamp(const struct prn_policy *policy, struct prn_adaptive_state *state);

/*
 * For struct prn_policy_kind.  One slot holds the version of the last visit.  The next visit comes after the
 * interval less the lead, but not sooner than after "shortest".
 */
size_t prn_adaptive_slots(const struct prn_parameters *parameters);
size_t prn_adaptive_state_size(const struct prn_parameters *parameters);
void prn_adaptive_decide(const struct prn_policy *policy, const void *state, const struct prn_visit *now,
                         struct prn_decision *decision);
void prn_adaptive_pack(const struct prn_policy *policy, void *state, struct prn_packing *packing);

#define PRN_KEY_START(days) { "start", days, "a new page's interval, days" }
#define PRN_KEY_SHORTEST(days) { "shortest", days, "the shortest interval, days" }
#define PRN_KEY_LONGEST(days) { "longest", days, "the longest interval, days" }

#endif
