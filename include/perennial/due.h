/*
 * What to fetch now: pages whose time has come, the most valuable first.
 *
 * A page's value is W U(time since its last visit), what a visit is worth by its present curve (OP §2.2).  A page whose
 * policy learns no curve is valued as if its divergence grew in a straight line and the value reached T when the page became
 * due; a page that was never visited has the value T W, and W more for each day of waiting: no copy is staler than a missing one.
 * But where there may be no room for all that is due, known pages that are due have half of what is handed out, by cost (of several
 * shards, half of what each hands out).  One that has failed twice is worth T when its time comes, and T (1 + t/M)² at t after that;
 * M: doc/theory.md §10.
 *
 * A backlog is taken in slices by due time, each of four times the limit and at least 1000 pages, half of them never visited, if there
 * are as many; within a slice the order is by value.
 *
 * After a downtime pages come out by value as fast as they are asked for, not all at once.
 *
 * Where the store has a budget, pages are paced: what was not used accrues, up to a day's budget; no more than a day's budget
 * is handed out within a day; a new store begins with an hour's; and what one call hands out counts for the time since the
 * call before (doc/theory.md §10).  The threshold follows, so that as much becomes due as the budget has room for.  Where it
 * has more room, it also gives pages that would be due at a quarter of the threshold; where there are 20 hosts or more, none
 * gets more than its share (options.host_share).
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_DUE_H
#define PERENNIAL_DUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/decider.h"
#include "perennial/page_state.h"
#include "perennial/validators.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The longest lease, a day: a crawler that took pages and was lost keeps them from others no longer. */
#define PRN_LEASE_MOST_S 86400.0

/* The time after which a page that cannot be read is met again. */
#define PRN_UNREADABLE_AGAIN_S 86400.0

struct prn_due_request {
	int64_t now;
	size_t limit; /* at most this many */

	/* > 0: they are not given again until they come back or this has passed; 0: takes no leases and changes
	 * nothing.  At most PRN_LEASE_MOST_S */
	double lease_s;
};

struct prn_due {
	const char *url; /* as first spelled; the list's */
	double weight, value;
	int64_t due;        /* since when; after now: it is given before its time */
	int64_t lease;      /* when the lease runs out; PRN_TIME_UNKNOWN: only looked at */
	enum prn_next reason; /* what made it due */
	struct prn_validators validators; /* of the version that it has, to be sent along; none given for a page that must
	                                   * come whole */
};

/* Owns its memory, which one list after another reuses: _init, prn_decider_due …, _release. */
struct prn_due_list {
	struct prn_due *items; /* [count] */
	size_t count;
	bool over_budget; /* the store's budget ended the list: more is due, and the limit was not reached */
	int64_t next; /* when there may be more, unless something comes back before: now, where the limit was reached; later
	               * than now; or PRN_TIME_UNKNOWN: nothing is known to become due */

	uint64_t unreadable; /* pages that were met and cannot be read: passed over, as said below */
	struct prn_error first_unreadable; /* of the first of them: which, and why */
	uint64_t damaged_shards; /* of a store of several: that are damaged, were removed or do not answer, and were passed over likewise */
	struct prn_error first_damaged; /* of the first of them: which, and why */

	char *text; /* private, as all below */
	size_t item_capacity, text_length, text_capacity;
};

void prn_due_list_init(struct prn_due_list *list);
void prn_due_list_release(struct prn_due_list *list);

/*
 * Fills the list.  With a lease it first commits what is staged and counts leases that have run out as failures of their
 * pages (outcome.h), and the new leases are durable when it returns.  Without a lease it changes nothing, may be called in a
 * store opened for reading, and there by any thread, and does not see what is staged.  It then shows what a call with a lease
 * would hand out as far as hosts allow, whatever the budget has room for.
 *
 * All pages of the list may be fetched now.  With a lease a page that is no longer due at the present threshold is queued
 * again. A page whose host may not be asked now (Retry-After, host delay, host limit, hours of the day, the host's share of
 * the budget) waits for the host, apart from the due queue, and is given as soon as the host may be asked: its delay is over,
 * or a page of it came back or was forgotten, or a lease ended.  Pages that wait are taken together with the due queue, by
 * how long they have been due, from each host whose turn it is; the fewer such hosts there are, the more from each.  At most
 * 16 slices are looked at, and as many waiting pages.  A host limit that is raised takes effect for waiting pages with the
 * next of these events.
 *
 * A page that cannot be read, because its record is damaged or the policy cannot read its state, stops nothing.  It is passed
 * over, told in list->unreadable, and with a lease put off by a day, and no longer leased or waiting for its host: so calls
 * do not meet it each time, and it is told once a day until it can be read.  It is not set aside for good, because a policy
 * that a program brought may be built anew and read its states again.  Only the time when it is due is changed: the next
 * report of the page makes it begin anew (outcome.h), and so does 'perennial check --repair'.  Queue entries of pages that
 * are not there, or are queued elsewhere, are taken out.
 *
 * In a store of several shards, a shard that is damaged or was removed, or does not answer though the store's root does, stops
 * nothing either: the others give what they have,
 * and each call that asks such a shard tells it in list->damaged_shards.  Where there are more than 64 shards, those known to
 * have something due are asked first, and then some of the others; of up to 4096 a list is empty only where nothing is due in
 * any, whoever has written to it, which costs a question for each that nobody has written to since it was asked: 1,043
 * operations of a cluster for 1,024 shards.  Of more, some 80 are looked at in a call that has nothing, in about ten lists of
 * them (1,537 operations for 20,000 shards), and list->next is in a second.  So it is wherever a shard was not looked at and
 * the list is not full.
 *
 * Leases are counted by a clock that is never set back: the furthest now at which pages were handed out, and where now is
 * behind that, the time that has passed since by the calls' clocks: at most two hours between two calls, and as much where
 * now is set back by as much (more than a minute); a day at most. So a clock that is set back, and later comes forward again
 * to where it was, causes nothing to be given twice within a lease, where calls are at most two hours apart; a clock that
 * shows a time further ahead than any before ends leases early.
 *
 * If the clock ran ahead in an earlier call, nothing is lost: what that call put out of reach becomes due, and its leases end
 * without counting as failures of their pages, when the clock has gone on for PRN_LEASE_MOST_S behind it, counting at most
 * two hours between two calls, and was not set back by more than a day meanwhile; or at a prn_decider_release_all.
 *
 * PRN_E_ARGUMENT	lease_s is not from 0 to PRN_LEASE_MOST_S; now is PRN_TIME_UNKNOWN; or the store is open for reading, and there is to be a lease
 * PRN_E_VERSION	a page's state was written by a newer program, which alone can say when it is due
 * Errors of views and commits
 */
int prn_decider_due(struct prn_decider *decider, const struct prn_due_request *request, struct prn_due_list *list,
                    struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
