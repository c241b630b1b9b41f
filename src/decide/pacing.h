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
 * The part of the budget that a store of several shards gives to one of them to hand out, and what became of it.  The ledger
 * is the root's.  A shard keeps only how far its own pages are queued again, and what was settled since it was last asked.
 */
struct prn_lot {
	uint64_t version; /* of what was looked at, before anything of it was handed out (prn_view_version) */
	double room;
	struct prn_share share;
	struct prn_ledger ledger; /* as the root's was; its hosts as they were asked since */
	struct prn_lease_clock clock;

	double spent, unmet;      /* by the shards together */
	struct prn_settled settled;
	struct prn_loads loads;   /* of the last shard's pages */
	int64_t lease_end;        /* of the first lease of the last shard that has not run out; INT64_MAX: there is none */
	bool giants_wait;         /* pages of it wait for giants (giants.h) */
	bool kept_back;           /* it has more that is due, and there is no room for that */
	bool gives_early;         /* all that is due was given, and what is left of the budget is for pages before their time … */
	double early;             /* … which were to cost this */
};

struct prn_pacing {
	bool paced;               /* there is a budget; without one there is room for any number */
	struct prn_ledger ledger;
	double room;              /* of the budget's unit, in whole ones: while there is one, a page may be handed out; INFINITY */
	double spent;             /* by what was handed out since it began */
	int64_t next;             /* when there will be room, where there is none */
	struct prn_share share;   /* of each host */
	double pages_days;        /* days that the budget would be spent on all pages once */
	double threshold_before;  /* of the decider: for _undo */
	struct prn_settled settled; /* of a shard: what is taken over from it */
	struct prn_loads loads;     /* likewise */
};

/*
 * Sets the threshold that is right now, commits, and begins to hand out at most wanted pages.  Where the store has no loads
 * that this program made, it counts those of all pages, once.  Errors of views and commits.
 */
int prn_pacing_begin(struct prn_pacing *pacing, struct prn_decider *decider, uint64_t wanted, int64_t now,
                     struct prn_error *error);

/*
 * _has_room: whether one more page may be handed out.  The other notes that a page was handed out that is expected to cost
 * this.
 */
bool prn_pacing_has_room(const struct prn_pacing *pacing);
void prn_pacing_spend(struct prn_pacing *pacing, double cost);

/*
 * Stages what was handed out.  unmet: the cost of visits that were due when there was no room left; all_given: nothing more
 * was due; early: the cost of what was handed out before its time.
 */
int prn_pacing_end(struct prn_pacing *pacing, struct prn_decider *decider, double unmet, bool all_given, double early,
                   struct prn_error *error);

/* Reports that what was handed out of a shard's lot, or without one, is durable. */
void prn_pacing_report(const struct prn_pacing *pacing, struct prn_lot *lot, double unmet, bool kept_back, double early);

/* Reports that what was staged since _begin began, or after it committed, was dropped. */
void prn_pacing_undo(const struct prn_pacing *pacing, struct prn_decider *decider);

#endif
