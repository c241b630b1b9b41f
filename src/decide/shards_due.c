#include "decide/shards_due.h"

#include "base/buffer.h"
#include "decide/pacing.h"
#include "decide/shard_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Shards that are asked although the root knows of nothing that is due there, with each call at most. */
#define OTHERS_LEAST 64
#define OTHERS_SHARE 64 /* of all, one in so many */

struct asked {
	bool asked;
	int64_t due; /* as struct prn_shard_entry has it */
	struct prn_loads loads;
};

/* One call at work. */
struct work {
	struct prn_decider *root;
	const struct prn_due_request *request;
	struct prn_due_list *list; /* while it grows, of a URL its place in text */
	struct prn_due_list part;  /* of one shard */
	struct prn_pacing pacing;  /* of the root, as it began */
	struct prn_lot lot;
	double taken;              /* by the lot off the ledger */
	struct prn_shard_entry *entries; /* [count] */
	struct asked *asked;             /* [count] */
	size_t start, next; /* where it begins; where another call is to */
	bool kept_back;     /* the budget has no room for something that is due */
	struct prn_error *error;
};

static size_t count_of(const struct work *work)
{
	return work->root->shards->count;
}

static int append(struct work *work, const struct prn_due *due)
{
	struct prn_due_list *list = work->list;
	size_t bytes = strlen(due->url) + 1, at = list->text_length;
	char *text = prn_array_grow(list->text, &list->text_capacity, at + bytes, 1);
	struct prn_due *items;

	if (!text)
		return prn_error_memory(work->error);
	list->text = text;
	items = prn_array_grow(list->items, &list->item_capacity, list->count + 1, sizeof *items);
	if (!items)
		return prn_error_memory(work->error);
	list->items = items;
	memcpy(text + at, due->url, bytes);
	list->text_length += bytes;
	items[list->count] = *due;
	items[list->count++].url = (const char *)(uintptr_t)at;
	return 0;
}

/* The most valuable first, as a shard gives them. */
static int compare_due(const void *a, const void *b)
{
	const struct prn_due *x = a, *y = b;

	if (x->value > y->value || x->value < y->value)
		return x->value > y->value ? -1 : 1;
	if (x->due != y->due)
		return x->due < y->due ? -1 : 1;
	return strcmp(x->url, y->url);
}

static void finish_list(struct prn_due_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		list->items[i].url = list->text + (uintptr_t)list->items[i].url;
	qsort(list->items, list->count, sizeof *list->items, compare_due);
}

static int ask(struct work *work, size_t place)
{
	struct prn_due_request request = *work->request;
	struct asked *asked = &work->asked[place];
	struct prn_decider *shard;
	int code = prn_shards_get(work->root, place, false, &shard, work->error);

	if (code)
		return code;
	request.limit -= work->list->count;
	shard->lot = request.lease_s > 0 ? &work->lot : NULL;
	code = prn_due_of_one(shard, &request, &work->part, work->error);
	shard->lot = NULL;
	if (code)
		return code;
	if (!work->list->unreadable)
		work->list->first_unreadable = work->part.first_unreadable;
	work->list->unreadable += work->part.unreadable;
	asked->asked = true;
	asked->due = work->part.next == PRN_TIME_UNKNOWN ? INT64_MAX : work->part.next;
	asked->loads = work->lot.loads;
	if (work->lot.kept_back)
		asked->due = request.now;
	work->kept_back |= work->lot.kept_back;
	work->next = (place + 1) % count_of(work);
	for (size_t i = 0; i < work->part.count && !code; i++)
		code = append(work, &work->part.items[i]);
	return code;
}

static bool goes_on(const struct work *work)
{
	/* A sum of shares is not quite one. */
	return work->list->count < work->request->limit && work->lot.room >= 1 - 1e-9;
}

static bool is_due(const struct work *work, size_t place)
{
	const struct prn_shard_entry *entry = &work->entries[place];

	return entry->is_made && !work->asked[place].asked && (!entry->is_known || entry->due <= work->request->now);
}

/* In any case the first: whatever the root knows, each has its turn. */
static int ask_first(struct work *work)
{
	for (size_t i = 0; i < count_of(work); i++) {
		size_t place = (work->start + i) % count_of(work);

		if (work->entries[place].is_made)
			return ask(work, place);
	}
	return 0;
}

static int ask_all(struct work *work)
{
	size_t count = count_of(work), others = OTHERS_LEAST + count / OTHERS_SHARE;
	int code = ask_first(work);

	for (size_t i = 0; i < count && !code && goes_on(work); i++)
		if (is_due(work, (work->start + i) % count))
			code = ask(work, (work->start + i) % count);
	for (size_t i = 0; i < count && !code && goes_on(work) && others; i++) {
		size_t place = (work->start + i) % count;

		if (!work->entries[place].is_made || work->asked[place].asked)
			continue;
		code = ask(work, place);
		others--;
	}
	return code;
}

/* In bytes it is not known what pages will cost. */
static double lot_of(const struct work *work)
{
	double room = work->pacing.room;

	return work->root->costs.unit == PRN_UNIT_VISITS ? fmin(room, (double)work->request->limit) : room;
}

/* A lot is spent before it is handed out. */
static int take_lot(struct work *work)
{
	struct prn_decider *root = work->root;
	int code = prn_shard_index_read(root, work->entries, work->error);

	if (!code && root->budget_per_day > 0)
		code = prn_shard_index_sum(root, work->entries, work->error);
	if (!code)
		code = prn_pacing_begin(&work->pacing, root, work->request->limit, work->request->now, work->error);
	if (code)
		return code;
	work->lot.room = work->pacing.room;
	work->lot.share = work->pacing.share;
	if (!work->pacing.paced)
		return 0;
	work->taken = work->lot.room = lot_of(work);
	prn_ledger_spend(&work->pacing.ledger, work->taken);
	work->lot.ledger = work->pacing.ledger;
	code = prn_ledger_put(&work->pacing.ledger, root->batch, work->error);
	return code ? code : prn_decider_commit_alone(root, work->error);
}

static int begin(struct work *work)
{
	unsigned tries = 0;
	int code;

	do {
		code = prn_decider_check_writer(work->root, work->error);
		if (!code)
			code = take_lot(work);
	} while (prn_decider_again(work->root, code, &tries));
	return code;
}

/* Hosts that were asked, what was settled, and what of the lot is left, in a ledger that others may have written since. */
static int settle_ledger(struct work *work, struct prn_ledger *ledger)
{
	struct prn_store_reader reader = prn_decider_reader(work->root);
	const struct prn_lot *lot = &work->lot;
	int code = prn_ledger_read(ledger, &reader, work->error);

	if (code)
		return code;
	prn_ledger_advance(ledger, work->root->budget_per_day, work->request->now);
	prn_ledger_spend(ledger, lot->spent - work->taken);
	prn_ledger_add_settled(ledger, &lot->settled);
	for (size_t i = 0; i < PRN_SHARING_HOSTS; i++)
		if (lot->ledger.hosts[i].number && lot->ledger.hosts[i].asked == lot->ledger.at)
			prn_ledger_ask(ledger, lot->ledger.hosts[i].number);
	ledger->thresholds[prn_ledger_place(ledger->slot)] = work->root->threshold;
	if (work->taken > 0)
		ledger->unmet = lot->unmet;
	return prn_ledger_put(ledger, work->root->batch, work->error);
}

static int give_back(struct work *work, struct prn_ledger *ledger)
{
	int code = work->pacing.paced ? settle_ledger(work, ledger) : 0;

	for (size_t i = 0; i < count_of(work) && !code; i++)
		if (work->asked[i].asked)
			code = prn_shard_index_put(work->root, i, work->asked[i].due, work->pacing.paced ? &work->asked[i].loads : NULL,
			                           work->error);
	return code ? code : prn_decider_commit_alone(work->root, work->error);
}

static int end(struct work *work, struct prn_ledger *ledger)
{
	unsigned tries = 0;
	int code;

	do
		code = give_back(work, ledger);
	while (prn_decider_again(work->root, code, &tries));
	if (code)
		prn_decider_abandon(work->root);
	return code;
}

/* When there may be more, of what was asked and of what the root knows of others. */
static int64_t next_due(const struct work *work)
{
	int64_t now = work->request->now, next = INT64_MAX;

	for (size_t i = 0; i < count_of(work); i++) {
		const struct prn_shard_entry *entry = &work->entries[i];
		int64_t due = work->asked[i].asked ? work->asked[i].due : entry->is_known ? entry->due : now;

		if (entry->is_made && due < next)
			next = due;
		/* Reports may have come that the root was not told of. */
		if (entry->is_made && !work->asked[i].asked && next > now)
			next = now + 1;
	}
	return next == INT64_MAX ? PRN_TIME_UNKNOWN : next < now ? now : next;
}

static void set_next(struct work *work, const struct prn_ledger *ledger)
{
	struct prn_due_list *list = work->list;
	int64_t room_time;
	bool spent = work->pacing.paced && list->count < work->request->limit && work->lot.room < 1 - 1e-9;

	list->next = list->count == work->request->limit ? work->request->now : next_due(work);
	for (size_t i = 0; i < count_of(work) && spent; i++)
		work->kept_back |= is_due(work, i);
	list->over_budget = spent && work->kept_back;
	if (spent && list->next != PRN_TIME_UNKNOWN && !prn_ledger_room(ledger, work->root->budget_per_day, &room_time))
		list->next = prn_time_later(list->next, room_time);
}

static int lease(struct work *work)
{
	struct prn_shards *shards = work->root->shards;
	struct prn_ledger ledger = { 0 };
	int code = prn_decider_commit(work->root, work->error), ended;

	if (!code)
		code = begin(work);
	if (code)
		return code;
	/* Programs that begin at a time begin in different places. */
	if (!shards->start)
		shards->start = 1 + ((size_t)getpid() * 31 + (size_t)work->request->now) % shards->count;
	work->start = work->next = (shards->start - 1) % shards->count;
	code = ask_all(work);
	shards->start = 1 + (goes_on(work) ? (work->start + 1) % shards->count : work->next);
	ended = end(work, &ledger);
	/* What was handed out is leased, whatever failed after it. */
	if (!work->list->count && (code || ended))
		return code ? code : ended;
	set_next(work, &ledger);
	return 0;
}

static int show(void *context, struct prn_decider *shard, struct prn_error *error)
{
	struct work *work = context;
	int64_t next = work->list->next;
	int code;

	work->error = error;
	if (work->list->count == work->request->limit)
		return 0;
	code = ask(work, shard->shard);
	if (next == PRN_TIME_UNKNOWN || (work->part.next != PRN_TIME_UNKNOWN && work->part.next < next))
		work->list->next = work->part.next;
	return code;
}

static int due_of_shards(struct prn_decider *root, const struct prn_due_request *request, struct prn_due_list *list,
                         struct prn_error *error)
{
	size_t count = root->shards->count;
	struct work work = { .root = root, .request = request, .list = list, .error = error, .lot = { .room = INFINITY } };
	int code = 0;

	list->count = list->text_length = 0;
	list->over_budget = false;
	list->unreadable = 0;
	list->next = PRN_TIME_UNKNOWN;
	prn_due_list_init(&work.part);
	work.entries = calloc(count, sizeof *work.entries);
	work.asked = calloc(count, sizeof *work.asked);
	if (!work.entries || !work.asked)
		code = prn_error_memory(error);
	else
		code = request->lease_s > 0 ? lease(&work) : prn_shards_each(root, show, &work, error);
	if (code)
		list->count = 0;
	finish_list(list);
	if (!code && list->count == request->limit)
		list->next = request->now;
	prn_due_list_release(&work.part);
	free(work.entries);
	free(work.asked);
	return code;
}

int prn_decider_due(struct prn_decider *decider, const struct prn_due_request *request, struct prn_due_list *list,
                    struct prn_error *error)
{
	int code;

	if (!decider->shards)
		return prn_due_of_one(decider, request, list, error);
	code = prn_due_check(decider, request, error);
	return code ? code : due_of_shards(decider, request, list, error);
}
