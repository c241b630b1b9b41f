#include "decide/shards_due.h"

#include "base/buffer.h"
#include "base/monotonic.h"
#include "base/parallel.h"
#include "decide/pacing.h"
#include "decide/shard_index.h"
#include "store/shards.h"
#include "store/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * How many shards each call asks, at most, although nothing is due there by their list: this number and a share of all.  Likewise
 * for lists.
 */
#define OTHERS_LEAST 64
#define OTHERS_SHARE 64 /* one in so many of all */
#define OTHER_LISTS_LEAST 8

/*
 * How long the answer of a shard counts that was asked, and not written to since by this process; and how long all shards are taken to have
 * nothing early.
 */
#define ANSWERED_S 60.0

/* How long a call may take over shards that do not answer; those that it did not come to are for the next call. */
#define SILENCE_S 10.0

#define TURNS 8  /* shards that are asked at a time where they are slow to reach */
#define FEWEST 16 /* the fewest pages that a shard is asked for, if so many are wanted: commits for fewer would cost more than the pages */

/* The result of asking a shard, or a list. */
struct asked {
	bool asked, kept_back; /* kept_back: something of it is due, and the budget has no room for it */
	bool damaged;          /* it could not be asked … */
	bool is_silent;        /* … because it did not answer, and may soon */
	bool for_giants;       /* it is asked only for pages that wait for giants */
	bool unchanged;        /* it was not asked, because its list knows the answer */
	struct prn_shard_found found;
	int64_t next; /* as found.due, unless a lease runs out before */
	struct prn_loads loads;
};

struct turn;

/* One call. */
struct work {
	struct prn_decider *root;
	const struct prn_due_request *request;
	struct prn_due_list *list; /* while it grows, its URLs are offsets into text */
	struct turn *turns;        /* [TURNS] */
	struct prn_pacing pacing;  /* of the root, as it began */
	struct prn_lot lot;
	double taken;              /* by the lot off the ledger */

	/* The list that is being asked. */
	struct prn_decider *index;
	size_t first_shard;
	size_t *looked_at;           /* [size] */
	size_t *places, first, last; /* the places of shards that wait to be asked: a ring of [2 size], from first to last */
	struct prn_shard_entry *entries; /* [size] */
	struct asked *asked;             /* [size] */
	uint64_t asker;                  /* prn_shard_index_asker */
	size_t start, next; /* where this call begins, and where another call will */
	size_t round_end, fair_limit; /* up to round_end each waiting shard has at most this limit … */
	double fair_room;             /* … and this much of the lot */

	/* Of several lists. */
	struct prn_shard_entry *lists; /* [list_count] */
	struct asked *asked_lists;     /* [list_count] */
	size_t others;                 /* how many shards may be asked although nothing is known to be due there */
	bool unasked;                  /* a list that was asked has shards that were not */

	struct prn_giant_look *giants; /* of a call that leases nothing */

	double silence_s; /* how long shards were waited for that did not answer */

	bool has_room; /* the budget has room in the end, and something that is due was kept back before */

	struct prn_error *error;
};

/* The number of shards of a list. */
static size_t size_of(const struct work *work)
{
	return work->root->shards->list_size;
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

static void finish_list(struct prn_due_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		list->items[i].url = list->text + (uintptr_t)list->items[i].url;
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, compare_due);
}

/* One of several shards that are asked at a time, with its part of the limit and of the lot. */
struct turn {
	size_t place, limit;
	struct prn_decider *shard;
	struct prn_lot lot;
	struct prn_due_list list;
	uint64_t pages; /* of the shard if they were counted, else PRN_SHARD_PAGES_UNKNOWN */
	struct prn_error error;
	int code;
};

static void ask_shard(const struct work *work, struct turn *turn)
{
	const struct prn_shard_found *before = &work->entries[turn->place].found;
	struct prn_due_request request = *work->request;
	struct prn_store_totals totals;
	bool same;

	request.limit = turn->limit;
	turn->pages = PRN_SHARD_PAGES_UNKNOWN;
	turn->code = prn_shards_get(work->root, work->first_shard + turn->place, false, &turn->shard, &turn->error);
	if (turn->code)
		return;
	turn->shard->lot = request.lease_s > 0 ? &turn->lot : NULL;
	turn->code = prn_due_of_one(turn->shard, &request, work->giants, &turn->list, &turn->error);
	turn->shard->lot = NULL;
	/* The index keeps the number of pages, for reports if the shard is lost.  It is not counted again if nothing was written since. */
	same = before->pages != PRN_SHARD_PAGES_UNKNOWN && turn->lot.version && turn->lot.version == before->version;
	if (!turn->code && request.lease_s > 0 && (turn->list.count || !same) && !prn_store_totals_one(turn->shard->store, &totals, NULL))
		turn->pages = totals.pages;
	prn_shards_done(turn->shard);
}

static int ask_one(void *context, size_t thread, size_t item, struct prn_error *error)
{
	struct work *work = context;

	(void)thread;
	(void)error;
	ask_shard(work, &work->turns[item]);
	return 0;
}

/* Takes back what is left of a shard's part of the lot. */
static void take_lot_back(struct work *work, const struct turn *turn)
{
	struct prn_lot *to = &work->lot;
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

static void keep_answer(const struct work *work, size_t place, const struct prn_shard_found *found)
{
	struct prn_shard_answer *answers = work->root->shards->answers;

	if (answers)
		answers[place] = (struct prn_shard_answer){ .at = prn_monotonic(), .now = work->request->now, .due = found->due, .next = found->next,
			                                    .threshold = work->root->threshold, .version = found->version };
}

/* When the first lease of a shard runs out, including those that it has handed out now. */
static int64_t lease_end(const struct turn *turn)
{
	int64_t end = turn->lot.lease_end;

	for (size_t i = 0; i < turn->list.count; i++)
		end = turn->list.items[i].lease < end ? turn->list.items[i].lease : end;
	return end;
}

static int take_turn(struct work *work, const struct turn *turn)
{
	struct asked *asked = &work->asked[turn->place];
	const struct prn_due_list *part = &turn->list;
	bool leasing = work->request->lease_s > 0;
	int64_t end;
	int code = 0;

	work->next = (turn->place + 1) % size_of(work);
	/* A shard that is lost, or does not answer, stops nothing: it is reported, and asked again with the next call. */
	if (prn_shards_is_lost(turn->code) || prn_shards_is_silent(work->root, turn->code)) {
		if (!work->list->damaged_shards++)
			work->list->first_damaged = turn->error;
		*asked = (struct asked){ .asked = true, .damaged = true, .is_silent = turn->code == PRN_E_BUSY, .next = work->request->now };
		return 0;
	}
	if (turn->code) {
		*work->error = turn->error;
		return turn->code;
	}
	take_lot_back(work, turn);
	if (!work->list->unreadable)
		work->list->first_unreadable = part->first_unreadable;
	work->list->unreadable += part->unreadable;
	asked->asked = true;
	asked->unchanged = false;
	asked->next = part->next == PRN_TIME_UNKNOWN ? INT64_MAX : part->next;
	asked->loads = turn->lot.loads;
	asked->kept_back = turn->lot.kept_back;
	if (asked->kept_back)
		asked->next = work->request->now;
	end = leasing ? lease_end(turn) : INT64_MAX;
	asked->found = (struct prn_shard_found){ .due = asked->next < end ? asked->next : end, .next = asked->next,
		                                 .pages = turn->pages, .now = work->request->now, .threshold = work->root->threshold, .asker = work->asker,
		                                 .version = turn->lot.version, .giants_wait = turn->lot.giants_wait };
	if (leasing)
		keep_answer(work, turn->place, &asked->found);
	for (size_t i = 0; i < part->count && !code; i++)
		code = append(work, &part->items[i]);
	return code;
}

static bool goes_on(const struct work *work)
{
	/* A sum of shares is not quite one. */
	return work->list->count < work->request->limit && work->lot.room >= 1 - 1e-9 && work->silence_s < SILENCE_S;
}

/* Sets each waiting shard's part of the limit and of the lot, until all of them were asked. */
static void begin_round(struct work *work)
{
	size_t left = work->request->limit - work->list->count, waiting = work->last - work->first;
	size_t fair = (left + waiting - 1) / waiting;

	work->round_end = work->last;
	work->fair_limit = fair > FEWEST ? fair : FEWEST;
	/* In bytes it is not known what pages will cost. */
	work->fair_room = work->root->costs.unit == PRN_UNIT_VISITS ? fmax(work->lot.room / (double)waiting, FEWEST) : INFINITY;
}

/*
 * Limit and lot are shared out evenly, as far as that is worth the commits, so that pages come from many shards, and so of many
 * hosts, whichever was asked first.
 */
static void share_out(struct work *work, size_t count)
{
	size_t left = work->request->limit - work->list->count;

	if (work->first >= work->round_end)
		begin_round(work);
	for (size_t i = 0; i < count; i++) {
		struct turn *turn = &work->turns[i];

		turn->place = work->places[(work->first + i) % (2 * size_of(work))];
		turn->limit = left / count + (i < left % count);
		turn->limit = turn->limit < work->fair_limit ? turn->limit : work->fair_limit;
		turn->code = 0;
		turn->lot = work->lot;
		turn->lot.room = fmin(work->lot.room / (double)count, work->fair_room);
		turn->lot.spent = turn->lot.unmet = turn->lot.early = 0;
		turn->lot.settled = (struct prn_settled){ 0 };
		turn->lot.kept_back = turn->lot.giants_wait = false;
		turn->lot.version = 0;
		turn->lot.lease_end = INT64_MAX;
	}
}

/* Asks the first waiting shards, and puts those that may have more behind the others. */
static int ask_some(struct work *work)
{
	size_t left = work->request->limit - work->list->count, waiting = work->last - work->first;
	size_t count = prn_store_is_shared(work->root->store) ? TURNS : 1;
	bool is_silent = false;
	double began, took;
	int code = 0;

	/* Each shard that is asked must have room for a page. */
	count = waiting < count ? waiting : count;
	count = left < count ? left : count;
	count = work->lot.room < (double)count ? (size_t)work->lot.room : count;
	count = count ? count : 1;
	share_out(work, count);
	work->first += count;
	began = prn_monotonic();
	prn_parallel_for(count, count, ask_one, work, NULL);
	took = prn_monotonic() - began;
	for (size_t i = 0; i < count; i++) {
		const struct turn *turn = &work->turns[i];
		bool has_more = turn->list.count && (turn->list.count == turn->limit || turn->lot.kept_back);
		int taken = take_turn(work, turn);

		code = code ? code : taken;
		is_silent |= turn->code == PRN_E_BUSY;
		if (!taken && !turn->code && has_more)
			work->places[work->last++ % (2 * size_of(work))] = turn->place;
	}
	work->silence_s += is_silent ? took : 0;
	return code;
}

/*
 * When the first giant may be asked, by its gate as it was last read, among those with a part in the shard at a place of a list, or, in the
 * list of lists, among all; INT64_MAX: no pages wait for giants there.
 */
static int64_t giants_open(const struct work *work, const struct prn_shard_entry *entries, size_t place)
{
	struct prn_shards *shards = work->root->shards;
	int64_t opens = INT64_MAX;
	size_t part;

	if (!entries[place].found.giants_wait)
		return opens;
	pthread_mutex_lock(&shards->gates);
	for (size_t i = 0; i < shards->giant_count; i++) {
		const struct prn_giant *giant = &shards->giants[i];
		const struct prn_host_name name = { giant->name, strlen(giant->name) };
		const struct prn_giant_wish wish = { .settings = prn_host_settings_find(&work->root->options, name), .share = &work->lot.share,
			                             .now = work->request->now, .leased_from = prn_lease_clock_time(&work->lot.clock) };
		int64_t time;

		if (entries == work->entries && !prn_giant_has(giant, work->first_shard + place, shards->count, &part))
			continue;
		time = prn_giant_opens(&giant->gate, &wish);
		opens = time < opens ? time : opens;
	}
	pthread_mutex_unlock(&shards->gates);
	return opens;
}

static bool is_due(const struct work *work, const struct prn_shard_entry *entries, const struct asked *asked, size_t place)
{
	const struct prn_shard_entry *entry = &entries[place];

	return entry->is_made && !asked[place].asked &&
	       (!entry->is_known || entry->found.due <= work->request->now || giants_open(work, entries, place) <= work->request->now);
}

/* Whether this process asked the shard within a minute, by its clock and by the times of calls, and it had nothing more. */
static bool has_answered(const struct work *work, size_t place)
{
	const struct prn_shard_answer *answers = work->root->shards->answers, *answer = answers ? &answers[place] : NULL;
	int64_t now = work->request->now;

	return answer && answer->at > 0 && prn_monotonic() - answer->at < ANSWERED_S && answer->now <= now &&
	       (double)now - (double)answer->now < ANSWERED_S && answer->due > now &&
	       fabs(answer->threshold - work->root->threshold) <= 0;
}

/* Whether that is still so without asking: nobody else writes to the store. */
static bool needs_no_look(const struct work *work, size_t place)
{
	return !prn_store_is_shared(work->root->store) && has_answered(work, place);
}

/* Skips shards that only wait for giants, if others have taken the room of these. */
static void skip_closed(struct work *work)
{
	size_t kept = work->first;

	for (size_t i = work->first; i < work->last; i++) {
		size_t place = work->places[i % (2 * size_of(work))];

		if (!work->asked[place].for_giants || giants_open(work, work->entries, place) <= work->request->now)
			work->places[kept++ % (2 * size_of(work))] = place;
	}
	work->last = kept;
	work->round_end = work->round_end < kept ? work->round_end : kept;
}

static int ask_waiting(struct work *work)
{
	int code = 0;

	while (!code && goes_on(work) && work->first < work->last) {
		code = ask_some(work);
		if (work->root->shards->giant_count)
			skip_closed(work);
	}
	return code;
}

/*
 * Whether nothing was written to the shard since its list noted, or this process was told, that nothing is due there yet.  Writes what
 * was found to *found.
 */
static bool is_unchanged(const struct work *work, size_t place, struct prn_shard_found *found)
{
	const struct prn_shard_entry *entry = &work->entries[place];
	const struct prn_shard_answer *answer = work->root->shards->answers ? &work->root->shards->answers[place] : NULL;
	int64_t now = work->request->now;
	bool answered = has_answered(work, place) && answer->version;
	bool listed = entry->is_known && entry->found.version && entry->found.asker == work->asker && entry->found.due > now &&
	              entry->found.now <= now && entry->found.threshold <= work->root->threshold;
	uint64_t version = 0;

	*found = entry->found;
	if (!answered && !listed)
		return false;
	if (prn_shard_version(work->root->store, work->first_shard + place, &version, NULL))
		return false;
	if (listed && version == found->version)
		return true;
	if (answered)
		*found = (struct prn_shard_found){ .due = answer->due, .next = answer->next, .pages = found->pages, .version = answer->version,
			                           .giants_wait = found->giants_wait };
	return answered && version == answer->version;
}

static int look_at_one(void *context, size_t thread, size_t item, struct prn_error *error)
{
	struct work *work = context;
	size_t place = work->looked_at[item];

	(void)thread;
	(void)error;
	work->asked[place].unchanged = is_unchanged(work, place, &work->asked[place].found);
	return 0;
}

/*
 * Asks at most *most of the shards that were not asked so far, though nothing is known to be due there.  A shard that is unchanged counts
 * as asked, with the answer that is known.
 */
static int ask_others(struct work *work, size_t *most, bool all)
{
	size_t count = size_of(work), looked_at = 0;

	for (size_t i = 0; i < count && *most && goes_on(work); i++) {
		size_t place = (work->start + i) % count;

		if (!work->entries[place].is_made || work->asked[place].asked || (all && needs_no_look(work, place)))
			continue;
		work->looked_at[looked_at++] = place;
		--*most;
	}
	prn_parallel_for(looked_at, TURNS, look_at_one, work, NULL);
	for (size_t i = 0; i < looked_at; i++) {
		size_t place = work->looked_at[i];
		struct asked *asked = &work->asked[place];

		if (!asked->unchanged) {
			work->places[work->last++ % (2 * count)] = place;
			continue;
		}
		asked->asked = true;
		asked->next = asked->found.next;
		asked->loads = work->entries[place].loads;
		keep_answer(work, place, &asked->found);
	}
	return ask_waiting(work);
}

/*
 * Asks the first shard in any case, so that each has its turn, whatever the list knows; then those that have something due by the
 * list, and some others; and if there is only one list and none of these had anything, all.
 */
static int ask_shards(struct work *work)
{
	size_t count = size_of(work), first = 0, all = count;
	int code;

	while (first < count && !work->entries[(work->start + first) % count].is_made)
		first++;
	if (first == count)
		return 0;
	work->places[work->last++] = (work->start + first) % count;
	for (size_t i = first + 1; i < count; i++) {
		size_t place = (work->start + i) % count;
		const struct prn_shard_entry *entry = &work->entries[place];

		if (!is_due(work, work->entries, work->asked, place))
			continue;
		work->asked[place].for_giants = entry->is_known && entry->found.due > work->request->now;
		work->places[work->last++] = place;
	}
	code = ask_some(work);
	if (!code)
		code = ask_waiting(work);
	if (!code)
		code = ask_others(work, &work->others, false);
	if (!code && !work->list->count && work->root->shards->list_count == 1)
		code = ask_others(work, &all, true);
	return code;
}

/* When the next page of a shard, or of a list, becomes due, by its answer or else by its entry; INT64_MAX: none does. */
static int64_t due_next(const struct work *work, const struct prn_shard_entry *entries, const struct asked *asked, size_t place)
{
	const struct prn_shard_found *found = &entries[place].found;

	if (!entries[place].is_made || asked[place].damaged)
		return INT64_MAX;
	return asked[place].asked ? asked[place].next : entries == work->lists ? found->due : found->next;
}

/*
 * What the budget has left when all that is known to be due was given is for pages before their time (due.c).  The shards whose
 * next pages become due soonest are asked, a few with each call.
 */
static int ask_early(struct work *work)
{
	size_t count = size_of(work);

	work->first = work->last = work->round_end = 0;
	for (size_t i = 0; i < count; i++) {
		int64_t next = due_next(work, work->entries, work->asked, i);
		size_t at = work->last;

		if (next == INT64_MAX)
			continue;
		for (; at && next < due_next(work, work->entries, work->asked, work->places[at - 1]); at--)
			if (at < TURNS)
				work->places[at] = work->places[at - 1];
		if (at < TURNS)
			work->places[at] = i;
		work->last += work->last < TURNS;
	}
	work->lot.gives_early = true;
	return ask_waiting(work);
}

/* The lot is spent in the ledger, durably, before any of it is handed out. */
static int take_lot(struct work *work)
{
	struct prn_decider *root = work->root;
	struct prn_store_reader reader = prn_decider_reader(root);
	struct prn_lease_clock before;
	bool several = root->shards->list_count > 1;
	struct prn_shard_entry *entries = several ? work->lists : work->entries;
	size_t count = several ? root->shards->list_count : size_of(work);
	int code = prn_shard_index_read(root, entries, count, work->error);

	if (!code && root->budget_per_day > 0)
		code = prn_shard_index_sum(root, entries, count, work->error);
	if (!code)
		code = prn_pacing_begin(&work->pacing, root, work->request->limit, work->request->now, work->error);
	if (!code)
		code = prn_lease_clock_read(&work->lot.clock, &before, root, &reader, work->request->now, work->error);
	if (!code)
		code = prn_giants_look(root, work->error);
	if (code)
		return code;
	work->lot.room = work->pacing.room;
	work->lot.share = work->pacing.share;
	if (!work->pacing.paced)
		return 0;
	/* In bytes it is not known what pages will cost, so all of the room is taken. */
	if (root->costs.unit == PRN_UNIT_VISITS)
		work->lot.room = fmin(work->lot.room, (double)work->request->limit);
	work->taken = work->lot.room;
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

/* Stages the hosts that were asked, settled amounts and the rest of the lot in the ledger, which others may have written since. */
static int settle_ledger(struct work *work, struct prn_ledger *ledger)
{
	struct prn_store_reader reader = prn_decider_reader(work->root);
	const struct prn_lot *lot = &work->lot;
	int code = prn_ledger_read(ledger, work->root->budget_per_day, &reader, work->error);

	if (code)
		return code;
	prn_ledger_advance(ledger, work->root->budget_per_day, work->request->now);
	prn_ledger_spend(ledger, lot->spent - work->taken);
	prn_ledger_learn(ledger, work->root->budget_per_day, work->pacing.pages_days, lot->early, ledger->at);
	prn_ledger_add_settled(ledger, work->root->budget_per_day, &lot->settled);
	prn_ledger_add_settled(ledger, work->root->budget_per_day, &work->root->shards->owed);
	for (size_t i = 0; i < PRN_SHARING_HOSTS; i++)
		if (lot->ledger.hosts[i].number && lot->ledger.hosts[i].asked == lot->ledger.at)
			prn_ledger_ask(ledger, lot->ledger.hosts[i].number);
	ledger->slots[prn_ledger_place(ledger->slot)].threshold = work->root->threshold;
	if (work->taken > 0) {
		ledger->unmet = lot->unmet;
		ledger->spare = goes_on(work) ? prn_ledger_spare(ledger, work->root->budget_per_day) : 0;
	}
	return prn_ledger_put(ledger, work->root->batch, work->error);
}

/* Stages the answers of the shards, or lists, that were asked in their list, or in the list of lists. */
static int put_asked(struct work *work, struct prn_decider *index, const struct asked *asked, size_t count)
{
	int code = 0;

	for (size_t i = 0; i < count && !code; i++)
		if (asked[i].asked && !asked[i].damaged && !asked[i].unchanged)
			code = prn_shard_index_put(index, i, &asked[i].found, work->pacing.paced ? &asked[i].loads : NULL, work->error);
	return code;
}

static int give_back(struct work *work, struct prn_ledger *ledger)
{
	struct prn_store_reader reader = prn_decider_reader(work->root);
	struct prn_lease_clock clock, before;
	const struct prn_shards *shards = work->root->shards;
	int code = work->pacing.paced ? settle_ledger(work, ledger) : 0;

	if (!code)
		code = prn_lease_clock_read(&clock, &before, work->root, &reader, work->request->now, work->error);
	if (!code)
		code = prn_lease_clock_put(&clock, &before, work->list->count > 0, work->root->batch, work->error);
	if (!code && shards->list_count > 1)
		code = put_asked(work, work->root, work->asked_lists, shards->list_count);
	else if (!code)
		code = put_asked(work, work->root, work->asked, shards->list_size);
	return code ? code : prn_decider_commit_alone(work->root, work->error);
}

/* If the ledger could not be written, settled amounts are owed to it, and so is what is left of the lot, or was spent beyond it. */
static void keep_settled(struct work *work)
{
	struct prn_settled settled = work->lot.settled;
	double left = work->taken - work->lot.spent;

	if (!work->pacing.paced)
		return;
	settled.returned += fmax(0, left);
	settled.beyond += fmax(0, -left);
	prn_shards_owe(work->root, &settled);
}

static int end(struct work *work, struct prn_ledger *ledger)
{
	unsigned tries = 0;
	int code;

	do
		code = give_back(work, ledger);
	while (prn_decider_again(work->root, code, &tries));
	if (code) {
		prn_decider_abandon(work->root);
		keep_settled(work);
	} else if (work->pacing.paced)
		work->root->shards->owed = (struct prn_settled){ 0 };
	return code;
}

/* When there may be more to hand out, by the answers of shards that were asked, and by the entries of others; INT64_MAX: never. */
static int64_t next_due(const struct work *work, const struct prn_shard_entry *entries, const struct asked *asked,
                        size_t count)
{
	int64_t now = work->request->now, next = INT64_MAX;

	for (size_t i = 0; i < count; i++) {
		int64_t due = entries[i].is_known ? entries[i].found.due : now, opens = giants_open(work, entries, i);

		if (asked[i].asked)
			due = asked[i].next;
		else if (entries == work->entries && has_answered(work, i))
			due = work->root->shards->answers[i].next;
		due = (!asked[i].asked || asked[i].unchanged) && opens < due ? opens : due;
		if (entries[i].is_made && (!asked[i].damaged || asked[i].is_silent) && due < next)
			next = due;
	}
	return next;
}

/* When there is something to hand out in the list that was asked, including leases that run out. */
static int64_t first_due(const struct work *work)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < size_of(work); i++) {
		int64_t due = work->asked[i].asked ? work->asked[i].found.due : work->entries[i].found.due;

		if (work->entries[i].is_made && !work->asked[i].damaged && due < first)
			first = due;
	}
	return first;
}

static bool has_unasked(const struct work *work, const struct prn_shard_entry *entries, const struct asked *asked, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (entries[i].is_made && !asked[i].asked && !(entries == work->entries && needs_no_look(work, i)))
			return true;
	return false;
}

static bool is_kept_back(const struct work *work, const struct prn_shard_entry *entries, const struct asked *asked,
                         size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (asked[i].kept_back || is_due(work, entries, asked, i))
			return true;
	return false;
}

static void set_next(struct work *work, const struct prn_ledger *ledger)
{
	const struct prn_shards *shards = work->root->shards;
	bool several = shards->list_count > 1;
	const struct prn_shard_entry *entries = several ? work->lists : work->entries;
	const struct asked *asked = several ? work->asked_lists : work->asked;
	size_t count = several ? shards->list_count : shards->list_size;
	struct prn_due_list *list = work->list;
	int64_t now = work->request->now, next = next_due(work, entries, asked, count), room_time;
	bool spent = work->pacing.paced && list->count < work->request->limit && work->lot.room < 1 - 1e-9;

	/* Reports may have come that no list knows of, so where not all shards were asked there may be something soon. */
	if (next <= now || work->unasked || has_unasked(work, entries, asked, count))
		next = prn_time_after(now, 1);
	list->next = list->count == work->request->limit ? now : next == INT64_MAX ? PRN_TIME_UNKNOWN : next;
	list->over_budget = spent && is_kept_back(work, entries, asked, count);
	if (!spent || list->next == PRN_TIME_UNKNOWN)
		return;
	if (!prn_ledger_room(ledger, work->root->budget_per_day, &room_time))
		list->next = prn_time_later(list->next, room_time);
	else
		work->has_room = list->over_budget;
}

/* Reads the entries of a list, at one moment. */
static int begin_list(struct work *work)
{
	unsigned tries = 0;
	int code;

	do {
		code = prn_shards_take_price(work->index, work->error);
		if (!code)
			code = prn_shard_index_read(work->index, work->entries, size_of(work), work->error);
		if (!code && work->pacing.paced)
			code = prn_shard_index_sum(work->index, work->entries, size_of(work), work->error);
	} while (prn_decider_again(work->index, code, &tries));
	if (code)
		prn_decider_abandon(work->index);
	return code;
}

/* Commits the answers of a list's shards, and sums them up in *found. */
static int end_list(struct work *work, struct asked *found)
{
	struct prn_store_reader reader = prn_decider_reader(work->index);
	unsigned tries = 0;
	int code;

	do {
		code = put_asked(work, work->index, work->asked, size_of(work));
		if (!code && work->pacing.paced)
			code = prn_loads_read(work->index, &reader, &found->loads, work->error);
		if (!code)
			code = prn_decider_commit_alone(work->index, work->error);
	} while (prn_decider_again(work->index, code, &tries));
	if (code)
		prn_decider_abandon(work->index);
	found->asked = true;
	found->found = (struct prn_shard_found){ .due = first_due(work), .pages = PRN_SHARD_PAGES_UNKNOWN };
	for (size_t i = 0; i < size_of(work); i++)
		found->found.giants_wait |= work->asked[i].asked ? work->asked[i].found.giants_wait : work->entries[i].found.giants_wait;
	found->next = next_due(work, work->entries, work->asked, size_of(work));
	found->kept_back = is_kept_back(work, work->entries, work->asked, size_of(work));
	work->unasked |= has_unasked(work, work->entries, work->asked, size_of(work));
	return code;
}

static int ask_list(struct work *work, size_t list, int (*ask)(struct work *))
{
	struct prn_shards *shards = work->root->shards;
	int code = prn_shards_list_of(work->root, list, &work->index, work->error), ended;

	if (!code) {
		memset(work->asked, 0, size_of(work) * sizeof *work->asked);
		work->first_shard = list * size_of(work);
		work->first = work->last = work->round_end = 0;
		work->next = work->start;
		code = begin_list(work);
	}
	if (code)
		return code;
	code = ask(work);
	ended = end_list(work, &work->asked_lists[list]);
	shards->start = 1 + (goes_on(work) ? work->start : work->next);
	return code ? code : ended;
}

/* Asks lists as ask_shards asks shards: the first, those that have something due, and some others. */
static int ask_lists(struct work *work)
{
	struct prn_shards *shards = work->root->shards;
	size_t count = shards->list_count, start = (shards->start_list - 1) % count, others = OTHER_LISTS_LEAST + count / OTHERS_SHARE, last = start;
	int code = 0;

	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < count && !code && (!round || goes_on(work)); i++) {
			size_t list = (start + i) % count;

			if (!work->lists[list].is_made || work->asked_lists[list].asked ||
			    (round == 1 && !is_due(work, work->lists, work->asked_lists, list)) || (round == 2 && !others))
				continue;
			others -= round == 2;
			last = list;
			code = ask_list(work, list, ask_shards);
			if (!round)
				break;
		}
	/* When nothing more is due, each list is begun once at each place. */
	if (goes_on(work) && start + 1 == count)
		shards->start = 1 + (work->start + 1) % size_of(work);
	shards->start_list = 1 + (goes_on(work) ? start + 1 : last) % count;
	return code;
}

/* Asks, of several lists, the one with the shard whose next page becomes due soonest. */
static int ask_list_early(struct work *work)
{
	struct prn_shards *shards = work->root->shards;
	int64_t soonest = INT64_MAX;
	size_t start = shards->start, list = 0;
	int code = 0;

	for (size_t i = 0; i < shards->list_count; i++) {
		int64_t next = due_next(work, work->lists, work->asked_lists, i);

		list = next < soonest ? i : list;
		soonest = next < soonest ? next : soonest;
	}
	if (soonest < INT64_MAX)
		code = ask_list(work, list, ask_early);
	shards->start = start;
	return code;
}

static int give_early(struct work *work)
{
	struct prn_shards *shards = work->root->shards;
	int64_t nothing = shards->nothing_early, now = work->request->now;
	bool known_to_have_none = nothing != PRN_TIME_UNKNOWN && nothing <= now && (double)now - (double)nothing < ANSWERED_S;
	size_t before = work->list->count;
	int code;

	if (!work->pacing.paced || !goes_on(work) || known_to_have_none)
		return 0;
	code = shards->list_count > 1 ? ask_list_early(work) : ask_early(work);
	shards->nothing_early = work->list->count == before ? work->request->now : PRN_TIME_UNKNOWN;
	return code;
}

static int lease(struct work *work)
{
	struct prn_shards *shards = work->root->shards;
	struct prn_ledger ledger = { 0 };
	int code = prn_decider_commit_all(work->root, work->error), ended;

	if (!code)
		code = begin(work);
	if (code)
		return code;
	/* Processes that begin at the same time begin at different places. */
	if (!shards->start) {
		shards->start = 1 + ((size_t)getpid() * 31 + (size_t)work->request->now) % shards->list_size;
		shards->start_list = 1 + ((size_t)getpid() * 37 + (size_t)work->request->now) % shards->list_count;
	}
	work->start = work->next = (shards->start - 1) % shards->list_size;
	if (shards->list_count > 1) {
		code = ask_lists(work);
	} else {
		code = ask_shards(work);
		shards->start = 1 + work->next;
	}
	if (!code)
		code = give_early(work);
	ended = end(work, &ledger);
	/* Pages that were handed out are leased, so they are returned whatever failed afterwards. */
	if (!work->list->count && (code || ended))
		return code ? code : ended;
	set_next(work, &ledger);
	return 0;
}

static int show(void *context, size_t place, struct prn_error *error)
{
	struct work *work = context;
	struct turn *turn = work->turns;
	int64_t next = work->list->next;
	int code;

	(void)error;
	if (work->list->count == work->request->limit)
		return 0;
	work->first_shard = place - place % size_of(work);
	*turn = (struct turn){
		.place = place % size_of(work), .limit = work->request->limit - work->list->count, .list = turn->list};
	ask_shard(work, turn);
	code = take_turn(work, turn);
	if (!turn->code && (next == PRN_TIME_UNKNOWN || (turn->list.next != PRN_TIME_UNKNOWN && turn->list.next < next)))
		work->list->next = turn->list.next;
	return code;
}

/* Amounts that were settled in the shards that were asked may have made room: then they are asked once more. */
static int lease_what_there_is(struct work *work)
{
	int code = lease(work);

	if (code || work->list->count || !work->has_room)
		return code;
	memset(work->asked, 0, size_of(work) * sizeof *work->asked);
	memset(work->asked_lists, 0, work->root->shards->list_count * sizeof *work->asked_lists);
	work->first = work->last = work->round_end = 0;
	work->lot = (struct prn_lot){.room = INFINITY};
	work->taken = 0;
	work->unasked = work->has_room = false;
	work->list->damaged_shards = 0;
	return lease(work);
}

static int due_of_shards(struct prn_decider *root, const struct prn_due_request *request, struct prn_due_list *list,
                         struct prn_error *error)
{
	size_t size = root->shards->list_size, lists = root->shards->list_count;
	struct prn_error none;
	struct work work = {.root = root, .request = request, .list = list, .error = error ? error : &none, .lot = {.room = INFINITY},
	                    .others = OTHERS_LEAST + size / OTHERS_SHARE, .asker = prn_shard_index_asker(root)};
	int code = 0;

	list->count = list->text_length = 0;
	list->over_budget = false;
	list->unreadable = list->damaged_shards = 0;
	list->next = PRN_TIME_UNKNOWN;
	work.turns = calloc(TURNS, sizeof *work.turns);
	work.places = calloc(2 * size, sizeof *work.places);
	work.looked_at = calloc(size, sizeof *work.looked_at);
	work.entries = calloc(size, sizeof *work.entries);
	work.asked = calloc(size, sizeof *work.asked);
	work.lists = calloc(lists, sizeof *work.lists);
	work.asked_lists = calloc(lists, sizeof *work.asked_lists);
	work.giants = request->lease_s > 0 ? NULL : calloc(root->shards->giant_count + 1, sizeof *work.giants);
	if ((!work.giants && !(request->lease_s > 0)) || !work.turns || !work.looked_at || !work.places || !work.entries || !work.asked || !work.lists || !work.asked_lists)
		code = prn_error_memory(error);
	else
		code = request->lease_s > 0 ? lease_what_there_is(&work) : prn_shards_each_made(root, show, &work, work.error);
	if (code)
		list->count = 0;
	finish_list(list);
	if (!code && list->count == request->limit)
		list->next = request->now;
	for (size_t i = 0; work.turns && i < TURNS; i++)
		prn_due_list_release(&work.turns[i].list);
	for (size_t i = 0; work.giants && i < root->shards->giant_count; i++)
		prn_giant_gate_release(&work.giants[i].gate);
	free(work.giants);
	free(work.turns);
	free(work.looked_at);
	free(work.places);
	free(work.entries);
	free(work.asked);
	free(work.lists);
	free(work.asked_lists);
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
