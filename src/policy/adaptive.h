/*
 * The common part of the production crawlers: one interval per page, shortened after a visit that found a
 * change and lengthened after one that did not (doc/theory.md §9).  It is kept in the crawler's own time, in
 * which its documented limits are in days; the dial, a scale, is the number of clock units in such a day.
 * These policies ignore weights.
 */
#ifndef POLICY_ADAPTIVE_H
#define POLICY_ADAPTIVE_H

#include "perennial/policy_kind.h"

/* The parameters of the adaptive policies, or the first of them. */
struct prn_adaptive_parameters {
	double start, shortest, longest; /* days of the crawler, > 0 */
};

struct prn_adaptive_state {
	double interval; /* days of the crawler */
	double lead;     /* days by which the next visit comes before the end of the interval; >= 0 */
	double modified; /* when the page last changed, as far as known; at first, the acquisition; clock units */
	uint64_t visited; /* 0 or 1 */
};

enum prn_adaptive_seen {
	PRN_ADAPTIVE_NEW, /* the first visit */
	PRN_ADAPTIVE_CHANGED,
	PRN_ADAPTIVE_SAME,
};

/* Records a visit and returns what it saw.  The interval of a new page is the key "start". */
enum prn_adaptive_seen prn_adaptive_see(const struct prn_adaptive_parameters *parameters, struct prn_adaptive_state *state,
                                        const struct prn_visit *now);

/* Limits the interval to the range of the keys "shortest" and "longest". */
void prn_adaptive_clamp(const struct prn_adaptive_parameters *parameters, struct prn_adaptive_state *state);

/*
 * For struct prn_policy_kind, with one slot, which holds the version of the last visit.  The next visit comes
 * after the interval less the lead, but not before "shortest".
 */
void prn_adaptive_decide(const void *parameters, const void *state, const struct prn_visit *now,
                         struct prn_decision *decision);
void prn_adaptive_pack(const void *parameters, void *state, struct prn_packing *packing);

#define PRN_KEY_OF_DAYS(key, days, text)                                                                           \
	{ .name = #key, .fallback = days, .help = text, .type = PRN_KEY_TYPE_NUMBER,                               \
	  .offset = offsetof(struct prn_adaptive_parameters, key), .above = true }
#define PRN_KEY_START(days) PRN_KEY_OF_DAYS(start, days, "a new page's interval, days")
#define PRN_KEY_SHORTEST(days) PRN_KEY_OF_DAYS(shortest, days, "the shortest interval, days")
#define PRN_KEY_LONGEST(days) PRN_KEY_OF_DAYS(longest, days, "the longest interval, days")

#endif
