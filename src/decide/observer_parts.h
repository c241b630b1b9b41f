/*
 * Observing in parts.  A sitemap may name fifty thousand pages, and one must not keep the thread that decides for all.  The
 * pages that it names are taken in by portions, each durable by itself, and the page is observed with the last of them.  If
 * the process ends in between and the observation comes again, it is taken in whole.
 */
#ifndef DECIDE_OBSERVER_PARTS_H
#define DECIDE_OBSERVER_PARTS_H

#include "perennial/observer.h"

#define PRN_HINTS_PORTION 500

/* How many of an observation's hints were taken in, from the first on. */
struct prn_hints_taken {
	size_t at, count;
	uint32_t hints, pages; /* what came of them, as in the outcome */
};

/* How far an observation has come.  All zero: nothing of it was done. */
struct prn_observing {
	struct prn_hints_taken durable, staged;
	bool is_part; /* the last step staged a portion of the hints; another step is to follow when that is durable */
};

/*
 * Stages the next portion of the hints if more than one portion is left, or else the observation and the rest of the hints, and
 * then *outcome is filled.  An observation that is refused, and one for a store of several shards, takes a single step.
 *
 * A step goes on from what prn_observing_keep was last called for: if the commit fails, the same step is done again.
 * Errors as prn_observer_decide
 */
int prn_observer_step(struct prn_observer *observer, struct prn_observation *observation, const struct prn_capture *capture,
                      int64_t now, struct prn_observing *observing, struct prn_outcome *outcome, struct prn_error *error);

/* Notes that what the last step staged is durable. */
void prn_observing_keep(struct prn_observing *observing);

#endif
