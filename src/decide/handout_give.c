#include "decide/handout.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "decide/loads.h"
#include "decide/side_validators.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

static int take_text(struct prn_handout *work, const char *text)
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
static int append(struct prn_handout *work, double value)
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
static void wait_no_more(struct prn_handout *work)
{
	struct prn_gate *gate = work->entry->waits_for ? prn_gates_get(&work->gates, work->entry->waits_for) : NULL;

	/* The page was counted when it was read from that host's queue; one from another host's queue is not handed out there. */
	if (gate)
		gate->waiting--;
	work->entry->waits_for = 0;
}

static int lease(struct prn_handout *work, const struct prn_gate *gate, double value)
{
	struct prn_entry *entry = work->entry;
	bool guessed;
	int code;

	if (!prn_handout_is_leasing(work))
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
static int wait_for_host(struct prn_handout *work, struct prn_gate *gate)
{
	struct prn_entry *entry = work->entry;

	if (entry->waits_for == gate->number)
		return 0;
	if (!prn_handout_is_leasing(work)) {
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
int prn_handout_read(struct prn_handout *work, struct prn_candidate *candidate)
{
	const struct prn_queued queued = { .time = candidate->due, .lane = candidate->queued, .key = candidate->key };
	uint64_t host = candidate->host;
	struct prn_record record;
	int got, code;

	if (candidate->unread) {
		got = prn_handout_consider(work, &queued, host, candidate);
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

/* Whether a host's new pages come after its known ones at this time: for half of all hosts, each time for others. */
static bool has_known_first(const struct prn_handout *work, uint64_t host)
{
	return XXH3_64bits_withSeed(&work->request->now, sizeof work->request->now, host) & 1;
}

/* Hands a candidate out if its host has room.  A page that is not yet due does not wait for its host. */
int prn_handout_give(struct prn_handout *work, struct prn_candidate *candidate, bool early)
{
	struct prn_gate *gate;
	bool passed;
	int code = prn_handout_read(work, candidate);

	if (code != 1)
		return code;
	code = prn_gates_find_of(&work->gates, &work->reader, prn_entry_normal(work->entry), &gate, work->error);
	candidate->is_deferred = !code && work->are_new_deferred && candidate->is_new && has_known_first(work, gate->number);
	if (candidate->is_deferred)
		return 0;
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
