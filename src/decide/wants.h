/*
 * Collects the records of pages and hosts that will be read, to request them all at once.  It is for stores that are slow to
 * reach; for any other store nothing is collected.
 */
#ifndef DECIDE_WANTS_H
#define DECIDE_WANTS_H

#include "base/buffer.h"
#include "decide/decider_internal.h"
#include "store/shared.h"

/* All zero: nothing is wanted. */
struct prn_wants {
	struct prn_wanted *items; /* [count]; with the lengths of their keys, which are in bytes one after another */
	size_t count, capacity;
	struct prn_buffer bytes;
};

void prn_wants_release(struct prn_wants *wants);

/* Wants nothing any more; the memory is kept for what is wanted next. */
void prn_wants_drop(struct prn_wants *wants);

/* Wants a page; all: also its entries in side tables.  PRN_E_MEMORY */
int prn_wants_page(struct prn_wants *wants, const struct prn_digest *key, bool all);

/* Wants a host's record, and its entries in side tables.  PRN_E_MEMORY */
int prn_wants_host(struct prn_wants *wants, struct prn_host_name name);

/* Wants what an observation of a page reads, or the adding of it.  PRN_E_MEMORY */
int prn_wants_visit(struct prn_wants *wants, const struct prn_digest *key, const char *normal_url);

/* Wants what deciders read first: the threshold, the budget and its ledger.  PRN_E_MEMORY */
int prn_wants_settings(struct prn_wants *wants);

/* Requests all that is wanted, through the writer's batch, and makes it empty.  Errors of views */
int prn_wants_ask(struct prn_wants *wants, struct prn_decider *decider, struct prn_error *error);

#endif
