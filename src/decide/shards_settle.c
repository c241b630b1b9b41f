/* What was settled in shards, on its way to the ledger of the root. */
#include "decide/ledger.h"
#include "decide/shards.h"

struct settling {
	struct prn_settled sum;
	struct prn_error *error;
};

static int take(void *context, struct prn_decider *shard)
{
	struct settling *settling = context;
	struct prn_settled settled = { 0 };
	unsigned tries = 0;
	int code;

	/* What is staged may still be dropped. */
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
	prn_settled_add(&settling->sum, &settled);
	shard->has_settled = false;
	return 0;
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
	struct settling settling = { .error = error };
	int taken = prn_shards_each_open(root, take, &settling), code;
	unsigned tries = 0;

	if (!(settling.sum.answers > 0) && !(settling.sum.excess > 0) && !(settling.sum.returned > 0) && !(settling.sum.beyond < 0) &&
	    !(settling.sum.beyond > 0))
		return taken;
	do
		code = count(root, &settling.sum, error);
	while (prn_decider_again(root, code, &tries));
	if (code)
		prn_decider_abandon(root);
	return taken ? taken : code;
}
