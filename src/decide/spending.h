/*
 * The amounts that were handed out by the times that calls gave, in whatever order these came.
 *
 * A ledger counts by a clock that advances; when the clock is set back, the amounts of the last day move with it.  With a clock that
 * jumps between several times, its budget would accrue with each jump forward.  Therefore the amounts handed out around a time, before
 * and after it, are kept here.  While a clock is behind where it was, or less than a day beyond that, no 23 hours of its times are given
 * more than a day's budget, however it comes to them.  (A day's budget that is given at once counts for 23 hours in the ledger, too.)
 *
 * A clock that was days ahead, and is right now, comes to times for which another day's budget was given.  When it has advanced for a
 * day, counting at most two hours for each call, and was not set back by more than an hour meanwhile, the amounts ahead of it are dropped.
 *
 * Times are kept in spans, each of a half hour at first.  Where there are too many, two neighbours become one, preferably far from the
 * present time.  Where any of a span counts, all of its amount does, so that inexact times never have anything given twice.
 */
#ifndef DECIDE_SPENDING_H
#define DECIDE_SPENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_SPENDING_SPANS 48

/* What was handed out at the times from … to; amount > 0: no more than that within any 23 hours of them. */
struct prn_spending_span {
	int64_t from, to;
	double amount;
};

/* Plain numbers.  The spans do not overlap, and are in ascending order. */
struct prn_spending {
	struct prn_spending_span spans[PRN_SPENDING_SPANS];
	size_t count;
	int64_t reached;  /* the time of the last call; PRN_TIME_UNKNOWN: there was none */
	int64_t furthest; /* the latest time of the calls that are kept */
	int64_t behind;   /* furthest when the clock was last behind it by more than an hour; PRN_TIME_UNKNOWN: never */
	int64_t gone_s;   /* how far the clock has advanced since it was set back */
};

/* The size of the longest text, with its terminating zero. */
#define PRN_SPENDING_TEXT (4 * 21 + 24 + PRN_SPENDING_SPANS * (2 * 21 + 26))

void prn_spending_init(struct prn_spending *spending);

/* The text is numbers, each after a space.  _print returns its length.  _parse returns whether the text is an spending and nothing else. */
int prn_spending_print(const struct prn_spending *spending, char text[PRN_SPENDING_TEXT]);
bool prn_spending_parse(struct prn_spending *spending, const char *text);

/* Notes the time of a call. */
void prn_spending_advance(struct prn_spending *spending, int64_t now);

/* Counts an amount that is handed out at the time of the last call; below 0: one that comes back, which is taken off what is known of that time. */
void prn_spending_add(struct prn_spending *spending, double amount);

/* The most that was handed out in any 23 hours around the time of the last call; 0 where no clock was set back. */
double prn_spending_day(const struct prn_spending *spending);

/* When prn_spending_day is no more than most, if nothing is handed out meanwhile; at most two hours after the last call. */
int64_t prn_spending_wait(const struct prn_spending *spending, double most);

#endif
