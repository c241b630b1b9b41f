/* What explaining one page and explaining all of a store share. */
#ifndef DECIDE_EXPLAIN_INTERNAL_H
#define DECIDE_EXPLAIN_INTERNAL_H

#include "decide/costs.h"
#include "decide/entry.h"
#include "decide/share.h"
#include "perennial/explanation.h"

/* A view and an entry that belong to the call, so that any thread can make it. */
struct prn_explaining {
	struct prn_decider *decider;
	struct prn_view *view;
	struct prn_store_reader reader;
	struct prn_entry entry;
	double threshold;
	struct prn_costs costs;
	struct prn_share share; /* the share of a host in the budget */
	double answer_bytes;    /* the mean over the store's pages; 0: unknown */
	int64_t now;
	struct prn_error *error;
};

/*
 * Opens the view and reads what all pages have in common; decider, now and error are set by the caller, and the rest is zero.
 * _end must follow, unless it failed.  PRN_E_MEMORY and errors of views
 */
int prn_explaining_begin(struct prn_explaining *reading, unsigned tries);
void prn_explaining_end(struct prn_explaining *reading);

/* Explains the page in reading->entry, whose state has so many bytes in the store.  PRN_E_MEMORY and errors of views */
int prn_explaining_entry(struct prn_explaining *reading, size_t state_bytes, struct prn_explanation *to);

#endif
