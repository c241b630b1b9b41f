/*
 * The threshold of a budget: T at which all pages together are visited as often as it allows (OP §4.4,
 * doc/theory.md §10).
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_TUNING_H
#define PERENNIAL_TUNING_H

#include <stdbool.h>
#include <stdint.h>

#include "perennial/decider.h"

#ifdef __cplusplus
extern "C" {
#endif

enum prn_tuning_result {
	PRN_TUNING_MET,        /* T spends the budget */
	PRN_TUNING_NOT_NEEDED, /* even the smallest T spends less: the minimum intervals hold it back */
	PRN_TUNING_CANNOT,     /* even the largest spends more: the maximum intervals alone do */
	PRN_TUNING_NONE,       /* there is to be no budget, and T stays */
};

struct prn_tuning {
	enum prn_tuning_result result;
	enum prn_unit unit;                 /* of the budget and of loads */
	double budget_per_day;              /* 0: none */
	double threshold, threshold_before;
	double load_per_day, load_before;   /* what all pages want at these by their intervals: visits, or bytes */
	double least_per_day, most_per_day; /* at the largest and the smallest T */
	double sought;                      /* T is sought for a load of so many times the budget, as calls have shown that it
	                                     * takes (stats.h); 1 where the store has none in this unit */
	uint64_t pages;                     /* that are visited at all: not the retired ones */
	uint64_t unsized;                   /* of these, of a budget in bytes: of which no answer was counted, so that what a look at
	                                     * them brings is assumed … */
	double assumed_bytes;               /* … to be this */
	uint64_t left_out;                  /* beside these: retired, or tried in vain so far: they want nothing of a budget */
	uint64_t unreadable;                /* beside these: pages that cannot be read (due.h), of which nothing is known */
	uint64_t damaged_shards;            /* of a store of several: that are damaged or gone, or do not answer, and whose pages are left out likewise */
	struct prn_error first_damaged;     /* of the first of them: which, and why */
};

/* What is asked; budget above 0 unless none is set, the rest may be all zero. */
struct prn_tuning_request {
	struct prn_budget budget;
	const char *cost_304; /* as prn_decider_settings has it, from now on; NULL: as the store has it */
	bool apply;
	bool none; /* the store is to have no budget, and to count visits: budget is not read */
};

/*
 * Finds the T of a budget over every page of the store as the last commit left it: the load is the sum of what a look is expected
 * to cost (a visit, or bytes) over interval, as their policy would decide now within the bounds on intervals; the interval of a page
 * that has failed more than three times in a row counts as many times as it has beyond these, and pages that never answered and
 * failed twice are left out.
 * The load at T is within 1 % of sought times the budget, or of the nearest to that
 * which intervals allow, unless many pages change their interval at the same T.  With none, T is the store's, and the load is what
 * pages want at it, a day, in visits.
 *
 * With apply the store has that budget and that T from then on, durably, and what was staged with it; with a budget T follows
 * what is learned of pages (due.h).  With none it has no budget from then on: what it spent is forgotten, and T no longer changes
 * by itself.  Hosts that have had their share of the budget before are looked at anew by the next prn_decider_due, unless the new one is no larger.
 * Pages that a lower T wants sooner
 * by a tenth of their interval are queued anew at once, in a pass that writes; others take it up at their next visit,
 * or when prn_decider_due considers them.  While a shard does not answer, what would write to it is not applied.  Takes three passes over the pages, which read.
 *
 * PRN_E_ARGUMENT		the budget is not a finite number above 0, or is in no unit; cost_304 is no such cost; or to be applied, and the store is open for reading
 * PRN_E_NOT_FOUND	there are no pages, or all are in shards that are damaged or gone, and none is not set
 * Errors of views and commits
 */
int prn_decider_tune(struct prn_decider *decider, const struct prn_tuning_request *request, struct prn_tuning *tuning,
                     struct prn_error *error);

/*
 * What all pages want a day at the store's T, in its budget's unit or else in visits, within the bounds on intervals that the decider was
 * opened with: what the store keeps (stats.h) knows none of these.  One pass over the pages, which reads; those that cannot be read, and
 * those in shards that are damaged or gone, are not counted.  Errors of views
 */
int prn_decider_load(struct prn_decider *decider, double *per_day, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
