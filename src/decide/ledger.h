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
 * What is handed out within a half hour counts as handed out evenly over the time in which so much accrues, and not
 * longer than the time since the call before, if that is half a day at most; the longer it is, the shorter is the
 * time that it counts over, down to an hour for a day and more (doc/theory.md §10).  So who asks every six hours,
 * more or less, is given what accrued each time, though five of these calls may be within a day; who was away for
 * days, and is given a day's budget at once, gets nothing for the 23 hours that follow; and for who asks every minute
 * a day is one to the minute.
 *
 * In the settings of the store as "ledger": text, "2 slots", then numbers apart by spaces: left, pace, at, gain, unmet, the requeuing's
 * members, the number of the last slot, the amounts of the slots, their thresholds, the numbers and times of the
 * hosts, where the clock had been, what was spare, when that was and what was left then, and of each slot when the last of it was handed out and the time
 * since the call before.  Slots are those of the last day, the present one last.  Beside it as "settled", where looks
 * are counted by what they cost: what is to be added to what was spent, and the mean bytes of answers and how many it
 * is of, at most PRN_LEDGER_ANSWERS; of a shard, which has no ledger, what was given back; and what was beyond hosts' shares.
 *
 * One answer of many times the budget is not to keep all other hosts waiting until it has accrued: what is beyond its host's
 * share of a day is that host's debt (share.h), and the ledger does not count it.  What is forgiven so fades at the rate of the budget,
 * and is never more than a day's budget or the largest such excess, whichever is more: what many hosts bring beyond their shares is owed
 * (doc/theory.md §10).  In the ledger's text, where there is any: what has not faded, and of each slot what was forgiven.
 *
 * What was handed out counts, too, around the times that calls said, in whatever order they came (outlay.h): in the text last, behind
 * " outlay".
 */
#ifndef DECIDE_LEDGER_H
#define DECIDE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decide/outlay.h"
#include "decide/requeue.h"
#include "perennial/error.h"
#include "perennial/store.h"

#define PRN_LEDGER_SLOTS 49 /* of a day, and of the half hour that is leaving it */
#define PRN_LEDGER_SLOT_S 1800
#define PRN_LEDGER_ANSWERS 1000

/* A host that was given some of the budget, by its number; 0: none. */
struct prn_ledger_host {
	uint64_t number;
	int64_t asked;
};

/*
 * What was settled: what looks cost beyond what was paid for them when they were handed out, what answers bring, what was not
 * fetched; and what part of the cost was beyond hosts' shares of a day, which beyond does not include, with the largest of one
 * look.
 */
struct prn_settled {
	double beyond, answer_bytes, answers, returned, excess, largest;
};

/* A half hour. */
struct prn_ledger_slot {
	double amount;    /* spent; below 0: given back of earlier ones */
	double threshold; /* the last; 0: unknown */
	int64_t last;     /* seconds from its beginning, when something was last spent */
	int64_t gap;      /* seconds, the longest since the call before of those that spent it */
	double forgiven;  /* brought, and not in amount */
};

struct prn_ledger {
	double left;   /* what has accrued and is not spent; below 0: what is owed */
	double pace;   /* of these, what the time since the last calls allows */
	int64_t at;    /* when that was; PRN_TIME_UNKNOWN: it has not begun */
	int64_t gap;   /* seconds between the last two calls; not stored */
	double gain;   /* of the budget, for which the threshold is sought: what experience says of loads (loads.h) */
	double unmet;  /* visits that were due when there was nothing left, at the last call that had room */
	double spare;  /* what was left when nothing was due, at that call */
	struct prn_requeuing requeuing; /* what the threshold's fall has left to do */
	int64_t slot;  /* the present half hour, since 1970 */
	struct prn_ledger_slot slots[PRN_LEDGER_SLOTS]; /* slot % PRN_LEDGER_SLOTS is the present one */
	int64_t ahead;        /* where the clock was when it was last set back by more than a day: a half hour */
	double ahead_count;   /* spent within the day before; 0: it never was */
	int64_t ahead_at;     /* the time to which the clock has not come again since; PRN_TIME_UNKNOWN: none */
	double ahead_left;    /* what was left then: what accrues to a clock that was set back is not there beyond that time */
	struct prn_ledger_host hosts[PRN_SHARING_HOSTS]; /* those that were asked last, in no order */
	double answer_bytes;  /* of an answer with a body, in the mean over pages; 0: unknown */
	double answers;       /* that it is of */
	double forgiven;      /* of what was brought, and has not faded */
	struct prn_outlay outlay; /* by the times that calls said */
	bool settled;         /* something was settled, and is counted in what was read */
};

/* Reads the store's ledger; one that has not begun where the store has none, or a damaged one.  Errors of the store */
int prn_ledger_read(struct prn_ledger *ledger, double budget_per_day, const struct prn_store_reader *reader,
                    struct prn_error *error);
int prn_ledger_put(const struct prn_ledger *ledger, struct prn_batch *batch, struct prn_error *error);

/*
 * Counts what looks cost beyond what was paid for them when they were handed out, and the bytes of an answer with a body (0:
 * there was none).  It is staged, and is in the ledger when that is read next.  excess: what was beyond a host's share, >= 0,
 * and is not in beyond.  Errors of the store and of batches
 */
int prn_ledger_settle(struct prn_batch *batch, double beyond, double excess, double answer_bytes, struct prn_error *error);

/*
 * For a shard: counts the expected cost of pages that came back without having been fetched, as prn_ledger_spend does.  Errors
 * likewise
 */
int prn_ledger_return(struct prn_batch *batch, double cost, struct prn_error *error);

/* Adds what other looks settled; answer_bytes becomes the mean over all of both. */
void prn_settled_add(struct prn_settled *to, const struct prn_settled *more);

/*
 * _read reads, through any reader, what was settled in a shard and not taken yet.  _take stages taking it off the shard's
 * store; _add counts it in a root's ledger, before that is put.  Errors of the store and of batches
 */
int prn_settled_read(struct prn_settled *settled, const struct prn_store_reader *reader, struct prn_error *error);
int prn_ledger_take_settled(struct prn_batch *batch, struct prn_settled *settled, struct prn_error *error);
void prn_ledger_add_settled(struct prn_ledger *ledger, double budget_per_day, const struct prn_settled *settled);

/* Stages that the ledger begins anew, in another unit. */
int prn_ledger_drop(struct prn_batch *batch, struct prn_error *error);

/*
 * Adapts gain to what became of the call before, until now, and to what of the budget was handed out before its time.
 * pages_days is the time, in days, in which all pages together take the budget once.  The longer it is, the more pages become
 * due, or stop being due, with a change of the threshold, and the less the threshold is changed.  gain rises no further than
 * the least threshold can follow.
 */
void prn_ledger_learn(struct prn_ledger *ledger, double budget_per_day, double pages_days, double early, int64_t now);

/* Brings the ledger to now: adds what has accrued since. */
void prn_ledger_advance(struct prn_ledger *ledger, double budget_per_day, int64_t now);

/* How much may be spent now, in whole units; and, if nothing, when there will be some. */
uint64_t prn_ledger_room(const struct prn_ledger *ledger, double budget_per_day, int64_t *next);

/* How much might be spent now if the pace did not limit it. */
double prn_ledger_spare(const struct prn_ledger *ledger, double budget_per_day);

/* Counts the expected cost of pages that were handed out; below 0: of pages that came back without having been fetched. */
void prn_ledger_spend(struct prn_ledger *ledger, double amount);

/* The place of a half hour in slots. */
size_t prn_ledger_place(int64_t slot);

/*
 * What counts as handed out within the day before a time that is not before the ledger's, and within a day around the time
 * where a clock had been before it was set back.
 */
double prn_ledger_day(const struct prn_ledger *ledger, double budget_per_day, int64_t time);

/* Notes that a page of a host was handed out now. */
void prn_ledger_ask(struct prn_ledger *ledger, uint64_t host);

/* Whether PRN_SHARING_HOSTS hosts or more were asked within the last week. */
bool prn_ledger_is_shared(const struct prn_ledger *ledger);

/* The load per day for which the threshold is to be sought, so that the budget is met. */
double prn_ledger_aim(const struct prn_ledger *ledger, double budget_per_day);

#endif
