/*
 * prn_decider_due for a store with or without shards.  With shards it takes a lot of the budget off the root's ledger, hands it
 * out shard by shard, and gives back what is left; if the process dies in between, the lot stays spent.  It starts where the last
 * call ended, first with the shards that have something due by the root's index, then with some of the others.
 */
#ifndef DECIDE_SHARDS_DUE_H
#define DECIDE_SHARDS_DUE_H

#include "decide/shards.h"
#include "perennial/due.h"

/*
 * _check: PRN_E_ARGUMENT for requests that prn_decider_due refuses.  _of_one does the rest, for a store without shards or for one
 * shard.  looks: of each giant, for a call that looks at several shards, or NULL.
 */
int prn_due_check(struct prn_decider *decider, const struct prn_due_request *request, struct prn_error *error);
int prn_due_of_one(struct prn_decider *decider, const struct prn_due_request *request, struct prn_giant_look *looks,
                   struct prn_due_list *list, struct prn_error *error);

#endif
