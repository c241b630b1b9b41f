/*
 * What of a store's budget has been handed out, and what may be handed out now.  All amounts are in the budget's unit: visits,
 * or bytes.  What a page that is handed out is expected to cost is spent then, and once it is reported what it did cost counts in its
 * place (prn_ledger_settle); the last page may take more than there is, which is owed.
 *
 * Amounts accrue at the rate of the budget and are spent by handing them out.  What is not spent is not lost, up to a day's
 * budget; but no more than a day's budget is handed out within a day, and what was left over is made up for at twice the
 * rate of the budget, counted from call to call: who asks every minute is given little at a time, who asks once a day a
 * day's pages at once.  It begins with an hour's.
 *
 * In the settings of the store as "ledger": text, numbers apart by spaces: left, pace, at, gain, unmet, the requeuing's members,
 * the number of the last slot, the amounts of the slots, their thresholds, the numbers and times of the hosts, and where the
 * clock had been, which older programs do not write.  Beside it as "settled", where looks are counted by what they cost:
 * what is to be added to what was spent, and the mean bytes of answers and how many it is of, at most PRN_LEDGER_ANSWERS.
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
#define PRN_LEDGER_ANSWERS 1000

/* A host that was given some of the budget, by its number; 0: none. */
struct prn_ledger_host {
	uint64_t number;
	int64_t asked;
};

/* What looks did cost beyond what was paid for them when they were handed out, and what answers bring. */
struct prn_settled {
	double beyond, answer_bytes, answers;
};

struct prn_ledger {
	double left;   /* what has accrued and is not spent; below 0: what is owed */
	double pace;   /* of these, what the time since the last calls allows */
	int64_t at;    /* when that was; PRN_TIME_UNKNOWN: it has not begun */
	double gain;   /* of the budget, for which the threshold is sought: what experience says of loads (loads.h) */
	double unmet;  /* visits that were due when there was nothing left, at the last call */
	struct prn_requeuing requeuing; /* what the threshold's fall has left to do */
	int64_t slot;  /* the present half hour, since 1970 */
	double slots[PRN_LEDGER_SLOTS]; /* spent in each of the last half hours: slot % PRN_LEDGER_SLOTS is the present one; below 0: given
	                                 * back of earlier ones */
	double thresholds[PRN_LEDGER_SLOTS]; /* the last of each; 0: unknown */
	int64_t ahead;        /* where the clock was when it was last set back by more than a day: a half hour */
	double ahead_count;   /* spent within the day before; 0: it never was */
	struct prn_ledger_host hosts[PRN_SHARING_HOSTS]; /* those that were asked last, in no order */
	double answer_bytes;  /* of an answer with a body, in the mean over pages; 0: unknown */
	double answers;       /* that it is of */
	bool settled;         /* something was settled, and is counted in what was read */
};

/* What the store has; one that has not begun where it has none, or a damaged one.  Errors of the store */
int prn_ledger_read(struct prn_ledger *ledger, const struct prn_store_reader *reader, struct prn_error *error);
int prn_ledger_put(const struct prn_ledger *ledger, struct prn_batch *batch, struct prn_error *error);

/*
 * Counts what looks that were paid for when they were handed out did cost beyond that, and the bytes of an answer with a body (0: there
 * was none): staged, and in the ledger when it is read next.  Errors of the store and of batches
 */
int prn_ledger_settle(struct prn_batch *batch, double beyond, double answer_bytes, struct prn_error *error);

/* Takes what was settled off a shard's store, staged; and counts it in a root's ledger, before it is put. */
int prn_ledger_take_settled(struct prn_batch *batch, struct prn_settled *settled, struct prn_error *error);
void prn_ledger_add_settled(struct prn_ledger *ledger, const struct prn_settled *settled);

/* Stages that it begins anew, in another unit. */
int prn_ledger_drop(struct prn_batch *batch, struct prn_error *error);

/* Brings it to now: what has accrued since, and how well the budget was met. */
void prn_ledger_advance(struct prn_ledger *ledger, double budget_per_day, int64_t now);

/* How much may be spent now, in whole units; and when there will be some, if that is not now. */
uint64_t prn_ledger_room(const struct prn_ledger *ledger, double budget_per_day, int64_t *next);

/* Counts what pages that were handed out are to cost; below 0: of pages that came back without having been fetched. */
void prn_ledger_spend(struct prn_ledger *ledger, double amount);

/* Where a half hour's amount and threshold stand. */
size_t prn_ledger_place(int64_t slot);

/* Spent within the last day, and within a day around where a clock had been before it was set back. */
double prn_ledger_day(const struct prn_ledger *ledger);

/* Notes that a page of a host was handed out now. */
void prn_ledger_ask(struct prn_ledger *ledger, uint64_t host);

/* Whether PRN_SHARING_HOSTS hosts or more were asked within the last week. */
bool prn_ledger_is_shared(const struct prn_ledger *ledger);

/* What the threshold is to be sought for, a day, so that the budget is met. */
double prn_ledger_aim(const struct prn_ledger *ledger, double budget_per_day);

#endif
