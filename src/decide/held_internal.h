/* The reason why a host's pages are held back (perennial/held.h), for explanations. */
#ifndef DECIDE_HELD_INTERNAL_H
#define DECIDE_HELD_INTERNAL_H

#include "decide/ledger.h"
#include "decide/share.h"
#include "perennial/held.h"

/*
 * Why a host is held back, and until when at most.  Of several reasons the first in the order of the enum is returned, but
 * *until is when all are over.  A full host is held until its last lease ends, unless a page comes back before.  PRN_HELD_NOT:
 * *until is unchanged.
 */
enum prn_held prn_held_by(const struct prn_known_host *known, const struct prn_share *share, int64_t now,
                          int64_t *until);

/* Reads the ledger that keeps a store's budget; a shard uses its root's.  Errors of the store */
int prn_held_ledger(const struct prn_decider *decider, double budget_per_day, const struct prn_store_reader *reader,
                    struct prn_ledger *ledger, struct prn_error *error);

/* The share that a host has in a store's budget, by its ledger at now; none without a budget.  Errors of the store */
int prn_held_share(const struct prn_decider *decider, const struct prn_store_reader *reader, int64_t now,
                   struct prn_share *share, struct prn_error *error);

#endif
