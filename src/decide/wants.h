/*
 * What will be read of pages and hosts, gathered, and asked for in one question: for stores that are far away.  Of
 * any other nothing is gathered.
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

/* What was wanted is not any more. */
void prn_wants_drop(struct prn_wants *wants);

/* A page; beside: with what stands under its key in other tables.  PRN_E_MEMORY */
int prn_wants_page(struct prn_wants *wants, const struct prn_digest *key, bool beside);

/* What is known of a host, and of who tells of its pages.  PRN_E_MEMORY */
int prn_wants_host(struct prn_wants *wants, struct prn_host_name name);

/* What an observation of a page, or adding it, reads.  PRN_E_MEMORY */
int prn_wants_visit(struct prn_wants *wants, const struct prn_digest *key, const char *normal_url);

/* What deciders read first: the threshold, the budget and what keeps it.  PRN_E_MEMORY */
int prn_wants_settings(struct prn_wants *wants);

/* Asks, through the writer's batch, and wants nothing more.  Errors of views */
int prn_wants_ask(struct prn_wants *wants, struct prn_decider *decider, struct prn_error *error);

#endif
