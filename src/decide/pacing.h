/*
 * How a decider keeps a budget: how many pages may be handed out now (ledger.h), and the threshold at which its pages want
 * as many visits as the budget has (loads.h), which is sought anew whenever pages are handed out.
 */
#ifndef DECIDE_PACING_H
#define DECIDE_PACING_H

#include "decide/decider_internal.h"
#include "decide/ledger.h"
#include "decide/share.h"

struct prn_pacing {
	bool paced;               /* there is a budget; without one there is room for any number */
	struct prn_ledger ledger;
	uint64_t room;            /* pages that may be handed out now */
	int64_t next;             /* when there will be room, where there is none */
	struct prn_share share;   /* of each host */
	double threshold_before;  /* of the decider: for _undo */
};

/*
 * Sets the threshold that is right now, commits, and begins to hand out wanted pages at most.  May count the loads of all
 * pages, once, where the store has none that this program made.  Errors of views and commits.
 */
int prn_pacing_begin(struct prn_pacing *pacing, struct prn_decider *decider, uint64_t wanted, int64_t now,
                     struct prn_error *error);

/* Stages what was handed out; unmet: visits that were due when there was no room left. */
int prn_pacing_end(struct prn_pacing *pacing, struct prn_decider *decider, uint64_t given, uint64_t unmet,
                   struct prn_error *error);

/* What was staged since _begin began, or after it committed, was dropped. */
void prn_pacing_undo(const struct prn_pacing *pacing, struct prn_decider *decider);

#endif
