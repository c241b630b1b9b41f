/*
 * Collects what will be read of pages and hosts, to ask for it in one question.  It is for stores that are far away; for any
 * other store nothing is collected.
 */
#ifndef DECIDE_WANTS_H
#define DECIDE_WANTS_H

#include "base/buffer.h"
#include "decide/decider_internal.h"
#include "store/shared.h"

/* All zero: nothing is wanted. */
struct prn_wants {
	struct prn_wanted *items; /* [count]; the lengths of keys, which stand in bytes one after another */
	size_t count, capacity;
	struct prn_buffer bytes;
};

void prn_wants_release(struct prn_wants *wants);

/* Drops what was wanted. */
void prn_wants_drop(struct prn_wants *wants);

/* Wants a page; beside: with its entries in other tables.  PRN_E_MEMORY */
int prn_wants_page(struct prn_wants *wants, const struct prn_digest *key, bool beside);

/* Wants what is known of a host, and of the sources that tell of its pages.  PRN_E_MEMORY */
int prn_wants_host(struct prn_wants *wants, struct prn_host_name name);

/* Wants what an observation of a page reads, or the adding of it.  PRN_E_MEMORY */
int prn_wants_visit(struct prn_wants *wants, const struct prn_digest *key, const char *normal_url);

/* Wants what deciders read first: the threshold, the budget and its ledger.  PRN_E_MEMORY */
int prn_wants_settings(struct prn_wants *wants);

/* Asks for all that is wanted, through the writer's batch; then nothing is wanted any more.  Errors of views */
int prn_wants_ask(struct prn_wants *wants, struct prn_decider *decider, struct prn_error *error);

#endif
