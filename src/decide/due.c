#include "perennial/due.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "decide/candidates.h"
#include "decide/decider_internal.h"
#include "decide/gate_messages.h"
#include "decide/gates.h"
#include "decide/lease_clock.h"
#include "decide/loads.h"
#include "decide/pacing.h"
#include "decide/shards_due.h"
#include "decide/side_validators.h"
#include "decide/turns.h"
#include "decide/unreadable.h"
#include "decide/wants.h"
#include "decide/worth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLICE_FACTOR 4
#define SLICE_LEAST 1000
#define SLICE_MOST ((size_t)1 << 20)
#define SLICES 16
#define LOOK_LEASE_S 3600.0 /* the lease that a call without one assumes, so that it shows what hosts have room for */
#define FEWEST_OF_A_HOST 4 /* pages that wait for a host and are considered at a time, at least */

/* The share of the threshold that applies to pages that are given before their time. */
#define EARLY 0.25

/* How many pages are considered for each that the budget has room for, and how many at least. */
#define EARLY_EACH 8
#define EARLY_LEAST 64

/* A page is postponed only if its period grew by more than this share, because stored states are rounded. */
#define POSTPONED 0.01

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

/* A page that was read from a queue, but not yet its record. */
struct queued_page {
	struct prn_queued at;
	bool known; /* the queue entry has its worth */
	struct prn_worth worth;
};

/* One call. */
struct work {
	struct prn_decider *decider;
	struct prn_entry *entry; /* the page in hand */
	struct prn_store_reader reader;  /* the batch when leasing, else the view */
	struct prn_view *view;
	struct prn_gates gates;
	struct prn_lease_clock clock, clock_before; /* of leases; clock_before: the stored one */
	struct prn_costs costs; /* of a call without lease: those of its view */
	struct prn_turns turns;
	struct prn_pacing pacing;
	const struct prn_due_request *request;
	double unmet;   /* the cost of pages that were due when the budget had no room left */
	bool kept_back; /* something is due, and the budget has no room for it */
	bool more;      /* there may be more due than was considered */
	struct prn_queued after; /* the first page that is not yet due; its time is INT64_MAX if there was none */
	double early;   /* the cost of pages that were given before their time */
	unsigned looks; /* how many looks were in vain (prn_decider_look) */
	struct prn_giant_look *giants; /* of a caller that looks at several shards, or NULL */
	struct prn_due_list *list;
	struct prn_unreadable unreadable;
	double threshold;
	double round_days; /* prn_loads_round */
	struct prn_candidates slice; /* up to slice_room pages that wait for hosts, and as many that do not */
	size_t slice_room;
	struct queued_page *queued; /* [ahead]: queue entries that are read before their records */
	size_t ahead;               /* 1 where records are quick to read */
	bool by_worth;              /* the worth in a queue entry gives the page's value */
	struct prn_wants wants;
	int64_t next; /* the earliest known time at which something else is due; PRN_TIME_UNKNOWN: none */
	struct prn_error *error;
};

static void note_next(struct work *work, int64_t time)
{
	/* A turn that has come belongs to a host that could not use it: it is looked at again with the next call. */
	if (time != PRN_TIME_UNKNOWN && time <= work->request->now)
		time = work->request->now + 1;
	if (time != PRN_TIME_UNKNOWN && (work->next == PRN_TIME_UNKNOWN || time < work->next))
		work->next = time;
}

static bool is_leasing(const struct work *work)
{
	return work->request->lease_s > 0;
}

static double expected_cost(struct work *work)
{
	struct prn_entry *entry = work->entry;
	struct prn_page_cost known = entry->state.cost;
	double cost;

	prn_cost_guess(entry->costs, &entry->state, work->pacing.ledger.answer_bytes);
	cost = prn_cost_expected(entry->costs, &entry->state);
	entry->state.cost = known;
	return cost;
}

static struct prn_candidate candidate_in_hand(struct work *work)
{
	struct prn_entry *entry = work->entry;

	return (struct prn_candidate){ .owed = entry->state.visits && entry->state.reason < PRN_NEXT_MAXIMUM,
		                       .value = prn_decider_value(work->decider, entry, work->threshold, work->round_days, work->request->now),
		                       .cost = expected_cost(work), .due = entry->due, .key = entry->key };
}

/*
 * Returns 1 if the page in hand is due; 0: it is postponed, because its policy, asked now, would set its next visit clearly
 * after now.
 */
static int consider(struct work *work, struct prn_candidate *candidate)
{
	struct prn_entry *entry = work->entry;
	enum prn_next reason;
	int64_t next;

	if (!prn_decider_next(work->decider, entry, work->threshold, &next, &reason) ||
	    (double)next - (double)work->request->now <= POSTPONED * ((double)next - (double)entry->state.visited)) {
		*candidate = candidate_in_hand(work);
		return 1;
	}
	note_next(work, next);
	if (!is_leasing(work))
		return 0;
	entry->due = next;
	entry->state.reason = reason;
	return prn_entry_put(entry, work->decider->batch, work->error);
}

/* Likewise for a page of the queue, which may wait for a host (0: for none); 0 also if it is no longer due. */
static int consider_queued(struct work *work, const struct prn_queued *queued, uint64_t host, struct prn_candidate *candidate)
{
	const struct prn_queue_reading reading = { work->decider, work->reader, work->request->now, &work->unreadable };
	const struct prn_place place = { .queued = true, .queue = host ? PRN_QUEUE_WAITING : PRN_QUEUE_DUE,
		                         .time = queued->time, .host = host };
	int got = prn_queued_read(&reading, &place, &queued->key, work->entry, work->error);

	return got == 1 ? consider(work, candidate) : got;
}

/*
 * Puts a page into the slice, unless it is no longer due.  If its queue entry has its worth, its record is read only when the
 * page is to be handed out.
 */
static int take_page(struct work *work, const struct queued_page *page, uint64_t host)
{
	struct prn_candidate candidate = { .unread = true, .host = host, .cost = 1, .due = page->at.time, .key = page->at.key };
	int got = 1;

	if (page->known)
		candidate.value = prn_worth_value(&page->worth, work->threshold, work->round_days, work->request->now);
	else
		got = consider_queued(work, &page->at, host, &candidate);
	if (got == 1)
		prn_candidates_add(&work->slice, &candidate);
	return got < 0 ? got : 0;
}

static void know_worth(const struct work *work, struct queued_page *page, struct prn_bytes beside)
{
	page->known = work->by_worth && prn_worth_read(work->decider->policy, beside, &page->worth);
}

/*
 * Reads at most `most` of the pages that are due next, up to the time until, and has their records fetched.  Returns 1 if there
 * may be more.
 */
static int read_queue(struct work *work, struct prn_walk *walk, int64_t until, size_t most, size_t *count)
{
	int got = 1, code = 0;

	for (*count = 0; *count < most && !code; ++*count) {
		struct queued_page *page = &work->queued[*count];
		struct prn_bytes beside;

		got = prn_walk_queue_worth(walk, &page->at, &beside, work->error);
		if (got == 1 && page->at.time > until) {
			note_next(work, page->at.time);
			work->after = page->at;
			got = 0;
		}
		if (got != 1)
			break;
		know_worth(work, page, beside);
		if (work->ahead > 1 && !page->known && prn_wants_page(&work->wants, &page->at.key, false))
			code = prn_error_memory(work->error);
	}
	if (got >= 0 && !code && work->ahead > 1)
		code = prn_wants_ask(&work->wants, work->decider, work->error);
	return code ? code : got;
}

/* Fills the slice from the due queue.  Returns 1 if there may be more, 0 if no more pages are due. */
static int take_slice(struct work *work, struct prn_walk *walk)
{
	for (size_t n = 0, count; n < work->slice_room; n += count) {
		size_t most = work->slice_room - n < work->ahead ? work->slice_room - n : work->ahead;
		int code = 0, more = read_queue(work, walk, work->request->now, most, &count);

		if (more < 0)
			return more;
		for (size_t i = 0; i < count && !code; i++)
			code = take_page(work, &work->queued[i], 0);
		if (code || !more)
			return code;
	}
	return 1;
}

/* Takes the pages that have waited longest for a host whose turn it is, at most `most` at a time. */
static int take_waiting_for(struct work *work, struct prn_turn *turn, size_t most)
{
	size_t before = work->slice.count;
	struct queued_page page;
	struct prn_bytes beside;
	struct prn_gate *gate;
	struct prn_walk *walk;
	int got = 0, code = prn_walk_waiting(&walk, work->view, turn->host, turn->begun ? &turn->next : NULL, work->error);

	if (code)
		return code;
	for (size_t n = 0; !code && (got = prn_walk_waiting_worth(walk, turn->host, &page.at, &beside, work->error)) == 1; n++) {
		turn->next = page.at;
		turn->begun = true;
		if (n == most || (page.at.time > work->request->now &&
		                  !prn_decider_is_ahead(work->decider, work->request->now, page.at.time)))
			break;
		know_worth(work, &page, beside);
		code = take_page(work, &page, turn->host);
	}
	prn_walk_free(walk);
	gate = prn_gates_get(&work->gates, turn->host);
	gate->waiting += work->slice.count - before;
	gate->unread = got == 1;
	turn->over = got != 1 || turn->next.time > work->request->now;
	return got < 0 ? got : code;
}

/* The fewer hosts have a turn, the more pages of each host are compared. */
static int take_waiting(struct work *work)
{
	struct prn_turns *turns = &work->turns;
	int code = prn_turns_gather(turns, &work->reader, work->slice_room / FEWEST_OF_A_HOST, work->error);

	for (size_t i = 0; i < turns->count && !code; i++)
		code = take_waiting_for(work, &turns->items[i], work->slice_room / turns->count);
	return code;
}

static int take_text(struct work *work, const char *text)
{
	struct prn_due_list *list = work->list;
	size_t bytes = strlen(text) + 1;
	char *grown = prn_array_grow(list->text, &list->text_capacity, list->text_length + bytes, 1);

	if (!grown)
		return prn_error_memory(work->error);
	list->text = grown;
	memcpy(grown + list->text_length, text, bytes);
	list->text_length += bytes;
	return 0;
}

/* The text buffer may move while it grows, so url holds an offset into it until the list is complete. */
static int append(struct work *work, double value)
{
	const struct prn_entry *entry = work->entry;
	struct prn_due_list *list = work->list;
	struct prn_due *grown = prn_array_grow(list->items, &list->item_capacity, list->count + 1, sizeof *grown);
	size_t at = list->text_length;
	struct prn_validators validators = { .modified = PRN_TIME_UNKNOWN };
	int code = 0;

	if (!grown)
		return prn_error_memory(work->error);
	list->items = grown;
	/* "Not modified" would refer to the suspect content, which is not yet a version of the page: it must come whole. */
	if (entry->state.visits && entry->state.status != PRN_PAGE_SUSPECT)
		code = prn_side_validators_read(&validators, NULL, &work->reader, &entry->key, work->error);
	if (!code)
		code = take_text(work, entry->url);
	if (!code)
		grown[list->count++] = (struct prn_due){ (const char *)(uintptr_t)at, entry->weight, value, entry->due,
			                                 entry->lease, entry->state.reason, validators };
	return code;
}

/* Removes the page in hand from those that wait for a host, perhaps another one than it would wait for now. */
static void wait_no_more(struct work *work)
{
	/* The page was counted when it was read from that host's queue; one from another host's queue is not handed out there. */
	if (work->entry->waits_for)
		prn_gates_get(&work->gates, work->entry->waits_for)->waiting--;
	work->entry->waits_for = 0;
}

static int lease(struct work *work, const struct prn_gate *gate, double value)
{
	struct prn_entry *entry = work->entry;
	bool guessed;
	int code;

	if (!is_leasing(work))
		return append(work, value);
	entry->lease = prn_time_after(work->gates.leased_from, ceil(work->request->lease_s));
	wait_no_more(work);
	prn_ledger_ask(&work->pacing.ledger, gate->number);
	/* The page's expected cost is spent now, and stays in its state, where its report finds it when it settles the difference. */
	guessed = prn_cost_guess(entry->costs, &entry->state, work->pacing.ledger.answer_bytes);
	prn_pacing_spend(&work->pacing, prn_cost_expected(entry->costs, &entry->state));
	code = guessed ? prn_decider_put(work->decider, entry, work->error) : prn_entry_put(entry, work->decider->batch, work->error);
	return code ? code : append(work, value);
}

/*
 * The page's host has no room for it.  The page leaves the due queue, where every call would consider it again, and waits for
 * the host: it is written once, however long that takes and however many wait, and the pages behind it in the queue move up.
 * The time at which the host has room is kept with the host (prn_host.turn): a report, a lease's end or the end of a delay moves
 * one turn, not all its pages.
 */
static int wait_for_host(struct work *work, struct prn_gate *gate)
{
	struct prn_entry *entry = work->entry;

	if (entry->waits_for == gate->number)
		return 0;
	if (!is_leasing(work)) {
		gate->waiting++;
		return 0;
	}
	if (!entry->state.visits)
		entry->state.visited = prn_entry_waits_since(entry);
	wait_no_more(work);
	entry->waits_for = gate->number;
	entry->state.reason = PRN_NEXT_HOST;
	gate->waiting++;
	return prn_entry_put(entry, work->decider->batch, work->error);
}

/* Takes the page of a candidate in hand.  Returns 1; 0 if only its record shows that it is no longer due. */
static int read_candidate(struct work *work, struct prn_candidate *candidate)
{
	const struct prn_queued queued = { candidate->due, candidate->key };
	uint64_t host = candidate->host;
	struct prn_record record;
	int got, code;

	if (candidate->unread) {
		got = consider_queued(work, &queued, host, candidate);
		/* A page from its host's queue no longer counts there if it is not due, or cannot be read. */
		if (!got && host)
			prn_gates_get(&work->gates, host)->waiting--;
		return got;
	}
	code = prn_store_reader_get(&work->reader, &candidate->key, &record, work->error);
	if (!code)
		code = prn_entry_read(work->entry, &record, work->error);
	return code ? code : 1;
}

/* Hands a candidate out if its host has room.  A page that is not yet due does not wait for its host. */
static int give(struct work *work, struct prn_candidate *candidate, bool early)
{
	struct prn_gate *gate;
	bool passed;
	int code = read_candidate(work, candidate);

	if (code != 1)
		return code;
	code = prn_gates_find_of(&work->gates, &work->reader, prn_entry_normal(work->entry), &gate, work->error);
	if (!code) {
		work->gates.most = (unsigned)fmin((double)(work->request->limit - work->list->count), 1e9);
		code = prn_gate_pass(&work->gates, gate, candidate->cost, &passed, work->error);
	}
	if (code)
		return code;
	if (passed)
		return lease(work, gate, candidate->value);
	return early ? 0 : wait_for_host(work, gate);
}

/* Whether both the list and the budget have room. */
static bool goes_on(const struct work *work)
{
	return work->list->count < work->request->limit && prn_pacing_has_room(&work->pacing);
}

/* Whether the budget has ended the list. */
static bool is_spent(const struct work *work)
{
	return work->list->count < work->request->limit && !prn_pacing_has_room(&work->pacing);
}

/* Reads the pages that are given next in one request, in a store that is slow to reach.  *read is the place after the last of them. */
static int read_ahead(struct work *work, size_t i, size_t *read)
{
	size_t most = work->request->limit - work->list->count, end = most < work->slice.count - i ? i + most : work->slice.count;
	int code = 0;

	*read = end;
	if (work->ahead == 1)
		return 0;
	for (; i < end && !code; i++) {
		const struct prn_candidate *candidate = prn_candidates_best(&work->slice, i);

		if (candidate->unread && prn_wants_page(&work->wants, &candidate->key, false))
			code = prn_error_memory(work->error);
	}
	return code ? code : prn_wants_ask(&work->wants, work->decider, work->error);
}

/*
 * Counts what one more page would have cost.  Left out are new pages, pages that fail, and pages that are due by their maximum
 * interval alone: no threshold would have fewer of them due, and known pages would pay for them.
 */
static int keep_back(struct work *work, struct prn_candidate *candidate)
{
	int got = candidate->unread ? read_candidate(work, candidate) : 1;

	if (got != 1)
		return got;
	work->unmet += candidate->owed ? candidate->cost : 0;
	work->kept_back = true;
	return 0;
}

/* Gives the most valuable pages of the slice; the others stay in their queues. */
static int give_slice(struct work *work)
{
	size_t i = 0, read = 0, first = work->list->count;
	int code = 0;

	for (; i < work->slice.count && !code && goes_on(work); i++) {
		if (i == read)
			code = read_ahead(work, i, &read);
		if (!code)
			code = give(work, prn_candidates_best(&work->slice, i), false);
	}
	/*
	 * Pages that were chosen by the worth in their queue entries are sorted by their actual value, which may differ because
	 * stored states are rounded.  Nearly all are in order already, but a queue entry may say anything.
	 */
	if (work->list->count > first)
		qsort(work->list->items + first, work->list->count - first, sizeof *work->list->items, prn_due_compare);
	for (; i < work->slice.count && !code && is_spent(work); i++)
		code = keep_back(work, prn_candidates_best(&work->slice, i));
	return code;
}

/* Finds whether more is due than the budget has room for, in the queue or of a host whose turn it is. */
static int look_behind(struct work *work, struct prn_walk *walk, bool more)
{
	struct prn_queued queued;
	int code = more ? prn_walk_queue_next(walk, &queued, work->error) : 0;

	if (code == 1 && queued.time > work->request->now)
		note_next(work, queued.time);
	else if (code == 1)
		work->kept_back = true;
	if (code < 0 || work->kept_back)
		return code < 0 ? code : 0;
	code = prn_turns_gather(&work->turns, &work->reader, 1, work->error);
	work->kept_back = work->turns.count > 0;
	return code;
}

/* Puts a page into the slice if it were due now at a lower threshold.  One that cannot be read is reported once it is due. */
static int consider_early(struct work *work, const struct prn_queued *queued)
{
	struct prn_entry *entry = work->entry;
	struct prn_record record;
	enum prn_next reason;
	int64_t next;
	int got = prn_store_reader_get(&work->reader, &queued->key, &record, work->error);

	if (got == PRN_E_DAMAGED || got == PRN_E_NOT_FOUND)
		return 0;
	got = got ? got : prn_entry_try(entry, &record, NULL, work->error);
	if (got == 1 && prn_decider_next(work->decider, entry, EARLY * work->threshold, &next, &reason) &&
	    next <= work->request->now) {
		const struct prn_candidate candidate = candidate_in_hand(work);

		prn_candidates_add(&work->slice, &candidate);
	}
	return got < 0 ? got : 0;
}

/* Considers at most `most` of the pages that are due next.  Returns as read_queue. */
static int take_early(struct work *work, struct prn_walk *walk, size_t most)
{
	int more = 1, code = consider_early(work, &work->after);

	for (size_t n = 1, count = 0; n < most && more == 1 && !code; n += count) {
		more = read_queue(work, walk, INT64_MAX, most - n < work->ahead ? most - n : work->ahead, &count);
		for (size_t i = 0; i < count && more >= 0 && !code; i++)
			code = consider_early(work, &work->queued[i].at);
	}
	return code ? code : more;
}

/*
 * Spends what the budget has left when all that is due was given.  Pages do not become due evenly, least of all pages that
 * were first visited together: while few are due, those that are due next are given early.
 */
static int give_early(struct work *work, struct prn_walk *walk)
{
	double before = work->pacing.spent;
	double most = fmin((double)work->slice_room, EARLY_LEAST + EARLY_EACH * work->pacing.room);
	int code;

	prn_candidates_clear(&work->slice);
	work->by_worth = false;
	code = take_early(work, walk, (size_t)most);
	if (code < 0)
		return code;
	code = 0;
	for (size_t i = 0; i < work->slice.count && !code && goes_on(work); i++)
		code = give(work, prn_candidates_best(&work->slice, i), true);
	work->early = work->pacing.spent - before;
	return code;
}

/* Pages that are due come from the due queue and from hosts whose turn it is, and are sorted together. */
static int give_slices(struct work *work, struct prn_walk *walk)
{
	/* A shard does not know what is due in others, so its root says when nothing is. */
	bool may_give_early = is_leasing(work) && work->pacing.paced && (!work->decider->lot || work->decider->lot->gives_early);
	int more = 1, code = 0;

	for (int n = 0; n < SLICES && (more == 1 || work->turns.walk || work->turns.count) && goes_on(work); n++) {
		prn_candidates_clear(&work->slice);
		code = take_waiting(work);
		if (code)
			return code;
		if (more == 1)
			more = take_slice(work, walk);
		if (more < 0)
			return more;
		code = give_slice(work);
		if (code)
			return code;
		prn_turns_keep(&work->turns);
	}
	work->more = more == 1;
	if (may_give_early && work->after.time != INT64_MAX && goes_on(work))
		code = give_early(work, walk);
	if (code)
		return code;
	if (is_spent(work))
		code = look_behind(work, walk, more == 1);
	if (!code)
		code = prn_gates_settle(&work->gates, is_leasing(work) ? work->decider->batch : NULL, work->error);
	note_next(work, work->gates.next);
	note_next(work, work->turns.next);
	if (is_spent(work) ? work->kept_back : !goes_on(work) || more == 1)
		work->next = work->request->now;
	return code;
}

static int read_threshold(struct work *work)
{
	struct prn_price price;
	int code;

	if (!is_leasing(work)) {
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
static int find(struct work *work)
{
	struct prn_walk *walk = NULL;
	int code = is_leasing(work) ? prn_decider_view(work->decider, &work->view, work->error)
	                            : prn_decider_look(work->decider, work->looks, &work->view, work->error);

	if (code)
		return code;
	work->reader = is_leasing(work) ? prn_decider_reader(work->decider) : (struct prn_store_reader){ .view = work->view };
	code = read_threshold(work);
	if (!code)
		code = prn_loads_round(work->decider, &work->reader, &work->round_days, work->error);
	work->by_worth = !code && !prn_costs_are_counted(work->entry->costs);
	if (!code)
		code = prn_lease_clock_read(&work->clock, &work->clock_before, work->decider, &work->reader, work->request->now, work->error);
	work->gates.leased_from = prn_lease_clock_time(&work->clock);
	if (!code)
		code = prn_walk_queue(&walk, work->view, PRN_QUEUE_DUE, INT64_MIN, work->error);
	if (!code)
		code = prn_turns_open(&work->turns, &work->gates, work->view, is_leasing(work) ? work->decider->batch : NULL,
		                      work->error);
	if (!code)
		code = give_slices(work, walk);
	if (work->decider->lot)
		work->decider->lot->giants_wait = work->gates.giants_wait;
	if (work->decider->lot)
		work->decider->lot->version = code ? 0 : prn_view_version(work->view);
	prn_turns_release(&work->turns);
	prn_walk_free(walk);
	if (!is_leasing(work))
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
static int prepare(struct work *work, struct prn_entry *entry)
{
	size_t limit = work->request->limit;

	work->slice_room = limit < SLICE_LEAST / SLICE_FACTOR  ? SLICE_LEAST
	                   : limit < SLICE_MOST / SLICE_FACTOR ? limit * SLICE_FACTOR
	                                                       : SLICE_MOST;
	work->ahead = is_leasing(work) && prn_store_is_shared(work->decider->store) ? work->slice_room : 1;
	work->queued = calloc(work->ahead, sizeof *work->queued);
	if (prn_candidates_init(&work->slice, 2 * work->slice_room) || !work->queued || prn_entry_init(entry, work->decider->policy, work->decider->summary_limit))
		return prn_error_memory(work->error);
	work->entry = entry;
	prn_gates_init(&work->gates, &work->decider->options, work->request->now,
	               is_leasing(work) ? work->request->lease_s : LOOK_LEASE_S);
	work->gates.shard = work->decider->root && work->decider->root->shards->giant_count ? work->decider : NULL;
	work->gates.taking = is_leasing(work);
	work->gates.looks = work->giants;
	work->list->count = work->list->text_length = 0;
	return 0;
}

/* Ends leases that have run out, and finds how much may be handed out. */
static int begin_leasing(struct work *work, bool *made)
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

static int end_leasing(struct work *work)
{
	bool all_given = goes_on(work) && !work->more;
	int code = prn_pacing_end(&work->pacing, work->decider, work->unmet, all_given, work->early, work->error);

	if (!code)
		code = prn_lease_clock_put(&work->clock, &work->clock_before, work->list->count > 0, work->decider->batch, work->error);

	/* Where the budget ended the list, it also sets the next time: nothing is given before, whatever becomes due. */
	work->list->over_budget = is_spent(work) && work->kept_back;
	if (!work->decider->lot && is_spent(work) && work->next != PRN_TIME_UNKNOWN &&
	    !prn_ledger_room(&work->pacing.ledger, work->decider->budget_per_day, &work->pacing.next))
		work->next = prn_time_later(work->next, work->pacing.next);
	return code ? code : prn_decider_commit_all(work->decider, work->error);
}

/*
 * Makes the list.  *made becomes true when what was staged before the call is committed.  *unreadable is the count of pages that
 * could not be read and have been moved, and committed, so that no other attempt counts them again.
 */
static int attempt(struct work *work, bool *made, struct prn_unreadable *unreadable)
{
	struct prn_entry entry = { 0 };
	int code;

	work->list->count = work->list->text_length = 0;
	work->list->over_budget = false;
	work->list->damaged_shards = 0;
	code = prepare(work, &entry);
	if (!code && is_leasing(work))
		code = begin_leasing(work, made);
	*unreadable = work->unreadable;
	if (!code)
		code = find(work);
	if (!code && is_leasing(work))
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
	prn_candidates_release(&work->slice);
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
		struct work work = { .decider = decider, .request = request, .list = list, .looks = looked, .giants = looks,
			             .pacing = { .room = INFINITY }, .after = { .time = INT64_MAX },
			             .next = PRN_TIME_UNKNOWN, .unreadable = unreadable, .error = error };

		/* Permits are kept while it is decided anew what they are used for. */
		for (size_t i = 0; is_leasing(&work) && decider->permits && i < giants; i++) {
			decider->permits[i].used = 0;
			decider->permits[i].spent = 0;
		}
		code = attempt(&work, &made, &unreadable);
		if (code && is_leasing(&work)) {
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
