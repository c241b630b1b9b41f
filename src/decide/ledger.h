/*
 * What of a store's budget has been handed out, and what may be handed out now.
 *
 * Pages accrue at the rate of the budget and are spent by handing them out.  What is not spent is not lost, up to a day's
 * budget; but no more than a day's budget is handed out within a day, and what was left over is made up for at twice the
 * rate of the budget, counted from call to call: who asks every minute is given little at a time, who asks once a day a
 * day's pages at once.  It begins with an hour's.
 *
 * In the settings of the store as "ledger": text, numbers apart by spaces: left, pace, at, gain, unmet, the requeuing's members,
 * the number of the last slot, the counts of the slots, their thresholds, the numbers and times of the hosts, and where the
 * clock had been, which older programs do not write.
 */
#ifndef DECIDE_LEDGER_H
#define DECIDE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decide/requeue.h"
#include "perennial/error.h"
#include "perennial/store.h"

#define PRN_LEDGER_SLOTS 48
#define PRN_LEDGER_SLOT_S 1800

/* A host that was given some of the budget, by its number; 0: none. */
struct prn_ledger_host {
	uint64_t number;
	int64_t asked;
};

struct prn_ledger {
	double left;   /* pages that have accrued and are not spent */
	double pace;   /* of these, what the time since the last calls allows */
	int64_t at;    /* when that was; PRN_TIME_UNKNOWN: it has not begun */
	double gain;   /* of the budget, for which the threshold is sought: what experience says of loads (loads.h) */
	double unmet;  /* visits that were due when there was nothing left, at the last call */
	struct prn_requeuing requeuing; /* what the threshold's fall has left to do */
	int64_t slot;  /* the present half hour, since 1970 */
	uint32_t slots[PRN_LEDGER_SLOTS]; /* pages handed out in each of the last half hours: slot % PRN_LEDGER_SLOTS is the present one */
	double thresholds[PRN_LEDGER_SLOTS]; /* the last of each; 0: unknown */
	int64_t ahead;        /* where the clock was when it was last set back by more than a day: a half hour */
	uint32_t ahead_count; /* pages handed out within the day before; 0: it never was */
	struct prn_ledger_host hosts[PRN_SHARING_HOSTS]; /* those that were asked last, in no order */
};

/* What the store has; one that has not begun where it has none, or a damaged one.  Errors of the store */
int prn_ledger_read(struct prn_ledger *ledger, const struct prn_store_reader *reader, struct prn_error *error);
int prn_ledger_put(const struct prn_ledger *ledger, struct prn_batch *batch, struct prn_error *error);

/* Brings it to now: what has accrued since, and how well the budget was met. */
void prn_ledger_advance(struct prn_ledger *ledger, double budget_per_day, int64_t now);

/* How many pages may be handed out now, and when there will be one more, if that is not now. */
uint64_t prn_ledger_room(const struct prn_ledger *ledger, double budget_per_day, int64_t *next);

/* Counts pages that were handed out; a negative count: that came back without having been fetched. */
void prn_ledger_spend(struct prn_ledger *ledger, double count);

/* Where a half hour's count and threshold stand. */
size_t prn_ledger_place(int64_t slot);

/* Handed out within the last day, and within a day around where a clock had been before it was set back. */
uint64_t prn_ledger_day(const struct prn_ledger *ledger);

/* Notes that a page of a host was handed out now. */
void prn_ledger_ask(struct prn_ledger *ledger, uint64_t host);

/* Whether PRN_SHARING_HOSTS hosts or more were asked within the last week. */
bool prn_ledger_is_shared(const struct prn_ledger *ledger);

/* Visits a day for which the threshold is to be sought, so that the budget is met. */
double prn_ledger_aim(const struct prn_ledger *ledger, double budget_per_day);

#endif
