/*
 * What the production crawlers share: one interval a page, made shorter after a visit that found a change and longer
 * after one that did not (theory.md 9).  It is kept in the crawler's own time, in which its documented limits are in
 * days; the dial, a scale, is how many clock units such a day has.  They know no weights.
 */
#ifndef POLICY_ADAPTIVE_H
#define POLICY_ADAPTIVE_H

#include "policy/kind.h"

struct prn_adaptive_state {
	double interval; /* days of the crawler */
	double modified; /* when the page last changed as far as it knows; at first, the acquisition; clock units */
	uint64_t visited; /* 0 or 1 */
};

enum prn_adaptive_seen {
	PRN_ADAPTIVE_NEW, /* the first visit */
	PRN_ADAPTIVE_CHANGED,
	PRN_ADAPTIVE_SAME,
};

/* For struct prn_policy_kind: one slot, which holds the version of the last visit. */
size_t prn_adaptive_slots(const struct prn_parameters *parameters);
size_t prn_adaptive_state_size(const struct prn_parameters *parameters);

/* Takes a visit in: what it saw; a new page's interval is the key "start".  Sets decision->keep. */
enum prn_adaptive_seen prn_adaptive_see(const struct prn_policy *policy, struct prn_adaptive_state *state,
                                        const struct prn_visit *now, struct prn_decision *decision);

/* Puts the interval between the keys "shortest" and "longest". */
void prn_adaptive_clamp(const struct prn_policy *policy, struct prn_adaptive_state *state);

/* The next visit comes after days of the crawler; not sooner than "shortest". */
void prn_adaptive_wait(const struct prn_policy *policy, double days, const struct prn_visit *now,
                       struct prn_decision *decision);

#define PRN_KEY_START(days) { "start", days, "a new page's interval, days" }
#define PRN_KEY_SHORTEST(days) { "shortest", days, "the shortest interval, days" }
#define PRN_KEY_LONGEST(days) { "longest", days, "the longest interval, days" }

#endif
