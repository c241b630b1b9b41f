#include "decide/handout.h"

#include <math.h>
#include <stdlib.h>

#define SLICES 16

/* How many pages are considered for each that the budget has room for, and how many at least. */
#define EARLY_EACH 8
#define EARLY_LEAST 64

/* Whether both the list and the budget have room. */
bool prn_handout_has_room(const struct prn_handout *work)
{
	return work->list->count < work->request->limit && prn_pacing_has_room(&work->pacing);
}

/* Whether the budget has ended the list. */
bool prn_handout_is_spent(const struct prn_handout *work)
{
	return work->list->count < work->request->limit && !prn_pacing_has_room(&work->pacing);
}

/* Where give_slices is in the slices of known pages, and of new ones. */
struct merging {
	size_t at[2];   /* the first candidate that was not taken */
	size_t read[2]; /* the place after the last whose record was asked for */
};

static bool has_candidate(const struct prn_handout *work, const struct merging *merging, bool is_new)
{
	return merging->at[is_new] < work->slices[is_new].count;
}

/* Reads the pages that are given next in one request, in a store that is slow to reach. */
static int read_ahead(struct prn_handout *work, struct merging *merging)
{
	size_t most = work->request->limit - work->list->count;
	int code = 0;

	if (work->ahead == 1)
		return 0;
	if (has_candidate(work, merging, false) && has_candidate(work, merging, true))
		most = most / 2 + 1;
	for (int is_new = 0; is_new < 2; is_new++) {
		struct prn_candidates *slice = &work->slices[is_new];
		size_t at = merging->at[is_new], end = most < slice->count - at ? at + most : slice->count;

		for (size_t i = at > merging->read[is_new] ? at : merging->read[is_new]; i < end && !code; i++) {
			const struct prn_candidate *candidate = prn_candidates_best(slice, i);

			if (candidate->unread && prn_wants_page(&work->wants, &candidate->key, false))
				code = prn_error_memory(work->error);
		}
		merging->read[is_new] = end > merging->read[is_new] ? end : merging->read[is_new];
	}
	return code ? code : prn_wants_ask(&work->wants, work->decider, work->error);
}

/*
 * Whether a new page is next: the more valuable one is, but where there is no room for all new pages are given as much as known
 * pages at most.
 */
static bool is_new_next(struct prn_handout *work, const struct merging *merging)
{
	const struct prn_candidate *fresh, *known;

	if (!has_candidate(work, merging, true) || !has_candidate(work, merging, false))
		return has_candidate(work, merging, true);
	fresh = prn_candidates_best(&work->slices[true], merging->at[true]);
	known = prn_candidates_best(&work->slices[false], merging->at[false]);
	return !(work->is_scarce && work->lead.cost > 0) && prn_candidate_compare(fresh, known) < 0;
}

/* Gives the best candidate, and notes by how much new pages are ahead of known ones. */
static int give_next(struct prn_handout *work, struct merging *merging, bool is_new)
{
	struct prn_candidate *candidate = prn_candidates_best(&work->slices[is_new], merging->at[is_new]++);
	size_t before = work->list->count;
	int code = prn_handout_give(work, candidate, false);

	if (work->is_scarce && work->list->count > before)
		prn_lead_count(&work->lead, is_new, candidate->cost, has_candidate(work, merging, false));
	return code;
}

static bool may_be_scarce(const struct prn_handout *work)
{
	double cost = 0;

	for (int is_new = 0; is_new < 2; is_new++)
		for (size_t i = 0; i < work->slices[is_new].count; i++)
			cost += work->slices[is_new].items[i].cost;
	return prn_handout_has_more(work) || work->turns.walk || prn_handout_count(work) > work->request->limit - work->list->count ||
	       cost > work->pacing.room - work->pacing.spent;
}

/* Gives what give_next deferred. */
static int give_deferred(struct prn_handout *work)
{
	struct prn_candidates *slice = &work->slices[true];
	int code = 0;

	work->are_new_deferred = false;
	for (size_t i = 0; i < slice->count && !code && prn_handout_has_room(work); i++)
		if (prn_candidates_best(slice, i)->is_deferred)
			code = prn_handout_give(work, prn_candidates_best(slice, i), false);
	return code;
}

/*
 * Counts what one more page would have cost.  Left out are new pages, pages that fail, and pages that are due by their maximum
 * interval alone: no threshold would have fewer of them due, and known pages would pay for them.
 */
static int keep_back(struct prn_handout *work, struct prn_candidate *candidate)
{
	int got = candidate->unread ? prn_handout_read(work, candidate) : 1;

	if (got != 1)
		return got;
	work->unmet += candidate->owed ? candidate->cost : 0;
	work->kept_back = true;
	return 0;
}

/*
 * Gives the most valuable pages of the slices; the others stay in their queues.  Hosts may have room for one of their pages only: then it
 * is a matter of the host and the time whether that is a new one, if it has both, and where there is room for all a matter of these alone,
 * so that a store of several shards hands out what one of a single shard does.
 */
static int give_slices(struct prn_handout *work)
{
	struct merging merging = { 0 };
	size_t first = work->list->count;
	int code = 0;

	work->is_scarce = may_be_scarce(work);
	work->are_new_deferred = work->slices[false].count;
	while (merging.at[false] + merging.at[true] < prn_handout_count(work) && !code && prn_handout_has_room(work)) {
		bool is_new = is_new_next(work, &merging);

		if (merging.at[is_new] == merging.read[is_new])
			code = read_ahead(work, &merging);
		if (!code)
			code = give_next(work, &merging, is_new);
	}
	if (!code && work->are_new_deferred)
		code = give_deferred(work);
	/*
	 * Pages that were chosen by the worth in their queue entries are sorted by their actual value, which may differ because
	 * stored states are rounded.  Nearly all are in order already, but a queue entry may say anything.
	 */
	if (work->list->count > first)
		qsort(work->list->items + first, work->list->count - first, sizeof *work->list->items, prn_due_compare);
	for (int is_new = 0; is_new < 2; is_new++)
		for (size_t i = 0; i < work->slices[is_new].count && !code && prn_handout_is_spent(work); i++) {
			struct prn_candidate *candidate = prn_candidates_best(&work->slices[is_new], i);

			if (i >= merging.at[is_new] || candidate->is_deferred)
				code = keep_back(work, candidate);
		}
	return code;
}

/* Finds whether more is due than the budget has room for, in the queue or of a host whose turn it is. */
static int look_behind(struct prn_handout *work)
{
	int code;

	for (int lane = 0; lane < PRN_LANES; lane++) {
		struct prn_queued queued;

		code = work->lanes[lane].more ? prn_walk_queue_next(work->lanes[lane].walk, &queued, work->error) : 0;
		if (code < 0)
			return code;
		if (!code || (int)queued.lane != lane)
			continue;
		if (queued.time > work->request->now)
			prn_handout_note_next(work, queued.time);
		else
			work->kept_back = true;
	}
	if (work->kept_back)
		return 0;
	code = prn_turns_gather(&work->turns, &work->reader, 1, work->error);
	work->kept_back = work->turns.count > 0;
	return code;
}

/*
 * Spends what the budget has left when all that is due was given.  Pages do not become due evenly, least of all pages that
 * were first visited together: while few are due, those that are due next are given early.
 */
static int give_early(struct prn_handout *work)
{
	struct prn_candidates *slice = &work->slices[false];
	double before = work->pacing.spent;
	double most = fmin((double)work->slice_room, EARLY_LEAST + EARLY_EACH * work->pacing.room);
	int code;

	prn_handout_clear(work);
	work->by_worth = false;
	code = prn_handout_take_early(work, (size_t)most);
	if (code < 0)
		return code;
	code = 0;
	for (size_t i = 0; i < slice->count && !code && prn_handout_has_room(work); i++)
		code = prn_handout_give(work, prn_candidates_best(slice, i), true);
	work->early = work->pacing.spent - before;
	return code;
}

/* Pages that are due come from the due queue and from hosts whose turn it is, and are sorted together. */
int prn_handout_run(struct prn_handout *work)
{
	/* A shard does not know what is due in others, so its root says when nothing is. */
	bool may_give_early = prn_handout_is_leasing(work) && work->pacing.paced && (!work->decider->lot || work->decider->lot->gives_early);
	int code = 0;

	for (int n = 0; n < SLICES && (prn_handout_has_more(work) || work->turns.walk || work->turns.count) && prn_handout_has_room(work); n++) {
		code = prn_handout_take(work);
		if (!code)
			code = give_slices(work);
		if (code)
			return code;
		prn_turns_keep(&work->turns);
	}
	work->more = prn_handout_has_more(work);
	if (may_give_early && work->after.time != INT64_MAX && prn_handout_has_room(work))
		code = give_early(work);
	if (code)
		return code;
	if (prn_handout_is_spent(work))
		code = look_behind(work);
	if (!code)
		code = prn_gates_settle(&work->gates, prn_handout_is_leasing(work) ? work->decider->batch : NULL, work->error);
	prn_handout_note_next(work, work->gates.next);
	prn_handout_note_next(work, work->turns.next);
	if (prn_handout_is_spent(work) ? work->kept_back : !prn_handout_has_room(work) || work->more)
		work->next = work->request->now;
	return code;
}
