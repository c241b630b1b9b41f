/*
 * The clock that leases are counted by, which is never set back: the furthest time at which pages were handed out, and what calls behind
 * that say has passed since.  Whatever a clock does that is set back and comes forward again, as far as it was, nothing is handed out twice
 * while it is on lease.  Only one that shows a time further ahead than any before ends leases early: that may be a time that has passed.
 *
 * Behind the furthest what a call is later than the one before has passed, but two hours at most; and each time that the clock is set
 * back as much as it is set back by, two hours at most, for how long it was until then nobody knows.  A day at most is counted so.  Of one
 * that is set back by less than the time since the call before, leases may end early by the rest of that; and by a minute, for clocks of
 * machines may be as much apart.
 *
 * A clock that was ahead once, and is right again, goes on below that time.  Where it has gone on for as long as the longest lease, counted
 * as above but from when it was last set back by more than a day, the furthest time is forgotten: leases that were taken before it was set
 * back are over, and of those that were taken behind it what is left goes on by the clock as it is now (prn_decider_void_ahead).  With
 * calls that are x apart that is a day after the first call behind where x divides two hours, up to x later else, and 12 x from two hours
 * on.  It cannot be sooner: a clock that was set back wrongly, and is right again before, is given nothing twice only because the furthest
 * time is known still.
 *
 * In the settings of the store, of one of several shards in its root's, as "lease-clock": text, numbers apart by spaces, as below; without
 * the last two where nothing was forgotten so far.
 */
#ifndef DECIDE_LEASE_CLOCK_H
#define DECIDE_LEASE_CLOCK_H

#include "decide/decider_internal.h"

struct prn_lease_clock {
	int64_t furthest; /* PRN_TIME_UNKNOWN: nothing was handed out so far */
	int64_t reached;  /* where a clock is that is behind; PRN_TIME_UNKNOWN: it is not */
	int64_t passed_s; /* since the furthest, as it is counted */
	int64_t gone_s;   /* that the clock has gone on since it was set back */
	int64_t left;     /* what leases were counted from, at least, when a furthest time was last forgotten, or PRN_TIME_UNKNOWN … */
	int64_t left_at; /* … and the clock then */
};

/*
 * Reads the store's lease clock and brings it to now: *before is that clock, and *clock is the same after a call at now that
 * hands something out.  For a shard that its root asks, both are the root's, brought to now.  A damaged entry counts as none.
 * Errors of the store
 */
int prn_lease_clock_read(struct prn_lease_clock *clock, struct prn_lease_clock *before, const struct prn_decider *decider,
                         const struct prn_store_reader *reader, int64_t now, struct prn_error *error);

/* The new end of a lease that was to end beyond a furthest time that is forgotten; PRN_TIME_UNKNOWN: the lease is over. */
int64_t prn_lease_clock_move(const struct prn_lease_clock *clock, int64_t end);

/* The time at which leases that are taken now begin, not before now. */
int64_t prn_lease_clock_time(const struct prn_lease_clock *clock);

/* Stages the clock where it matters; used: leases were taken by it.  Errors of batches */
int prn_lease_clock_put(const struct prn_lease_clock *clock, const struct prn_lease_clock *before, bool used, struct prn_batch *batch,
                        struct prn_error *error);

#endif
