#include "decide/handout.h"

#include "base/clock.h"
#include "store/shared.h"

#include <math.h>

#define FEWEST_OF_A_HOST 4 /* pages that wait for a host and are considered at a time, at least */

/* The share of the threshold that applies to pages that are given before their time. */
#define EARLY 0.25

/* A page is postponed only if its period grew by more than this share, because stored states are rounded. */
#define POSTPONED 0.01

void prn_handout_note_next(struct prn_handout *work, int64_t time)
{
	/* A turn that has come belongs to a host that could not use it: it is looked at again with the next call. */
	if (time != PRN_TIME_UNKNOWN && time <= work->request->now)
		time = work->request->now + 1;
	if (time != PRN_TIME_UNKNOWN && (work->next == PRN_TIME_UNKNOWN || time < work->next))
		work->next = time;
}

/* A page of which no answer is known is taken to cost what others do, also in its value. */
static struct prn_candidate candidate_in_hand(struct prn_handout *work)
{
	struct prn_entry *entry = work->entry;
	struct prn_candidate candidate = { .is_new = !entry->state.visits, .owed = entry->state.visits && entry->state.reason < PRN_NEXT_MAXIMUM,
		                           .due = entry->due, .key = entry->key };
	struct prn_page_cost known = entry->state.cost;

	prn_cost_guess(entry->costs, &entry->state, work->pacing.ledger.answer_bytes);
	candidate.value = prn_decider_value(work->decider, entry, work->threshold, work->round_days, work->request->now);
	candidate.cost = prn_cost_expected(entry->costs, &entry->state);
	entry->state.cost = known;
	return candidate;
}

/*
 * Returns 1 if the page in hand is due; 0: it is postponed, because its policy, asked now, would set its next visit clearly
 * after now.
 */
static int consider(struct prn_handout *work, struct prn_candidate *candidate)
{
	struct prn_entry *entry = work->entry;
	enum prn_next reason;
	int64_t next;

	if (!prn_decider_next(work->decider, entry, work->threshold, &next, &reason) ||
	    (double)next - (double)work->request->now <= POSTPONED * ((double)next - (double)entry->state.visited)) {
		*candidate = candidate_in_hand(work);
		return 1;
	}
	prn_handout_note_next(work, next);
	if (!prn_handout_is_leasing(work))
		return 0;
	entry->due = next;
	entry->state.reason = reason;
	return prn_entry_put(entry, work->decider->batch, work->error);
}

/* Likewise for a page of the queue, which may wait for a host (0: for none); 0 also if it is no longer due. */
int prn_handout_consider(struct prn_handout *work, const struct prn_queued *queued, uint64_t host, struct prn_candidate *candidate)
{
	const struct prn_queue_reading reading = { work->decider, work->reader, work->request->now, &work->unreadable };
	const struct prn_place place = prn_queued_place(host ? PRN_QUEUE_WAITING : PRN_QUEUE_DUE, host, queued);
	int got = prn_queued_read(&reading, &place, &queued->key, work->entry, work->error);

	return got == 1 ? consider(work, candidate) : got;
}

/*
 * Puts a page into the slice, unless it is no longer due.  If its queue entry has its worth, its record is read only when the
 * page is to be handed out.
 */
static int take_page(struct prn_handout *work, const struct prn_handout_page *page, uint64_t host)
{
	struct prn_candidate candidate = { .unread = true, .queued = page->at.lane, .host = host, .cost = 1, .due = page->at.time, .key = page->at.key };
	int got = 1;

	if (page->known) {
		candidate.value = prn_worth_value(&page->worth, work->threshold, work->round_days, work->request->now);
		candidate.is_new = !page->worth.visited;
	} else {
		got = prn_handout_consider(work, &page->at, host, &candidate);
	}
	if (got == 1)
		prn_candidates_add(&work->slices[candidate.is_new], &candidate);
	return got < 0 ? got : 0;
}

static void know_worth(const struct prn_handout *work, struct prn_handout_page *page, struct prn_bytes beside)
{
	page->known = work->by_worth && prn_worth_read(work->decider->policy, beside, &page->worth);
}

/*
 * Reads at most `most` of the pages of a lane that are due next, up to the time until, and has their records fetched.  Returns 1 if
 * there may be more.
 */
static int read_queue(struct prn_handout *work, enum prn_lane lane, int64_t until, size_t most, size_t *count)
{
	struct prn_walk *walk = work->lanes[lane].walk;
	int got = 1, code = 0;

	for (*count = 0; *count < most && !code; ++*count) {
		struct prn_handout_page *page = &work->queued[*count];
		struct prn_bytes beside;

		got = prn_walk_queue_worth(walk, &page->at, &beside, work->error);
		if (got == 1 && page->at.lane != lane) {
			got = 0;
		} else if (got == 1 && page->at.time > until) {
			prn_handout_note_next(work, page->at.time);
			if (lane == PRN_LANE_KNOWN)
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

size_t prn_handout_count(const struct prn_handout *work)
{
	return work->slices[false].count + work->slices[true].count;
}

void prn_handout_clear(struct prn_handout *work)
{
	prn_candidates_clear(&work->slices[false]);
	prn_candidates_clear(&work->slices[true]);
}

/* Whether a lane of the due queue may have more that is due. */
bool prn_handout_has_more(const struct prn_handout *work)
{
	return work->lanes[PRN_LANE_NEW].more || work->lanes[PRN_LANE_VAIN].more || work->lanes[PRN_LANE_KNOWN].more;
}

/* Fills the slices from a lane of the due queue, until *room pages were read. */
static int take_lane(struct prn_handout *work, enum prn_lane lane, size_t most, size_t *room)
{
	struct prn_handout_lane *from = &work->lanes[lane];
	int code = 0;

	for (size_t n = 0, count; n < most && from->more && !code; n += count, *room -= count) {
		int more = read_queue(work, lane, work->request->now, most - n < work->ahead ? most - n : work->ahead, &count);

		if (more < 0)
			return more;
		from->more = more == 1;
		for (size_t i = 0; i < count && !code; i++)
			code = take_page(work, &work->queued[i], 0);
	}
	return code;
}

/*
 * The lanes in the order in which they are read, and the part of the room that is left that each may take: half is for new pages, and half
 * of the rest for those that were tried in vain, if there are as many; what one leaves others have.
 */
static const struct {
	enum prn_lane lane;
	size_t part;
} shares[] = { { PRN_LANE_NEW, 2 }, { PRN_LANE_VAIN, 2 }, { PRN_LANE_KNOWN, 1 }, { PRN_LANE_NEW, 1 }, { PRN_LANE_VAIN, 1 } };

#define SHARES (sizeof shares / sizeof *shares)

/* Fills the slices from the due queue. */
static int take_slices(struct prn_handout *work)
{
	size_t room = work->slice_room;
	int code = 0;

	for (size_t i = 0; i < SHARES && !code; i++)
		code = take_lane(work, shares[i].lane, room / shares[i].part, &room);
	return code;
}

/* The walk of a lane of a host's pages has come to the next one, or to the end (PRN_LANES): what lies between has no pages. */
static void pass_lanes(struct prn_turn *turn, enum prn_lane lane, int next)
{
	struct prn_turn_lane *vain = &turn->lanes[PRN_LANE_VAIN], *known = &turn->lanes[PRN_LANE_KNOWN];

	if (lane == PRN_LANE_NEW && next != PRN_LANE_VAIN)
		vain->ended = vain->over = true;
	if (next == PRN_LANES)
		known->ended = known->over = true;
}

/* Takes pages of a lane that wait for a host, until *room pages were taken. */
static int take_waiting_lane(struct prn_handout *work, struct prn_turn *turn, enum prn_lane lane, size_t most, size_t *room)
{
	struct prn_turn_lane *from = &turn->lanes[lane];
	int64_t now = work->request->now;
	struct prn_handout_page page;
	struct prn_bytes beside;
	struct prn_walk *walk;
	int got = 0, next = PRN_LANES, code;

	if (from->over || !most)
		return 0;
	code = from->begun ? prn_walk_waiting(&walk, work->view, turn->host, &from->next, work->error)
	                   : prn_walk_waiting_lane(&walk, work->view, turn->host, lane, work->error);
	if (code)
		return code;
	for (size_t n = 0; !code && (got = prn_walk_waiting_worth(walk, turn->host, &page.at, &beside, work->error)) == 1; n++, --*room) {
		if (page.at.lane != lane) {
			next = (int)page.at.lane;
			got = 0;
			break;
		}
		from->next = page.at;
		from->begun = true;
		if (n == most || (page.at.time > now && !prn_decider_is_ahead(work->decider, now, page.at.time)))
			break;
		know_worth(work, &page, beside);
		code = take_page(work, &page, turn->host);
	}
	prn_walk_free(walk);
	if (!got && !code)
		pass_lanes(turn, lane, next);
	from->ended = got != 1;
	from->over = from->ended || from->next.time > now;
	return got < 0 ? got : code;
}

/* Takes the pages that have waited longest for a host whose turn it is, at most `most` at a time. */
static int take_waiting_for(struct prn_handout *work, struct prn_turn *turn, size_t most)
{
	const struct prn_turn_lane *lanes = turn->lanes;
	struct prn_gate *gate;
	size_t before = prn_handout_count(work), room = most;
	int code = 0;

	for (size_t i = 0; i < SHARES && !code; i++)
		code = take_waiting_lane(work, turn, shares[i].lane, room / shares[i].part, &room);
	gate = prn_gates_get(&work->gates, turn->host);
	gate->waiting += prn_handout_count(work) - before;
	gate->unread = !(lanes[PRN_LANE_NEW].ended && lanes[PRN_LANE_VAIN].ended && lanes[PRN_LANE_KNOWN].ended);
	turn->over = lanes[PRN_LANE_NEW].over && lanes[PRN_LANE_VAIN].over && lanes[PRN_LANE_KNOWN].over;
	return code;
}

/* The fewer hosts have a turn, the more pages of each host are compared. */
static int take_waiting(struct prn_handout *work)
{
	struct prn_turns *turns = &work->turns;
	int code = prn_turns_gather(turns, &work->reader, work->slice_room / FEWEST_OF_A_HOST, work->error);

	for (size_t i = 0; i < turns->count && !code; i++)
		code = take_waiting_for(work, &turns->items[i], work->slice_room / turns->count);
	return code;
}

/* Puts a page into the slice if it were due now at a lower threshold.  One that cannot be read is reported once it is due. */
static int consider_early(struct prn_handout *work, const struct prn_queued *queued)
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

		prn_candidates_add(&work->slices[false], &candidate);
	}
	return got < 0 ? got : 0;
}

/* Considers at most `most` of the known pages that are due next.  Returns as read_queue. */
int prn_handout_take_early(struct prn_handout *work, size_t most)
{
	int more = 1, code = consider_early(work, &work->after);

	for (size_t n = 1, count = 0; n < most && more == 1 && !code; n += count) {
		more = read_queue(work, PRN_LANE_KNOWN, INT64_MAX, most - n < work->ahead ? most - n : work->ahead, &count);
		for (size_t i = 0; i < count && more >= 0 && !code; i++)
			code = consider_early(work, &work->queued[i].at);
	}
	return code ? code : more;
}

int prn_handout_take(struct prn_handout *work)
{
	int code;

	prn_handout_clear(work);
	code = take_waiting(work);
	return code ? code : take_slices(work);
}
