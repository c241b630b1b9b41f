/* Brings amounts that were settled in shards to the ledger of the root. */
#include "decide/ledger.h"
#include "decide/shards.h"

#include "store/shared.h"

#include <math.h>

struct settling {
	struct prn_settled *owed;
	struct prn_error *error;
};

static int take_settled(void *context, struct prn_decider *shard)
{
	struct settling *settling = context;
	struct prn_settled settled = { 0 };
	unsigned tries = 0;
	int code;

	/* Settled amounts that are only staged may still be dropped. */
	if (!shard->has_settled || prn_decider_staged(shard))
		return 0;
	do {
		code = prn_ledger_take_settled(shard->batch, &settled, settling->error);
		if (!code)
			code = prn_decider_commit_alone(shard, settling->error);
	} while (prn_decider_again(shard, code, &tries));
	if (code) {
		prn_decider_abandon(shard);
		return code;
	}
	prn_settled_add(settling->owed, &settled);
	shard->has_settled = false;
	return 0;
}

void prn_shards_owe(struct prn_decider *root, const struct prn_settled *settled)
{
	struct prn_settled *owed = &root->shards->owed;

	prn_settled_add(owed, settled);
	/* In a shared store the commit may have been made all the same, so amounts that come back are not counted again. */
	if (prn_store_is_shared(root->store)) {
		owed->returned = 0;
		owed->beyond = fmax(0, owed->beyond);
	}
}

static int count(struct prn_decider *root, const struct prn_settled *settled, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(root);
	struct prn_ledger ledger;
	int code = prn_ledger_read(&ledger, root->budget_per_day, &reader, error);

	if (code)
		return code;
	prn_ledger_add_settled(&ledger, root->budget_per_day, settled);
	code = prn_ledger_put(&ledger, root->batch, error);
	return code ? code : prn_decider_commit_alone(root, error);
}

int prn_shards_settle(struct prn_decider *root, struct prn_error *error)
{
	struct prn_settled sum = root->shards->owed;
	struct settling settling = { .owed = &sum, .error = error };
	int taken = prn_shards_each_open(root, take_settled, &settling), code;
	unsigned tries = 0;

	root->shards->owed = (struct prn_settled){ 0 };
	if (sum.answers <= 0 && sum.excess <= 0 && sum.returned <= 0 && fabs(sum.beyond) <= 0)
		return taken;
	do
		code = count(root, &sum, error);
	while (prn_decider_again(root, code, &tries));
	if (code) {
		prn_decider_abandon(root);
		prn_shards_owe(root, &sum);
	}
	return taken ? taken : code;
}
