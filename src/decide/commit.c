/* Makes durable what is staged in a store and in all its shards, and what follows from it in others. */
#include "decide/shards.h"
#include "decide/gate_messages.h"

static int commit_shard(void *context, struct prn_decider *shard)
{
	return prn_decider_commit_alone(shard, context);
}

int prn_decider_commit_pages(struct prn_decider *decider, struct prn_error *error)
{
	int code = prn_decider_commit_alone(decider, error);

	if (!code)
		code = prn_shards_each_open(decider, commit_shard, error);
	if (!code && decider->shards)
		code = prn_shards_forward(decider, error);
	return code || !decider->messages_durable ? code : prn_shards_forward(decider->root, error);
}

int prn_decider_commit_all(struct prn_decider *decider, struct prn_error *error)
{
	int code = prn_decider_commit_pages(decider, error);

	return code || !decider->shards ? code : prn_shards_settle(decider, error);
}

int prn_decider_commit(struct prn_decider *decider, struct prn_error *error)
{
	int code = prn_decider_commit_all(decider, error);

	return code ? code : prn_giants_admit(decider, error);
}
