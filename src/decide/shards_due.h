/*
 * prn_decider_due, of one store or of several shards.  Of these it takes a lot of the budget off the root's ledger,
 * hands it out shard by shard, and gives back what is left: who dies in between has spent it.  First come, from where
 * the last call ended, the shards that the root knows to have something due, then some of the others.
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
