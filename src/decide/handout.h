/*
 * A call of prn_decider_due to one store: how pages that are due are found, compared, and handed out.
 *
 * handout_take.c reads the queues and takes some of the pages that are due: the slices.  handout.c gives the most valuable of these, and
 * takes others as long as there is room.  handout_give.c hands out one page, if its host lets it.  due.c begins and ends the call.
 */
#ifndef DECIDE_HANDOUT_H
#define DECIDE_HANDOUT_H

#include "decide/candidates.h"
#include "decide/decider_internal.h"
#include "decide/gates.h"
#include "decide/lead.h"
#include "decide/lease_clock.h"
#include "decide/pacing.h"
#include "decide/turns.h"
#include "decide/unreadable.h"
#include "decide/wants.h"
#include "decide/worth.h"
#include "perennial/due.h"

/* A page that was read from a queue, but not yet its record. */
struct prn_handout_page {
	struct prn_queued at;
	bool known; /* the queue entry has its worth */
	struct prn_worth worth;
};

struct prn_handout {
	struct prn_decider *decider;
	struct prn_entry *entry; /* the page in hand */
	struct prn_store_reader reader;  /* the batch when leasing, else the view */
	struct prn_view *view;
	struct prn_gates gates;
	struct prn_lease_clock clock, clock_before; /* of leases; clock_before: the stored one */
	struct prn_costs costs; /* of a call without lease: those of its view */
	struct prn_turns turns;
	struct prn_pacing pacing;
	struct prn_lead lead; /* of new pages */
	bool is_scarce;        /* there may be no room for all that is due */
	bool are_new_deferred; /* new pages of some hosts come after known ones */
	const struct prn_due_request *request;
	double unmet;   /* the cost of pages that were due when the budget had no room left */
	bool kept_back; /* something is due, and the budget has no room for it */
	bool more;      /* there may be more due than was considered */
	struct prn_queued after; /* the first known page that is not yet due; its time is INT64_MAX if there was none */
	double early;   /* the cost of pages that were given before their time */
	unsigned looks; /* how many looks were in vain (prn_decider_look) */
	struct prn_giant_look *giants; /* of a caller that looks at several shards, or NULL */
	struct prn_due_list *list;
	struct prn_unreadable unreadable;
	double threshold;
	double round_days; /* prn_loads_round */
	struct prn_handout_lane {
		struct prn_walk *walk; /* of the lane of the due queue */
		bool more;             /* it may have more that is due */
	} lanes[PRN_LANES];
	struct prn_candidates slices[2]; /* of known pages, and of new ones; together up to slice_room that wait for hosts, and as many that do not */
	size_t slice_room;
	struct prn_handout_page *queued; /* [ahead]: queue entries that are read before their records */
	size_t ahead;               /* 1 where records are quick to read */
	bool by_worth;              /* the worth in a queue entry gives the page's value */
	struct prn_wants wants;
	int64_t next; /* the earliest known time at which something else is due; PRN_TIME_UNKNOWN: none */
	struct prn_error *error;
};

static inline bool prn_handout_is_leasing(const struct prn_handout *work)
{
	return work->request->lease_s > 0;
}

/* Notes that something else is due at a time; PRN_TIME_UNKNOWN: never. */
void prn_handout_note_next(struct prn_handout *work, int64_t time);

/*
 * handout_take.c: _take fills the slices anew, with pages that wait for hosts whose turn it is and pages of the due queue, half of each
 * with new pages if there are as many of both kinds.  _take_early reads at most `most` of the known pages that are due next, and adds
 * those that would be due now at a lower threshold.  Errors of the store; PRN_E_MEMORY
 */
int prn_handout_take(struct prn_handout *work);
int prn_handout_take_early(struct prn_handout *work, size_t most);
void prn_handout_clear(struct prn_handout *work);
size_t prn_handout_count(const struct prn_handout *work); /* of pages in the slices */

/* Whether the due queue may have more that is due. */
bool prn_handout_has_more(const struct prn_handout *work);

/*
 * Takes a page of a queue in hand, that of pages which wait for a host, or of none (0).  Returns 1, with the candidate; 0 if it is no
 * longer due.
 */
int prn_handout_consider(struct prn_handout *work, const struct prn_queued *queued, uint64_t host, struct prn_candidate *candidate);

/*
 * handout_give.c: _give hands a candidate out if its host has room; a page that is not yet due (early) does not wait for its host.
 * _read takes the page of a candidate in hand, and returns 1; 0 if only its record shows that it is no longer due.  Errors likewise
 */
int prn_handout_give(struct prn_handout *work, struct prn_candidate *candidate, bool early);
int prn_handout_read(struct prn_handout *work, struct prn_candidate *candidate);

/* handout.c: whether both the list and the budget have room; whether the budget has ended the list. */
bool prn_handout_has_room(const struct prn_handout *work);
bool prn_handout_is_spent(const struct prn_handout *work);

/* Hands out what is due, the most valuable first.  Errors likewise */
int prn_handout_run(struct prn_handout *work);

#endif
