/*
 * Queues pages again that a lower threshold wants sooner than they are queued.
 */
#ifndef DECIDE_REQUEUE_H
#define DECIDE_REQUEUE_H

#include "decide/decider_internal.h"

/*
 * How far a store's pages are queued as its threshold would have it.  All zero: they are queued by the threshold that is met
 * first.
 */
struct prn_requeuing {
	double queued_at;         /* the highest threshold by which a page may be queued; 0: unknown */
	double highest;           /* since the pass that goes on began; 0: none goes on */
	struct prn_digest cursor; /* where it goes on */
};

/*
 * Stages a page if the threshold wants it sooner by a tenth of its interval.  A page on lease is decided anew when it is
 * reported.
 */
int prn_requeue(struct prn_decider *decider, const struct prn_record *record, double threshold,
                struct prn_error *error);

/* Does so for at most most further pages, if the threshold has fallen clearly since they were queued.  Errors of views */
int prn_requeue_some(struct prn_decider *decider, struct prn_requeuing *requeuing, uint64_t most,
                     struct prn_error *error);

#endif
