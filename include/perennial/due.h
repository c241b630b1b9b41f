/*
 * What to fetch now: pages whose time has come, most valuable first.
 *
 * A page's value is W U(time since its last visit), what a visit is worth by its curve now (OP §2.2).  For a page
 * whose policy learns no curve it is as if its divergence grew in a straight line and the value reached T when the
 * page became due; for one never visited, T W and one W more for each day of waiting: nothing is fresher than not
 * to be there at all.
 *
 * A backlog is taken in slices by due time, four times as long as the limit and at least 1000 pages; the order is
 * by value within a slice.  After a downtime pages come out by value as fast as they are asked for, not all at
 * once.
 *
 * Where the store has a budget, pages are paced: what was not used accrues, up to a day's budget, no more than a day's
 * are handed out within a day, and a new store begins with an hour's; what a call is given counts in the time since
 * the call before (doc/theory.md §10).  The threshold follows, so that what is due is what the budget has room for,
 * and where it has more, pages are given that a quarter of the threshold would have due; where there are 20 hosts or
 * more, none has more than its share (options.host_share).
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

/* A lease is at most a day: a crawler that took pages and was lost keeps them from others no longer. */
#define PRN_LEASE_MOST_S 86400.0

/* After which a page that cannot be read is met again. */
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
	uint64_t damaged_shards; /* of a store of several: that are damaged or were removed, and were passed over likewise */
	struct prn_error first_damaged; /* of the first of them: which, and why */

	char *text; /* private, as all below */
	size_t item_capacity, text_length, text_capacity;
};

void prn_due_list_init(struct prn_due_list *list);
void prn_due_list_release(struct prn_due_list *list);

/*
 * Fills the list.  With a lease it first commits what is staged and takes leases that have run out as failures of
 * their pages (outcome.h), and when it returns the new leases are durable.  Without one it changes nothing, may
 * be called in a store opened for reading, and there by any thread; what is staged is not seen.  It shows what a call with
 * a lease would hand out by what hosts allow, whatever the budget has room for.
 *
 * What is handed out may be fetched now.  With a lease a page that is due no more at the present threshold is queued again.
 * One whose host may not be asked now (Retry-After, host delay, host limit, hours of the day, the host's share of the budget)
 * waits for the host, apart from what is due, and is given as soon as the host may be asked: its delay is over, and a page
 * of it came back or was forgotten, or a lease ended.  Pages that wait are taken
 * by how long they have been due, with what is due: of each host whose turn it is, the fewer such hosts the more.  At most
 * 16 slices are looked at, and as many pages that wait.  A host limit that is raised holds for pages that wait from the
 * next of these events on.
 *
 * One page that cannot be read stops nothing: one whose record is damaged, or of whose state the policy cannot read what it
 * packed.  It is passed over, told in list->unreadable, and with a lease put a day behind, off its lease or host: each call does not
 * meet it again, and it is told once a day until it can be read.  It is not set aside for good, for a policy that a program
 * brought may be built anew, and reads its states again then.  Nothing of it is changed but when it is due: whoever reports
 * it has it begin anew (outcome.h), and so does 'perennial check --repair'.  What a queue has of a page that is not there, or stands elsewhere, is taken out.
 *
 * Of a store of several shards, one that is damaged or was removed stops nothing either: the others give what they have, and with
 * each call that asks it, it is told in list->damaged_shards.  Where there are more than 64 shards, those are asked first of which it is
 * known that something is due, and then some of the others; but a list is empty only where nothing is due in any.  What one process has
 * asked, and not written to since, it takes for what it was for a minute.
 *
 * Leases are counted by a clock that is never set back: the furthest now at which pages were handed out, and where now is behind that
 * what calls say has passed since: of each two hours at most, and as much where now is set back by as much (more than a minute); a day at
 * most.
 * So a clock that is set back and comes forward again, as far as it was, is given nothing twice within a lease, where calls are at most
 * two hours apart; one that shows a time further ahead than any before ends leases early.
 *
 * A clock that ran ahead in an earlier call loses nothing: what that call put out of reach is due, and its leases end, without being
 * failures of their pages, when the clock has gone on for PRN_LEASE_MOST_S behind it, by two hours with a call at most, and was not set
 * back by more than a day meanwhile; or by prn_decider_release_all.
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
