/*
 * prn_decider_due, for one store or for one of several shards.  With several shards it takes a lot of the budget off the
 * root's ledger, hands it out shard by shard, and gives back what is left; if the process dies in between, the lot stays
 * spent.  It starts where the last call ended, first with the shards that the root knows to have something due, then with some
 * of the others.
 */
#ifndef DECIDE_SHARDS_DUE_H
#define DECIDE_SHARDS_DUE_H

#include "decide/shards.h"
#include "perennial/due.h"

/*
 * PRN_E_ARGUMENT: what prn_decider_due refuses.  _of_one: the rest of it, of a store without shards or of a shard;
 * looks: of each giant, where several shards are looked at, or NULL.
 */
int prn_due_check(struct prn_decider *decider, const struct prn_due_request *request, struct prn_error *error);
int prn_due_of_one(struct prn_decider *decider, const struct prn_due_request *request, struct prn_giant_look *looks,
                   struct prn_due_list *list, struct prn_error *error);

#endif
