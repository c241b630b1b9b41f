#include "decide/shards_due_internal.h"

#include "base/buffer.h"
#include "base/monotonic.h"
#include "base/parallel.h"
#include "store/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST 16 /* the fewest pages that a shard is asked for, if so many are wanted: commits for fewer would cost more than the pages */

static int append(struct prn_due_call *call, const struct prn_due *due)
{
	struct prn_due_list *list = call->list;
	size_t bytes = strlen(due->url) + 1, at = list->text_length;
	char *text = prn_array_grow(list->text, &list->text_capacity, at + bytes, 1);
	struct prn_due *items;

	if (!text)
		return prn_error_memory(call->error);
	list->text = text;
	items = prn_array_grow(list->items, &list->item_capacity, list->count + 1, sizeof *items);
	if (!items)
		return prn_error_memory(call->error);
	list->items = items;
	memcpy(text + at, due->url, bytes);
	list->text_length += bytes;
	items[list->count] = *due;
	items[list->count++].url = (const char *)(uintptr_t)at;
	return 0;
}

/* The most valuable page is first, as in the list of a shard. */
static int compare_due(const void *a, const void *b)
{
	const struct prn_due *x = a, *y = b;

	if (x->value > y->value || x->value < y->value)
		return x->value > y->value ? -1 : 1;
	if (x->due != y->due)
		return x->due < y->due ? -1 : 1;
	return strcmp(x->url, y->url);
}

void prn_due_finish_list(struct prn_due_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		list->items[i].url = list->text + (uintptr_t)list->items[i].url;
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, compare_due);
}

void prn_due_ask_shard(const struct prn_due_call *call, struct prn_due_turn *turn)
{
	const struct prn_shard_found *before = &call->shards.entries[turn->place].found;
	struct prn_due_request request = *call->request;
	struct prn_store_totals totals;
	bool same;

	request.limit = turn->limit;
	turn->pages = PRN_SHARD_PAGES_UNKNOWN;
	turn->code = prn_shards_get(call->root, call->first_shard + turn->place, false, &turn->shard, &turn->error);
	if (turn->code)
		return;
	turn->shard->lot = request.lease_s > 0 ? &turn->lot : NULL;
	turn->code = prn_due_of_one(turn->shard, &request, call->giants, &turn->list, &turn->error);
	turn->shard->lot = NULL;
	/* The index keeps the number of pages, for reports if the shard is lost.  It is not counted again if nothing was written since. */
	same = before->pages != PRN_SHARD_PAGES_UNKNOWN && turn->lot.version && turn->lot.version == before->version;
	if (!turn->code && request.lease_s > 0 && (turn->list.count || !same) && !prn_store_totals_one(turn->shard->store, &totals, NULL))
		turn->pages = totals.pages;
	prn_shards_done(turn->shard);
}

static int ask_one(void *context, size_t thread, size_t item, struct prn_error *error)
{
	struct prn_due_call *call = context;

	(void)thread;
	(void)error;
	prn_due_ask_shard(call, &call->turns[item]);
	return 0;
}

/* Takes back what is left of a shard's part of the lot. */
static void take_lot_back(struct prn_due_call *call, const struct prn_due_turn *turn)
{
	struct prn_lot *to = &call->lot;
	const struct prn_lot *lot = &turn->lot;

	to->room -= lot->spent;
	to->spent += lot->spent;
	to->unmet += lot->unmet;
	to->early += lot->early;
	prn_settled_add(&to->settled, &lot->settled);
	for (size_t i = 0; i < PRN_SHARING_HOSTS; i++)
		if (lot->ledger.hosts[i].number && lot->ledger.hosts[i].asked == to->ledger.at)
			prn_ledger_ask(&to->ledger, lot->ledger.hosts[i].number);
}

void prn_due_keep_answer(const struct prn_due_call *call, size_t place, const struct prn_shard_found *found)
{
	struct prn_shard_answer *answers = call->root->shards->answers;

	if (answers)
		answers[place] = (struct prn_shard_answer){ .at = prn_monotonic(), .now = call->request->now, .due = found->due, .next = found->next,
			                                    .threshold = call->root->threshold, .version = found->version };
}

/* When the first lease of a shard runs out, including those that it has handed out now. */
static int64_t lease_end(const struct prn_due_turn *turn)
{
	int64_t end = turn->lot.lease_end;

	for (size_t i = 0; i < turn->list.count; i++)
		end = turn->list.items[i].lease < end ? turn->list.items[i].lease : end;
	return end;
}

int prn_due_take_turn(struct prn_due_call *call, const struct prn_due_turn *turn)
{
	struct prn_due_asked *asked = &call->shards.asked[turn->place];
	const struct prn_due_list *part = &turn->list;
	bool leasing = call->request->lease_s > 0;
	int64_t end;
	int code = 0;

	call->next = (turn->place + 1) % call->shards.count;
	/* A shard that is lost, or does not answer, stops nothing: it is reported, and asked again with the next call. */
	if (prn_shards_is_lost(turn->code) || prn_shards_is_silent(call->root, turn->code)) {
		if (!call->list->damaged_shards++)
			call->list->first_damaged = turn->error;
		*asked = (struct prn_due_asked){ .asked = true, .damaged = true, .is_silent = turn->code == PRN_E_BUSY, .next = call->request->now };
		return 0;
	}
	if (turn->code) {
		*call->error = turn->error;
		return turn->code;
	}
	take_lot_back(call, turn);
	if (!call->list->unreadable)
		call->list->first_unreadable = part->first_unreadable;
	call->list->unreadable += part->unreadable;
	asked->asked = true;
	asked->unchanged = false;
	asked->next = part->next == PRN_TIME_UNKNOWN ? INT64_MAX : part->next;
	asked->loads = turn->lot.loads;
	asked->kept_back = turn->lot.kept_back;
	if (asked->kept_back)
		asked->next = call->request->now;
	end = leasing ? lease_end(turn) : INT64_MAX;
	asked->found = (struct prn_shard_found){ .due = asked->next < end ? asked->next : end, .next = asked->next,
		                                 .pages = turn->pages, .now = call->request->now, .threshold = call->root->threshold, .asker = call->asker,
		                                 .version = turn->lot.version, .giants_wait = turn->lot.giants_wait };
	if (leasing)
		prn_due_keep_answer(call, turn->place, &asked->found);
	for (size_t i = 0; i < part->count && !code; i++)
		code = append(call, &part->items[i]);
	return code;
}

/* Sets each waiting shard's part of the limit and of the lot, until all of them were asked. */
static void begin_round(struct prn_due_call *call)
{
	size_t left = call->request->limit - call->list->count, waiting = call->last - call->first;
	size_t fair = (left + waiting - 1) / waiting;

	call->round_end = call->last;
	call->fair_limit = fair > FEWEST ? fair : FEWEST;
	/* In bytes it is not known what pages will cost. */
	call->fair_room = call->root->costs.unit == PRN_UNIT_VISITS ? fmax(call->lot.room / (double)waiting, FEWEST) : INFINITY;
}

/*
 * Limit and lot are shared out evenly, as far as that is worth the commits, so that pages come from many shards, and so of many
 * hosts, whichever was asked first.
 */
static void share_out(struct prn_due_call *call, size_t count)
{
	size_t left = call->request->limit - call->list->count;

	if (call->first >= call->round_end)
		begin_round(call);
	for (size_t i = 0; i < count; i++) {
		struct prn_due_turn *turn = &call->turns[i];

		turn->place = call->queue[(call->first + i) % (2 * call->shards.count)];
		turn->limit = left / count + (i < left % count);
		turn->limit = turn->limit < call->fair_limit ? turn->limit : call->fair_limit;
		turn->code = 0;
		turn->lot = call->lot;
		turn->lot.room = fmin(call->lot.room / (double)count, call->fair_room);
		turn->lot.spent = turn->lot.unmet = turn->lot.early = 0;
		turn->lot.settled = (struct prn_settled){ 0 };
		turn->lot.kept_back = turn->lot.giants_wait = false;
		turn->lot.version = 0;
		turn->lot.lease_end = INT64_MAX;
	}
}

int prn_due_ask_some(struct prn_due_call *call)
{
	size_t left = call->request->limit - call->list->count, waiting = call->last - call->first;
	size_t count = prn_store_is_shared(call->root->store) ? PRN_DUE_TURNS : 1;
	bool is_silent = false;
	double began, took;
	int code = 0;

	/* Each shard that is asked must have room for a page. */
	count = waiting < count ? waiting : count;
	count = left < count ? left : count;
	count = call->lot.room < (double)count ? (size_t)call->lot.room : count;
	count = count ? count : 1;
	share_out(call, count);
	call->first += count;
	began = prn_monotonic();
	prn_parallel_for(count, count, ask_one, call, NULL);
	took = prn_monotonic() - began;
	for (size_t i = 0; i < count; i++) {
		const struct prn_due_turn *turn = &call->turns[i];
		bool has_more = turn->list.count && (turn->list.count == turn->limit || turn->lot.kept_back);
		int taken = prn_due_take_turn(call, turn);

		code = code ? code : taken;
		is_silent |= turn->code == PRN_E_BUSY;
		if (!taken && !turn->code && has_more)
			call->queue[call->last++ % (2 * call->shards.count)] = turn->place;
	}
	call->silence_s += is_silent ? took : 0;
	return code;
}

/* Skips shards that only wait for giants, if others have taken the room of these. */
static void skip_closed(struct prn_due_call *call)
{
	size_t kept = call->first;

	for (size_t i = call->first; i < call->last; i++) {
		size_t place = call->queue[i % (2 * call->shards.count)];

		if (!call->shards.asked[place].for_giants || prn_due_giants_open(call, &call->shards, place) <= call->request->now)
			call->queue[kept++ % (2 * call->shards.count)] = place;
	}
	call->last = kept;
	call->round_end = call->round_end < kept ? call->round_end : kept;
}

int prn_due_ask_waiting(struct prn_due_call *call)
{
	int code = 0;

	while (!code && prn_due_goes_on(call) && call->first < call->last) {
		code = prn_due_ask_some(call);
		if (call->root->shards->giant_count)
			skip_closed(call);
	}
	return code;
}
