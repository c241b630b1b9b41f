#include "decide/shards_due_internal.h"
#include "decide/giant_gates.h"

#include <math.h>

/* Whether the loads are known of most shards, or lists: some may be lost. */
static bool are_loads_known(const struct prn_due_call *call, const struct prn_due_places *places)
{
	uint64_t maker = prn_loads_maker(call->root);
	size_t made = 0, known = 0;

	for (size_t i = 0; i < places->count; i++) {
		made += places->entries[i].is_made;
		known += places->entries[i].is_made && places->entries[i].maker == maker;
	}
	return 2 * known > made;
}

static int take_lot(struct prn_due_call *call)
{
	struct prn_decider *root = call->root;
	struct prn_store_reader reader = prn_decider_reader(root);
	struct prn_lease_clock before;
	struct prn_due_places *places = prn_due_of_root(call);
	int code = prn_shard_index_read(root, places->entries, places->count, call->error);

	if (!code && root->budget_per_day > 0)
		code = prn_shard_index_sum(root, places->entries, places->count, call->error);
	if (!code)
		code = prn_pacing_begin(&call->pacing, root, call->request->limit, call->request->now, call->error);
	if (!code)
		code = prn_lease_clock_read(&call->lot.clock, &before, root, &reader, call->request->now, call->error);
	if (!code)
		code = prn_giants_look(root, call->error);
	if (code)
		return code;
	call->lot.room = call->pacing.room;
	call->lot.share = call->pacing.share;
	if (!call->pacing.paced)
		return 0;
	/* The threshold of some of the pages does not bind that of all. */
	if (!are_loads_known(call, places))
		call->pacing.ledger.sought_at = PRN_TIME_UNKNOWN;
	/* In bytes it is not known what pages will cost, so all of the room is taken. */
	if (root->costs.unit == PRN_UNIT_VISITS)
		call->lot.room = fmin(call->lot.room, (double)call->request->limit);
	call->taken = call->lot.room;
	prn_ledger_spend(&call->pacing.ledger, call->taken);
	call->lot.ledger = call->pacing.ledger;
	code = prn_ledger_put(&call->pacing.ledger, root->batch, call->error);
	return code ? code : prn_decider_commit_alone(root, call->error);
}

int prn_due_begin(struct prn_due_call *call)
{
	unsigned tries = 0;
	int code;

	do {
		code = prn_decider_check_writer(call->root, call->error);
		if (!code)
			code = take_lot(call);
	} while (prn_decider_again(call->root, code, &tries));
	return code;
}

/* Stages the hosts that were asked, settled amounts and the rest of the lot in the ledger, which others may have written since. */
static int settle_ledger(struct prn_due_call *call, struct prn_ledger *ledger)
{
	struct prn_store_reader reader = prn_decider_reader(call->root);
	const struct prn_lot *lot = &call->lot;
	int code = prn_ledger_read(ledger, call->root->budget_per_day, &reader, call->error);

	if (code)
		return code;
	prn_ledger_advance(ledger, call->root->budget_per_day, call->request->now);
	prn_ledger_spend(ledger, lot->spent - call->taken);
	prn_ledger_learn(ledger, call->root->budget_per_day, call->pacing.pages_days, lot->early, ledger->at);
	prn_ledger_add_settled(ledger, call->root->budget_per_day, &lot->settled);
	prn_ledger_add_settled(ledger, call->root->budget_per_day, &call->root->shards->owed);
	for (size_t i = 0; i < PRN_SHARING_HOSTS; i++)
		if (lot->ledger.hosts[i].number && lot->ledger.hosts[i].asked == lot->ledger.at)
			prn_ledger_ask(ledger, lot->ledger.hosts[i].number);
	ledger->slots[prn_ledger_place(ledger->slot)].threshold = call->root->threshold;
	if (call->taken > 0) {
		ledger->unmet = call->pacing.held ? 0 : lot->unmet;
		ledger->spare = prn_due_goes_on(call) ? prn_ledger_spare(ledger, call->root->budget_per_day) : 0;
	}
	return prn_ledger_put(ledger, call->root->batch, call->error);
}

int prn_due_put_asked(struct prn_due_call *call, struct prn_decider *index, const struct prn_due_places *places)
{
	int code = 0;

	for (size_t i = 0; i < places->count && !code; i++) {
		const struct prn_due_asked *asked = &places->asked[i];

		if (asked->asked && !asked->damaged && !asked->unchanged)
			code = prn_shard_index_put(index, i, &asked->found, call->pacing.paced ? &asked->loads : NULL, call->error);
	}
	return code;
}

static int give_back(struct prn_due_call *call, struct prn_ledger *ledger)
{
	struct prn_store_reader reader = prn_decider_reader(call->root);
	struct prn_lease_clock clock, before;
	int code = call->pacing.paced ? settle_ledger(call, ledger) : 0;

	if (!code)
		code = prn_lease_clock_read(&clock, &before, call->root, &reader, call->request->now, call->error);
	if (!code)
		code = prn_lease_clock_put(&clock, &before, call->list->count > 0, call->root->batch, call->error);
	if (!code)
		code = prn_due_put_asked(call, call->root, prn_due_of_root(call));
	return code ? code : prn_decider_commit_alone(call->root, call->error);
}

/* If the ledger could not be written, settled amounts are owed to it, and so is what is left of the lot, or was spent beyond it. */
static void keep_settled(struct prn_due_call *call)
{
	struct prn_settled settled = call->lot.settled;
	double left = call->taken - call->lot.spent;

	if (!call->pacing.paced)
		return;
	settled.returned += fmax(0, left);
	settled.beyond += fmax(0, -left);
	prn_shards_owe(call->root, &settled);
}

int prn_due_end(struct prn_due_call *call, struct prn_ledger *ledger)
{
	unsigned tries = 0;
	int code;

	do
		code = give_back(call, ledger);
	while (prn_decider_again(call->root, code, &tries));
	if (code) {
		prn_decider_abandon(call->root);
		keep_settled(call);
	} else if (call->pacing.paced)
		call->root->shards->owed = (struct prn_settled){ 0 };
	return code;
}
