/* Requeues pages that a lower threshold wants sooner than they are queued. */
#ifndef DECIDE_REQUEUE_H
#define DECIDE_REQUEUE_H

#include "decide/decider_internal.h"

/*
 * How far a store's pages are queued by its present threshold.  All zero: they are taken to be queued by the first threshold
 * that _some is called with.
 */
struct prn_requeuing {
	double queued_at;         /* the highest threshold by which a page may be queued; 0: unknown */
	double highest;           /* the highest threshold since the present pass began; 0: there is no pass */
	struct prn_digest cursor; /* where the pass continues */
};

/*
 * Stages a page if the threshold wants it sooner by more than a tenth of its interval.  A page on lease is decided anew when it
 * is reported.
 */
int prn_requeue(struct prn_decider *decider, const struct prn_record *record, double threshold,
                struct prn_error *error);

/* Does so for at most `most` further pages, if the threshold has fallen clearly since they were queued.  Errors of views */
int prn_requeue_some(struct prn_decider *decider, struct prn_requeuing *requeuing, uint64_t most,
                     struct prn_error *error);

#endif
