#include "decide/shards_due_internal.h"

#include "base/monotonic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int lease(struct prn_due_call *call)
{
	struct prn_shards *shards = call->root->shards;
	struct prn_ledger ledger = { 0 };
	int code = prn_decider_commit_all(call->root, call->error), ended;

	if (!code)
		code = prn_due_begin(call);
	if (code)
		return code;
	if (!shards->start) {
		shards->start = 1 + prn_due_start((uint64_t)getpid(), call->request->now, shards->list_size);
		shards->start_list = 1 + prn_due_start((uint64_t)getpid(), call->request->now, shards->list_count);
	}
	call->start = call->next = (shards->start - 1) % shards->list_size;
	if (shards->list_count > 1) {
		code = prn_due_ask_lists(call);
	} else {
		code = prn_due_ask_shards(call);
		shards->start = 1 + call->next;
	}
	if (!code)
		code = prn_due_give_early(call);
	ended = prn_due_end(call, &ledger);
	/* Pages that were handed out are leased, so they are returned whatever failed afterwards. */
	if (!call->list->count && (code || ended))
		return code ? code : ended;
	prn_due_set_next(call, &ledger);
	return 0;
}

static int show(void *context, size_t place, struct prn_error *error)
{
	struct prn_due_call *call = context;
	struct prn_due_turn *turn = call->turns;
	int64_t next = call->list->next;
	double began;
	int code;

	(void)error;
	if (!prn_due_goes_on(call)) {
		if (call->list->count < call->request->limit)
			call->list->next = prn_time_after(call->request->now, 1);
		return 0;
	}
	call->first_shard = place - place % call->shards.count;
	*turn = (struct prn_due_turn){
		.place = place % call->shards.count, .limit = call->request->limit - call->list->count, .list = turn->list};
	began = prn_monotonic();
	prn_due_ask_shard(call, turn);
	code = prn_due_take_turn(call, turn);
	if (turn->code == PRN_E_BUSY) {
		call->silence_s += prn_monotonic() - began;
		call->list->next = prn_time_after(call->request->now, 1);
	} else if (!turn->code && (next == PRN_TIME_UNKNOWN || (turn->list.next != PRN_TIME_UNKNOWN && turn->list.next < next))) {
		call->list->next = turn->list.next;
	}
	return code;
}

/* Amounts that were settled in the shards that were asked may have made room: then they are asked once more. */
static int lease_what_there_is(struct prn_due_call *call)
{
	int code = lease(call);

	if (code || call->list->count || !call->has_room)
		return code;
	memset(call->shards.asked, 0, call->shards.count * sizeof *call->shards.asked);
	memset(call->lists.asked, 0, call->lists.count * sizeof *call->lists.asked);
	call->first = call->last = call->round_end = 0;
	call->lot = (struct prn_lot){.room = INFINITY};
	call->taken = 0;
	call->unasked = call->has_room = false;
	call->list->damaged_shards = 0;
	return lease(call);
}

static bool make_places(struct prn_due_places *places, size_t count, bool are_lists)
{
	*places = (struct prn_due_places){ are_lists, count, calloc(count, sizeof *places->entries), calloc(count, sizeof *places->asked) };
	return places->entries && places->asked;
}

static bool make_call(struct prn_due_call *call)
{
	const struct prn_shards *shards = call->root->shards;
	bool leases = call->request->lease_s > 0;
	bool has_places = make_places(&call->shards, shards->list_size, false);

	has_places &= make_places(&call->lists, shards->list_count, true);
	call->turns = calloc(PRN_DUE_TURNS, sizeof *call->turns);
	call->queue = calloc(2 * call->shards.count, sizeof *call->queue);
	call->looked_at = calloc(call->shards.count, sizeof *call->looked_at);
	call->giants = leases ? NULL : calloc(shards->giant_count + 1, sizeof *call->giants);
	return has_places && call->turns && call->queue && call->looked_at && (call->giants || leases);
}

static void release_call(struct prn_due_call *call)
{
	for (size_t i = 0; call->turns && i < PRN_DUE_TURNS; i++)
		prn_due_list_release(&call->turns[i].list);
	for (size_t i = 0; call->giants && i < call->root->shards->giant_count; i++)
		prn_giant_gate_release(&call->giants[i].gate);
	free(call->giants);
	free(call->turns);
	free(call->looked_at);
	free(call->queue);
	free(call->shards.entries);
	free(call->shards.asked);
	free(call->lists.entries);
	free(call->lists.asked);
}

static int due_of_shards(struct prn_decider *root, const struct prn_due_request *request, struct prn_due_list *list,
                         struct prn_error *error)
{
	struct prn_error none;
	struct prn_due_call call = { .root = root, .request = request, .list = list, .error = error ? error : &none,
		                     .lot = { .room = INFINITY }, .others = prn_due_others(root->shards->list_size),
		                     .asker = prn_shard_index_asker(root) };
	int code;

	list->count = list->text_length = 0;
	list->over_budget = false;
	list->unreadable = list->damaged_shards = 0;
	list->next = PRN_TIME_UNKNOWN;
	if (!make_call(&call))
		code = prn_error_memory(error);
	else
		code = request->lease_s > 0 ? lease_what_there_is(&call) : prn_shards_each_made(root, show, &call, call.error);
	if (code)
		list->count = 0;
	prn_due_finish_list(list);
	if (!code && list->count == request->limit)
		list->next = request->now;
	release_call(&call);
	return code;
}

int prn_decider_due(struct prn_decider *decider, const struct prn_due_request *request, struct prn_due_list *list,
                    struct prn_error *error)
{
	int code;

	if (!decider->shards)
		return prn_due_of_one(decider, request, NULL, list, error);
	code = prn_due_check(decider, request, error);
	return code ? code : due_of_shards(decider, request, list, error);
}
