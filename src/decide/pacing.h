/*
 * How a decider keeps a budget: how much of it may be handed out now (ledger.h), and the threshold at which its pages want as
 * much as the budget has (loads.h).  The threshold is computed again whenever pages are handed out.
 */
#ifndef DECIDE_PACING_H
#define DECIDE_PACING_H

#include "decide/decider_internal.h"
#include "decide/lease_clock.h"
#include "decide/ledger.h"
#include "decide/loads.h"
#include "decide/share.h"

/*
 * The part of the budget that a store of several shards gives to one of them to hand out, and the result.  The ledger is the
 * root's.  A shard keeps only how far its own pages are queued again, and the amounts settled since it was last asked.
 */
struct prn_lot {
	uint64_t version; /* of the last shard's view, before anything was handed out (prn_view_version) */
	double room;
	struct prn_share share;
	struct prn_ledger ledger; /* a copy of the root's, in which shards note the hosts that they ask */
	struct prn_lease_clock clock;

	double spent, unmet;      /* by all shards together */
	struct prn_settled settled;
	struct prn_loads loads;   /* of the last shard's pages */
	int64_t lease_end;        /* the end of the last shard's first lease that has not run out; INT64_MAX: there is none */
	bool giants_wait;         /* pages of the last shard wait for giants (giants.h) */
	bool kept_back;           /* the last shard has more that is due, and there is no room for it */
	bool gives_early;         /* all that is due was given, and the rest of the budget is for pages before their time … */
	double early;             /* … and this is their expected cost */
};

struct prn_pacing {
	bool paced;               /* there is a budget; without one there is room for any number */
	struct prn_ledger ledger;
	double room;              /* whole units of the budget, or INFINITY: while one is left, a page may be handed out */
	double spent;             /* the expected cost of what was handed out since _begin */
	int64_t next;             /* when there will be room, where there is none */
	struct prn_share share;   /* of each host */
	bool held;                /* pages that were never fetched would raise the threshold (loads.h): what is unmet is no fault of it */
	double pages_days;        /* the days in which the budget pays for all pages once */
	double threshold_before;  /* the decider's, for _undo */
	struct prn_settled settled; /* of a shard: what is taken from it */
	struct prn_loads loads;     /* likewise */
};

/*
 * Sets the threshold that is right now, commits, and begins to hand out at most wanted pages.  Where the store has no loads
 * that this program made, it counts those of all pages, once.  Errors of views and commits.
 */
int prn_pacing_begin(struct prn_pacing *pacing, struct prn_decider *decider, uint64_t wanted, int64_t now,
                     struct prn_error *error);

/* _has_room: whether one more page may be handed out.  _spend counts the expected cost of a page that was handed out. */
bool prn_pacing_has_room(const struct prn_pacing *pacing);
void prn_pacing_spend(struct prn_pacing *pacing, double cost);

/*
 * Stages what was handed out.  unmet: the cost of visits that were due when there was no room left; all_given: nothing more
 * was due; early: the cost of what was handed out before its time.
 */
int prn_pacing_end(struct prn_pacing *pacing, struct prn_decider *decider, double unmet, bool all_given, double early,
                   struct prn_error *error);

/* Notes in a shard's lot what was handed out of it, once that is durable. */
void prn_pacing_report(const struct prn_pacing *pacing, struct prn_lot *lot, double unmet, bool kept_back, double early);

/*
 * Lowers a threshold that is to be set for another budget in the same unit to that which pages that were never fetched let a call have
 * (loads.h), where they hold it.  Errors of views
 */
int prn_pacing_hold(struct prn_decider *decider, const struct prn_budget *budget, double *threshold, struct prn_error *error);

/* Undoes _begin after the changes that it, or its caller since, staged were dropped. */
void prn_pacing_undo(const struct prn_pacing *pacing, struct prn_decider *decider);

#endif
