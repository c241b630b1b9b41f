/*
 * How much of a store's budget has been handed out, and how much may be handed out now.  All amounts are in the budget's unit:
 * visits, or bytes.  When a page is handed out, its expected cost is spent; when it is reported, its actual cost replaces that
 * (prn_ledger_settle).  The last page may take more than there is, and the rest is owed.
 *
 * Amounts accrue at the rate of the budget and are spent by handing pages out.  Up to a day's budget of unspent amounts is kept.
 * No more than a day's budget is handed out within a day, and what was left over is made up for at twice the rate of the budget,
 * counted from call to call: a client that asks every minute is given little at a time, one that asks once a day is given a
 * day's pages at once.  A new ledger begins with an hour's budget.
 *
 * What is handed out within a half hour counts as handed out evenly over the time in which that amount accrues, or over the time
 * since the call before if that is shorter.  Times above half a day count as shorter the longer they are, down to an hour for a
 * day or more (doc/theory.md §10).  So a client that asks about every six hours is given what accrued each time, though five of
 * these calls may fall within a day; one that was away for days, and is given a day's budget at once, gets nothing for the 23
 * hours that follow; and for one that asks every minute, a day is exact to the minute.
 *
 * The ledger is in the settings of the store as "ledger": the text "2 slots", then numbers separated by spaces: left, pace, at,
 * gain, unmet, the requeuing's members, the number of the last slot, the amounts of the slots, their thresholds, the numbers and
 * times of the hosts, ahead, ahead_count, spare, ahead_at, ahead_left, and of each slot last and gap.  The slots are those of the
 * last day, the present one last.  Where looks are counted by what they cost, there is another setting, "settled": the amount to
 * add to what was spent, the mean bytes of answers and of how many (at most PRN_LEDGER_ANSWERS); for a shard, which has no
 * ledger, the amount that was given back; and the amount beyond hosts' shares.
 *
 * One answer of many times the budget must not keep all other hosts waiting until it has accrued: what is beyond its host's share
 * of a day is that host's debt (share.h), and the ledger does not count it.  The amount that is forgiven in this way fades at the
 * rate of the budget, and is never more than a day's budget or the largest such excess, whichever is more; anything that many
 * hosts together bring beyond that is owed (doc/theory.md §10).  Where there is any, the ledger's text also has the amount that
 * has not faded, and what was forgiven in each slot.
 *
 * What was handed out is also counted around the times that calls gave, in whatever order they came (spending.h): that is the end
 * of the text, after " outlay".  Before that stands " sought" and a time, once a threshold was found for the budget.
 */
#ifndef DECIDE_LEDGER_H
#define DECIDE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decide/spending.h"
#include "decide/requeue.h"
#include "perennial/error.h"
#include "perennial/store.h"

#define PRN_LEDGER_SLOTS 49 /* those of a day, and the half hour that is leaving it */
#define PRN_LEDGER_SLOT_S 1800
#define PRN_LEDGER_ANSWERS 1000

/* A host that was given some of the budget. */
struct prn_ledger_host {
	uint64_t number; /* 0: no host */
	int64_t asked;   /* when it was last asked */
};

/*
 * What reports have settled since the ledger was last written: how far actual costs differ from those that were expected.
 */
struct prn_settled {
	double beyond;       /* what looks cost beyond what was spent for them when they were handed out; may be below 0 */
	double answer_bytes; /* the mean bytes of an answer with a body … */
	double answers;      /* … and of how many */
	double returned;     /* the expected cost of pages that came back without having been fetched */
	double excess;       /* the part of the cost that was beyond hosts' shares of a day, which beyond does not include … */
	double largest;      /* … and the largest of one look */
};

/* A half hour. */
struct prn_ledger_slot {
	double amount;    /* spent; below 0: given back of what earlier slots spent */
	double threshold; /* the last one; 0: unknown */
	int64_t last;     /* when something was last spent, in seconds from the slot's beginning */
	int64_t gap;      /* the longest time, in seconds, between a call that spent some of it and the call before */
	double forgiven;  /* cost beyond hosts' shares that is not in amount */
};

struct prn_ledger {
	double left;   /* accrued and not spent; below 0: owed */
	double pace;   /* how much of that the time since the last calls allows */
	int64_t at;    /* when the ledger was brought to; PRN_TIME_UNKNOWN: it has not begun */
	int64_t gap;   /* seconds between the last two calls; not stored */
	double gain;   /* the multiple of the budget for which the threshold is sought: a correction of loads (loads.h) by experience */
	double unmet;  /* the cost of visits that were due when nothing was left, at the last call that had room */
	double spare;  /* what was left when nothing was due, at that call */
	struct prn_requeuing requeuing; /* what is left to requeue after the threshold fell */
	int64_t slot;  /* the number of the present half hour, since 1970 */
	struct prn_ledger_slot slots[PRN_LEDGER_SLOTS]; /* slot % PRN_LEDGER_SLOTS is the present one */
	int64_t ahead;        /* the half hour in which the clock was when it was last set back by more than a day */
	double ahead_count;   /* the amount spent within the day before that; 0: the clock was never set back so far */
	int64_t ahead_at;     /* the time that the clock was set back from and has not reached again; PRN_TIME_UNKNOWN: none */
	double ahead_left;    /* left at that time: what accrues while the clock is set back does not count beyond it */
	struct prn_ledger_host hosts[PRN_SHARING_HOSTS]; /* the hosts that were asked last, in no order */
	double answer_bytes;  /* the mean bytes of an answer with a body, over pages; 0: unknown */
	double answers;       /* the number of answers of which that is the mean */
	double forgiven;      /* what was forgiven and has not faded */
	struct prn_spending spending; /* by the times that calls gave */
	int64_t sought_at;    /* when its threshold was last found, or could last rise; PRN_TIME_UNKNOWN: none was found */
	bool settled;         /* the store has a "settled" entry that is counted here */
};

/* Reads the store's ledger; one that has not begun where the store has none, or a damaged one.  Errors of the store */
int prn_ledger_read(struct prn_ledger *ledger, double budget_per_day, const struct prn_store_reader *reader,
                    struct prn_error *error);
int prn_ledger_put(const struct prn_ledger *ledger, struct prn_batch *batch, struct prn_error *error);

/*
 * Stages what looks cost beyond what was spent for them when they were handed out, and the bytes of an answer with a body (0:
 * there was none); the next prn_ledger_read counts both.  excess, >= 0, is the cost beyond a host's share, and is not in beyond.
 * Errors of the store and of batches
 */
int prn_ledger_settle(struct prn_batch *batch, double beyond, double excess, double answer_bytes, struct prn_error *error);

/*
 * For a shard: counts the expected cost of pages that came back without having been fetched, as prn_ledger_spend does.  Errors
 * likewise
 */
int prn_ledger_return(struct prn_batch *batch, double cost, struct prn_error *error);

/* Adds what other looks settled; answer_bytes becomes the mean over the answers of both. */
void prn_settled_add(struct prn_settled *to, const struct prn_settled *more);

/*
 * prn_settled_read reads, through any reader, what was settled in a shard and not yet taken.  _take_settled stages its removal
 * from the shard's store; _add_settled counts it in a root's ledger, before that is put.  Errors of the store and of batches
 */
int prn_settled_read(struct prn_settled *settled, const struct prn_store_reader *reader, struct prn_error *error);
int prn_ledger_take_settled(struct prn_batch *batch, struct prn_settled *settled, struct prn_error *error);
void prn_ledger_add_settled(struct prn_ledger *ledger, double budget_per_day, const struct prn_settled *settled);

/* Stages the removal of the ledger, so that a new one begins, in another unit. */
int prn_ledger_drop(struct prn_batch *batch, struct prn_error *error);

/*
 * Adapts gain to the outcome of the call before, until now, and to early, the part of the budget that was handed out before its time.
 * pages_days is the time, in days, in which all pages together take the budget once.  The longer it is, the more pages become
 * due, or stop being due, with a change of the threshold, and the less the threshold is changed.  gain rises no further than
 * the least threshold can follow.
 */
void prn_ledger_learn(struct prn_ledger *ledger, double budget_per_day, double pages_days, double early, int64_t now);

/* Brings the ledger to now: adds what has accrued since. */
void prn_ledger_advance(struct prn_ledger *ledger, double budget_per_day, int64_t now);

/* How much may be spent now, in whole units; if nothing, *next is when something may be. */
uint64_t prn_ledger_room(const struct prn_ledger *ledger, double budget_per_day, int64_t *next);

/* How much might be spent now if the pace did not limit it. */
double prn_ledger_spare(const struct prn_ledger *ledger, double budget_per_day);

/* Counts the expected cost of pages that were handed out; below 0: of pages that came back without having been fetched. */
void prn_ledger_spend(struct prn_ledger *ledger, double amount);

/* The place of a half hour in slots. */
size_t prn_ledger_place(int64_t slot);

/*
 * The amount that counts as handed out within the day before a time, which is not before the ledger's, and within a day around
 * the time that a clock was set back from.
 */
double prn_ledger_day(const struct prn_ledger *ledger, double budget_per_day, int64_t time);

/* Notes that a page of a host was handed out now. */
void prn_ledger_ask(struct prn_ledger *ledger, uint64_t host);

/* Whether PRN_SHARING_HOSTS hosts or more were asked within the last week. */
bool prn_ledger_is_shared(const struct prn_ledger *ledger);

/*
 * The gain under another budget.  What calls left over of a larger one says the less of a smaller one, the smaller that is; what
 * became due beyond expectation says as much of any.
 */
double prn_ledger_gain_under(const struct prn_ledger *ledger, double budget_before, double budget_per_day);

/* The load per day for which the threshold is to be sought, so that the budget is met. */
double prn_ledger_aim(const struct prn_ledger *ledger, double budget_per_day);

#endif
