/*
 * What a visit of a page will be worth at any time, in a few bytes beside the page in the queue of what is due.  So pages are
 * chosen by value without reading the records of all that are due, which are scattered over a large store.
 *
 * It exists for pages whose value follows from a weight and a time alone: those that were never visited, and those whose
 * policy's curve is a straight line.  For other pages, for those that older programs queued, and wherever looks are not simply
 * counted in visits, nothing is known, and the record must be read.  It is a hint, not a truth: what is handed out is read,
 * and its value is then that of prn_decider_value.
 *
 * Big-endian: the number of what made it, 4 bytes, of which the lowest bit says whether the page was visited; the time from
 * which the value grows, 8; and its growth, 8 (IEEE 754): the weight, times the line's slope where there is one.
 */
#ifndef DECIDE_WORTH_H
#define DECIDE_WORTH_H

#include "perennial/page_state.h"
#include "store/record.h"

/*
 * Makes it for a page of a weight whose value grows since then.  Returns its length: PRN_WORTH_BYTES or, where nothing is
 * known, 0.
 */
size_t prn_worth_make(const struct prn_page_state *state, double weight, int64_t since, unsigned char out[PRN_WORTH_BYTES]);

struct prn_worth {
	bool visited;   /* before */
	int64_t since;  /* it was, or has waited */
	double growth;
};

/* False: nothing is known, or another policy or program made it. */
bool prn_worth_read(const struct prn_policy *policy, struct prn_bytes bytes, struct prn_worth *worth);

/* As prn_decider_value, where looks are counted in visits. */
double prn_worth_value(const struct prn_worth *worth, double threshold, int64_t now);

#endif
