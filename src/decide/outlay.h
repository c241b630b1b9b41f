/*
 * What was handed out at which times, as calls said them, in whatever order they came.
 *
 * A ledger counts what it hands out by a clock that goes on, and has what was of the last day follow one that is set back.  A clock
 * that jumps among several times has it accrue with each jump forward: so what was handed out around a time, behind it and ahead of
 * it, is remembered, and while a clock is behind where it was, or less than a day beyond that, no 23 hours of its times are given more
 * than a day's budget, however it comes to them.  (A day's budget that is given at once counts for 23 hours in the ledger, too.)
 *
 * A clock that was days ahead, and is right now, comes to times for which another day's budget was given.  When it has gone on for a
 * day, each call counting for two hours at most, and without being set back by more than an hour, what is ahead of it is forgotten.
 *
 * Times are remembered in spans, each of a half hour at first.  Where there are too many, two next to each other become one, the further
 * away the longer; all of a span's amount counts where any of it does, so that what is no longer known exactly is never given twice.
 */
#ifndef DECIDE_OUTLAY_H
#define DECIDE_OUTLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_OUTLAY_SPANS 48

/* What was handed out at times from … to; amount > 0: within no 23 hours of it more than that. */
struct prn_outlay_span {
	int64_t from, to;
	double amount;
};

/* Plain numbers.  Spans do not overlap, and are in their order. */
struct prn_outlay {
	struct prn_outlay_span spans[PRN_OUTLAY_SPANS];
	size_t count;
	int64_t reached;  /* the time of the last call; PRN_TIME_UNKNOWN: there was none */
	int64_t furthest; /* of all calls that are remembered */
	int64_t behind;   /* what was furthest when the clock was last behind it by more than an hour; PRN_TIME_UNKNOWN: never */
	int64_t gone_s;   /* since the clock was set back */
};

/* The longest text of one, with its end. */
#define PRN_OUTLAY_TEXT (4 * 21 + 24 + PRN_OUTLAY_SPANS * (2 * 21 + 26))

void prn_outlay_init(struct prn_outlay *outlay);

/* As numbers apart by spaces, each with one before it; print returns the length.  parse: whether the text is one, and nothing else. */
int prn_outlay_print(const struct prn_outlay *outlay, char text[PRN_OUTLAY_TEXT]);
bool prn_outlay_parse(struct prn_outlay *outlay, const char *text);

/* Notes the time of a call. */
void prn_outlay_advance(struct prn_outlay *outlay, int64_t now);

/* Counts what is handed out at the time of the last call; below 0: comes back of what was handed out then, as far as that is known. */
void prn_outlay_add(struct prn_outlay *outlay, double amount);

/* The most that was handed out in 23 hours that have the time of the last call in them; 0 where no clock was set back. */
double prn_outlay_day(const struct prn_outlay *outlay);

/* When that is no more than so much, if nothing is handed out meanwhile; or two hours after the last call, if that is earlier. */
int64_t prn_outlay_wait(const struct prn_outlay *outlay, double most);

#endif
