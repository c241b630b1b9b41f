/*
 * What keeps a host's pages back (perennial/held.h), for those who ask why.
 */
#ifndef DECIDE_HELD_H
#define DECIDE_HELD_H

#include "decide/ledger.h"
#include "decide/share.h"
#include "perennial/held.h"

/*
 * What does, and until when by itself; of several reasons the first in the order of the enum, but until when all are
 * over. Of a host that is full that is when its last lease ends, unless a page comes back before.  PRN_HELD_NOT: *until
 * is as it was.
 */
enum prn_held prn_held_by(const struct prn_known_host *known, const struct prn_share *share, int64_t now,
                          int64_t *until);

/* The ledger by which a store's budget is kept: of a shard that of its root.  Errors of the store */
int prn_held_ledger(const struct prn_decider *decider, double budget_per_day, const struct prn_store_reader *reader,
                    struct prn_ledger *ledger, struct prn_error *error);

/* The share of a host in the budget of a store, as of its ledger at now; none without a budget.  Errors of the store */
int prn_held_share(const struct prn_decider *decider, const struct prn_store_reader *reader, int64_t now,
                   struct prn_share *share, struct prn_error *error);

#endif
