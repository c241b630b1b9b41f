/*
 * The worth of a page: what a visit of it will be worth at any time, in a few bytes of its entry in the due queue.  With it pages
 * are chosen by value without reading the records of all that are due, which are scattered over a large store.
 *
 * It exists for pages whose value follows from a weight and a time alone: those that were never visited, also where they fail
 * (patience.h), and those whose policy's curve is a straight line.  For other pages, for those that older programs queued, and wherever looks are not simply
 * counted in visits, there is none, and the record must be read.  It is only an estimate: a page that is handed out is read, and
 * its value is then that of prn_decider_value.
 *
 * It is big-endian: the fingerprint of the policy that made it, 4 bytes, whose lowest bit says whether the page was visited; the
 * time from which the value grows, 8; and its growth, 8 (IEEE 754): the weight, times the line's slope if there is one; of a page
 * that has only failed (patience.h), -1.
 */
#ifndef DECIDE_WORTH_H
#define DECIDE_WORTH_H

#include "perennial/page_state.h"
#include "store/record.h"

/*
 * Writes the worth of a page with a weight whose value grows from the time since.  Returns its length: PRN_WORTH_BYTES, or 0 if
 * there is none.
 */
size_t prn_worth_make(const struct prn_page_state *state, double weight, int64_t since, unsigned char out[PRN_WORTH_BYTES]);

struct prn_worth {
	bool visited;   /* the page was visited before … */
	int64_t since;  /* … at this time, or else has waited since */
	double growth;
};

/* Reads it.  Returns false if there is none, or another policy or program made it. */
bool prn_worth_read(const struct prn_policy *policy, struct prn_bytes bytes, struct prn_worth *worth);

/* As prn_decider_value, where looks are counted in visits. */
double prn_worth_value(const struct prn_worth *worth, double threshold, double round_days, int64_t now);

#endif
