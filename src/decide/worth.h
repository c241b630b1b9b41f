/*
 * What a visit of a page will be worth at any time, in few bytes that stand beside the page in the queue of what is due: so what
 * is handed out is chosen by its value without a look at the records of all that is due, which lie all over a large store.
 *
 * It is of pages whose value follows from a weight and a time alone: of those that were never visited, and of those whose
 * policy's curve is a straight line.  Of others, of such as older programs queued, and wherever looks are counted in more
 * than visits, nothing is known, and the record says it.  It is a hint, not a truth: what is handed out is read, and its
 * value is then that of prn_decider_value.
 *
 * Big-endian: what made it, 4 bytes, of which the lowest bit says whether the page was visited; the time from which on it
 * counts, 8; and its growth, 8 (IEEE 754): the weight, times the line's slope where there is one.
 */
#ifndef DECIDE_WORTH_H
#define DECIDE_WORTH_H

#include "perennial/page_state.h"
#include "store/record.h"

/* Of a page of a weight, whose value grows since then.  Returns how many bytes it takes: PRN_WORTH_BYTES or, where nothing is known, 0. */
size_t prn_worth_make(const struct prn_page_state *state, double weight, int64_t since, unsigned char out[PRN_WORTH_BYTES]);

struct prn_worth {
	bool visited;   /* before */
	int64_t since;  /* it was, or has waited */
	double growth;
};

/* False: nothing is known, or it was made by another policy, or program. */
bool prn_worth_read(const struct prn_policy *policy, struct prn_bytes bytes, struct prn_worth *worth);

/* As prn_decider_value, where looks are counted in visits. */
double prn_worth_value(const struct prn_worth *worth, double threshold, int64_t now);

#endif
