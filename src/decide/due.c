#include "decide/handout.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "decide/gate_messages.h"
#include "decide/loads.h"
#include "decide/shards_due.h"

#include <math.h>
#include <stdlib.h>

#define SLICE_FACTOR 4
#define SLICE_LEAST 1000
#define SLICE_MOST ((size_t)1 << 20)
#define LOOK_LEASE_S 3600.0 /* the lease that a call without one assumes, so that it shows what hosts have room for */

void prn_due_list_init(struct prn_due_list *list)
{
	*list = (struct prn_due_list){ 0 };
}

void prn_due_list_release(struct prn_due_list *list)
{
	free(list->items);
	free(list->text);
	prn_due_list_init(list);
}

static int read_threshold(struct prn_handout *work)
{
	struct prn_price price;
	int code;

	if (!prn_handout_is_leasing(work)) {
		code = prn_decider_price(work->decider, &work->reader, &price, work->error);
		if (code)
			return code;
		work->costs = price.costs;
		work->entry->costs = &work->costs;
		work->threshold = price.threshold;
		return 0;
	}
	work->entry->costs = &work->decider->costs;
	work->threshold = work->decider->threshold;
	return 0;
}

/* A leasing call walks the view that its batch reads through, which does not change while the batch is filled. */
static int find(struct prn_handout *work)
{
	int code = prn_handout_is_leasing(work) ? prn_decider_view(work->decider, &work->view, work->error)
	                                           : prn_decider_look(work->decider, work->looks, &work->view, work->error);

	if (code)
		return code;
	work->reader = prn_handout_is_leasing(work) ? prn_decider_reader(work->decider) : (struct prn_store_reader){ .view = work->view };
	code = read_threshold(work);
	if (!code)
		code = prn_loads_round(work->decider, &work->reader, &work->round_days, work->error);
	work->by_worth = !code && !prn_costs_are_counted(work->entry->costs);
	if (!code)
		code = prn_lease_clock_read(&work->clock, &work->clock_before, work->decider, &work->reader, work->request->now, work->error);
	work->gates.leased_from = prn_lease_clock_time(&work->clock);
	if (!code)
		code = prn_lead_read(&work->lead, &work->reader, work->error);
	for (int lane = 0; lane < PRN_LANES && !code; lane++) {
		code = prn_walk_lane(&work->lanes[lane].walk, work->view, PRN_QUEUE_DUE, (enum prn_lane)lane, INT64_MIN, work->error);
		work->lanes[lane].more = true;
	}
	if (!code)
		code = prn_turns_open(&work->turns, &work->gates, work->view, prn_handout_is_leasing(work) ? work->decider->batch : NULL,
		                      work->error);
	if (!code)
		code = prn_handout_run(work);
	if (work->decider->lot)
		work->decider->lot->giants_wait = work->gates.giants_wait;
	if (work->decider->lot)
		work->decider->lot->version = code ? 0 : prn_view_version(work->view);
	prn_turns_release(&work->turns);
	for (int lane = 0; lane < PRN_LANES; lane++)
		prn_walk_free(work->lanes[lane].walk);
	if (!prn_handout_is_leasing(work))
		prn_view_close(work->view);
	return code;
}

int prn_due_check(struct prn_decider *decider, const struct prn_due_request *request, struct prn_error *error)
{
	char most[PRN_TIME_TEXT];

	if (!(request->lease_s >= 0 && request->lease_s <= PRN_LEASE_MOST_S))
		return prn_error_set(error, PRN_E_ARGUMENT, "a lease is a duration of at most %s",
		                     prn_duration_format(PRN_LEASE_MOST_S, most));
	if (prn_decider_check_now(request->now, error))
		return PRN_E_ARGUMENT;
	return request->lease_s > 0 ? prn_decider_check_writer(decider, error) : 0;
}

/* A call without lease may come from another thread than the writer's, so each call has an entry of its own. */
static int prepare(struct prn_handout *work, struct prn_entry *entry)
{
	size_t limit = work->request->limit;

	work->slice_room = limit < SLICE_LEAST / SLICE_FACTOR  ? SLICE_LEAST
	                   : limit < SLICE_MOST / SLICE_FACTOR ? limit * SLICE_FACTOR
	                                                       : SLICE_MOST;
	work->ahead = prn_handout_is_leasing(work) && prn_store_is_shared(work->decider->store) ? work->slice_room : 1;
	work->queued = calloc(work->ahead, sizeof *work->queued);
	if (prn_candidates_init(&work->slices[false], 2 * work->slice_room) ||
	    prn_candidates_init(&work->slices[true], 2 * work->slice_room) || !work->queued || prn_entry_init(entry, work->decider->policy, work->decider->summary_limit))
		return prn_error_memory(work->error);
	work->entry = entry;
	prn_gates_init(&work->gates, &work->decider->options, work->request->now,
	               prn_handout_is_leasing(work) ? work->request->lease_s : LOOK_LEASE_S);
	work->gates.shard = work->decider->root && work->decider->root->shards->giant_count ? work->decider : NULL;
	work->gates.taking = prn_handout_is_leasing(work);
	work->gates.looks = work->giants;
	work->list->count = work->list->text_length = 0;
	return 0;
}

/* Ends leases that have run out, and finds how much may be handed out. */
static int begin_leasing(struct prn_handout *work, bool *made)
{
	struct prn_decider *decider = work->decider;
	int64_t now = work->request->now;
	int code = prn_decider_commit_all(decider, work->error);

	*made |= !code;
	if (!code)
		code = prn_decider_void_ahead(decider, now, &work->unreadable, work->error);
	if (!code)
		code = prn_decider_end_leases(decider, now, &work->unreadable, work->error);
	if (!code)
		code = prn_pacing_begin(&work->pacing, decider, work->request->limit, now, work->error);
	work->gates.share = work->pacing.share;
	return code;
}

static int end_leasing(struct prn_handout *work)
{
	bool all_given = prn_handout_has_room(work) && !work->more;
	int code = prn_pacing_end(&work->pacing, work->decider, work->unmet, all_given, work->early, work->error);

	if (!code)
		code = prn_lease_clock_put(&work->clock, &work->clock_before, work->list->count > 0, work->decider->batch, work->error);
	if (!code)
		code = prn_lead_put(&work->lead, work->decider->batch, work->error);

	/* Where the budget ended the list, it also sets the next time: nothing is given before, whatever becomes due. */
	work->list->over_budget = prn_handout_is_spent(work) && work->kept_back;
	if (!work->decider->lot && prn_handout_is_spent(work) && work->next != PRN_TIME_UNKNOWN &&
	    !prn_ledger_room(&work->pacing.ledger, work->decider->budget_per_day, &work->pacing.next))
		work->next = prn_time_later(work->next, work->pacing.next);
	return code ? code : prn_decider_commit_all(work->decider, work->error);
}

/*
 * Makes the list.  *made becomes true when what was staged before the call is committed.  *unreadable is the count of pages that
 * could not be read and have been moved, and committed, so that no other attempt counts them again.
 */
static int attempt(struct prn_handout *work, bool *made, struct prn_unreadable *unreadable)
{
	struct prn_entry entry = { 0 };
	int code;

	work->list->count = work->list->text_length = 0;
	work->list->over_budget = false;
	work->list->damaged_shards = 0;
	code = prepare(work, &entry);
	if (!code && prn_handout_is_leasing(work))
		code = begin_leasing(work, made);
	*unreadable = work->unreadable;
	if (!code)
		code = find(work);
	if (!code && prn_handout_is_leasing(work))
		code = end_leasing(work);
	for (size_t i = 0; i < work->list->count; i++)
		work->list->items[i].url = work->list->text + (uintptr_t)work->list->items[i].url;
	work->list->next = work->next;
	work->list->unreadable = work->unreadable.count;
	work->list->first_unreadable = work->unreadable.first;
	if (code)
		work->list->count = 0;
	prn_gates_release(&work->gates);
	prn_entry_release(&entry);
	prn_wants_release(&work->wants);
	prn_candidates_release(&work->slices[false]);
	prn_candidates_release(&work->slices[true]);
	free(work->queued);
	return code;
}

/*
 * Once it is known what was leased, gates are told of the permits that were not used, and of the actual cost of those that were.  If they
 * cannot be told, what was handed out is not affected.
 */
static void end_permits(struct prn_decider *decider, int64_t now, bool durable)
{
	for (size_t i = 0; durable && decider->permits && i < decider->root->shards->giant_count; i++) {
		const struct prn_permits *permits = &decider->permits[i];
		const struct prn_gate_message message = { .giant = i, .now = now, .end = permits->end, .moved = PRN_TIME_UNKNOWN,
			                             .count = permits->taken - permits->used, .fetched = PRN_TIME_UNKNOWN, .time = now,
			                             .beyond = permits->spent - permits->paid };

		if (message.count || fabs(message.beyond) > 0)
			(void)prn_gate_message_add(decider, &message, NULL);
	}
	free(decider->permits);
	decider->permits = NULL;
	if (durable)
		decider->gate_messages_durable = decider->gate_message_count;
	if (decider->root)
		(void)prn_giants_forward(decider, NULL);
}

int prn_due_of_one(struct prn_decider *decider, const struct prn_due_request *request, struct prn_giant_look *looks,
                   struct prn_due_list *list, struct prn_error *error)
{
	struct prn_decider_savepoint before = { 0 };
	struct prn_unreadable unreadable = { 0 };
	size_t giants = decider->root ? decider->root->shards->giant_count : 0;
	unsigned tries = 0, looked = 0;
	bool made = false, again;
	int code = prn_due_check(decider, request, error);

	if (code)
		return code;
	if (request->lease_s > 0) {
		before = prn_decider_save(decider);
		decider->permits = giants ? calloc(giants, sizeof *decider->permits) : NULL;
		if (giants && !decider->permits)
			return prn_error_memory(error);
	}
	do {
		struct prn_handout work = { .decider = decider, .request = request, .list = list, .looks = looked, .giants = looks,
			             .pacing = { .room = INFINITY }, .after = { .time = INT64_MAX },
			             .next = PRN_TIME_UNKNOWN, .unreadable = unreadable, .error = error };

		/* Permits are kept while it is decided anew what they are used for. */
		for (size_t i = 0; prn_handout_is_leasing(&work) && decider->permits && i < giants; i++) {
			decider->permits[i].used = 0;
			decider->permits[i].spent = 0;
		}
		code = attempt(&work, &made, &unreadable);
		if (code && prn_handout_is_leasing(&work)) {
			prn_decider_restore(decider, &before);
			prn_pacing_undo(&work.pacing, decider);
		}
		if (!code && decider->lot)
			prn_pacing_report(&work.pacing, decider->lot, work.unmet, work.kept_back, work.early);
		again = request->lease_s > 0 ? made && prn_decider_again(decider, code, &tries)
		                             : prn_decider_looks_again(code, &looked);
		if (again)
			code = request->lease_s > 0 ? prn_decider_check_writer(decider, error) : 0;
	} while (again && !code);
	if (request->lease_s > 0)
		end_permits(decider, request->now, !code);
	return code;
}
