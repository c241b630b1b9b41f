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

/* Where give_slices is in each of the slices. */
struct merging {
	size_t at[PRN_LANES];   /* the first candidate that was not taken */
	size_t read[PRN_LANES]; /* the place after the last whose record was asked for */
};

/* Reads the pages that are given next in one request, in a store that is slow to reach. */
static int read_ahead(struct prn_handout *work, struct merging *merging)
{
	size_t most = work->request->limit - work->list->count;
	int code = 0;

	if (work->ahead == 1)
		return 0;
	for (int lane = 0; lane < PRN_LANES; lane++) {
		struct prn_candidates *slice = &work->slices[lane];
		size_t i = merging->at[lane], end = most < slice->count - i ? i + most : slice->count;

		for (; i < end && !code; i++) {
			const struct prn_candidate *candidate = prn_candidates_best(slice, i);

			if (candidate->unread && prn_wants_page(&work->wants, &candidate->key, false))
				code = prn_error_memory(work->error);
		}
		merging->read[lane] = end;
	}
	return code ? code : prn_wants_ask(&work->wants, work->decider, work->error);
}

static bool has_candidate(const struct prn_handout *work, const struct merging *merging, enum prn_lane lane)
{
	return merging->at[lane] < work->slices[lane].count;
}

/*
 * The lane whose best candidate is next: the more valuable one, but where there is no room for all new pages are given as much as
 * known pages at most.
 */
static enum prn_lane next_lane(struct prn_handout *work, const struct merging *merging)
{
	const struct prn_candidate *fresh, *known;

	if (!has_candidate(work, merging, PRN_LANE_NEW) || !has_candidate(work, merging, PRN_LANE_KNOWN))
		return has_candidate(work, merging, PRN_LANE_NEW) ? PRN_LANE_NEW : PRN_LANE_KNOWN;
	fresh = prn_candidates_best(&work->slices[PRN_LANE_NEW], merging->at[PRN_LANE_NEW]);
	known = prn_candidates_best(&work->slices[PRN_LANE_KNOWN], merging->at[PRN_LANE_KNOWN]);
	return !(work->is_scarce && work->lead.cost > 0) && prn_candidate_compare(fresh, known) < 0 ? PRN_LANE_NEW : PRN_LANE_KNOWN;
}

/* Gives the best candidate of a lane, and notes by how much new pages are ahead of known ones. */
static int give_from(struct prn_handout *work, struct merging *merging, enum prn_lane lane)
{
	struct prn_candidate *candidate = prn_candidates_best(&work->slices[lane], merging->at[lane]++);
	size_t before = work->list->count;
	int code = prn_handout_give(work, candidate, false);

	if (work->is_scarce && work->list->count > before)
		prn_lead_count(&work->lead, lane, candidate->cost, has_candidate(work, merging, PRN_LANE_KNOWN));
	return code;
}

static bool may_be_scarce(const struct prn_handout *work)
{
	double cost = 0;

	for (int lane = 0; lane < PRN_LANES; lane++)
		for (size_t i = 0; i < work->slices[lane].count; i++)
			cost += work->slices[lane].items[i].cost;
	return prn_handout_has_more(work) || prn_handout_count(work) > work->request->limit - work->list->count || cost > work->pacing.room - work->pacing.spent;
}

/* Gives what give_from deferred. */
static int give_deferred(struct prn_handout *work)
{
	int code = 0;

	work->are_new_deferred = false;
	for (size_t i = 0; i < work->slices[PRN_LANE_NEW].count && !code && prn_handout_has_room(work); i++)
		if (prn_candidates_best(&work->slices[PRN_LANE_NEW], i)->is_deferred)
			code = prn_handout_give(work, prn_candidates_best(&work->slices[PRN_LANE_NEW], i), false);
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
 * Gives the most valuable pages of the slices; the others stay in their queues.  Where there is room for all, hosts may yet have room
 * for one of their pages only.  Then it is a matter of the host and the time alone whether that is a new one, so that a store of
 * several shards hands out what one of a single shard does.
 */
static int give_slices(struct prn_handout *work)
{
	struct merging merging = { 0 };
	size_t first = work->list->count;
	int code = 0;

	work->is_scarce = may_be_scarce(work);
	work->are_new_deferred = !work->is_scarce && work->slices[PRN_LANE_KNOWN].count;
	while (merging.at[PRN_LANE_NEW] + merging.at[PRN_LANE_KNOWN] < prn_handout_count(work) && !code && prn_handout_has_room(work)) {
		enum prn_lane lane = next_lane(work, &merging);

		if (merging.at[lane] == merging.read[lane])
			code = read_ahead(work, &merging);
		if (!code)
			code = give_from(work, &merging, lane);
	}
	if (!code && work->are_new_deferred)
		code = give_deferred(work);
	/*
	 * Pages that were chosen by the worth in their queue entries are sorted by their actual value, which may differ because
	 * stored states are rounded.  Nearly all are in order already, but a queue entry may say anything.
	 */
	if (work->list->count > first)
		qsort(work->list->items + first, work->list->count - first, sizeof *work->list->items, prn_due_compare);
	for (int lane = 0; lane < PRN_LANES; lane++)
		for (size_t i = merging.at[lane]; i < work->slices[lane].count && !code && prn_handout_is_spent(work); i++)
			code = keep_back(work, prn_candidates_best(&work->slices[lane], i));
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
	struct prn_candidates *slice = &work->slices[PRN_LANE_KNOWN];
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
