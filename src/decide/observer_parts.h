/*
 * Observing in parts.  A sitemap may name fifty thousand pages, and one must not keep the thread that decides for all.  The
 * pages that it names are taken in by portions, each durable by itself, and the page is observed with the last of them.  If
 * the process ends in between and the observation comes again, it is taken in whole.
 */
#ifndef DECIDE_OBSERVER_PARTS_H
#define DECIDE_OBSERVER_PARTS_H

#include "perennial/observer.h"

#define PRN_HINTS_PORTION 500

/* How far the hints of an observation are taken in.  All zero: none are. */
struct prn_hints_taken {
	size_t at, count;
	uint32_t hints, pages; /* what came of them, as in the outcome */
};

/*
 * Stages the next portion, if more than one is left and the observation is not refused: *ahead, and then it is to be
 * committed.  Over shards none is taken in ahead.
 * *taken is moved on; where the commit fails it is what it was before.  Errors as prn_observer_decide
 */
int prn_observer_take_ahead(struct prn_observer *observer, const struct prn_observation *observation, int64_t now,
                            struct prn_hints_taken *taken, bool *ahead, struct prn_error *error);

/* As prn_observer_decide, for an observation of whose hints so many are already taken in. */
int prn_observer_decide_after(struct prn_observer *observer, struct prn_observation *observation,
                              const struct prn_capture *capture, int64_t now, const struct prn_hints_taken *taken,
                              struct prn_outcome *outcome, struct prn_error *error);

#endif
