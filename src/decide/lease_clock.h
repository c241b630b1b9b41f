/*
 * The clock that leases are counted by.  It is never set back: it is the furthest time at which pages were handed out, plus the time that
 * has passed since by the calls behind that time.  If the system's clock is set back and comes forward again no further than it was, no
 * page is handed out twice while it is on lease.  Leases end early only where a clock shows a time further ahead than any before, because
 * that much time may really have passed.
 *
 * While a clock is behind the furthest time, each call adds the time since the call before, at most two hours.  Each time that the clock is
 * set back adds as much as it was set back by, at most two hours, because nobody knows how long it was until then.  At most a day is
 * counted in this way.  If a clock is set back by less than the time since the call before, leases may end early by the difference.  They
 * may also end a minute early, because the clocks of machines may differ by that much.
 *
 * A clock that was ahead once, and is right again, advances below the furthest time.  When it has advanced for as long as the longest lease,
 * counted as above but since it was last set back by more than a day, the furthest time is forgotten: leases from before it was set back
 * are over, and leases that were taken behind the furthest time last for the rest of their time by the present clock
 * (prn_decider_void_ahead).  If calls come every x seconds, the furthest time is forgotten a day after the first call behind it where x
 * divides two hours, up to x later where it does not, and 12 x after it where x is two hours or more.  It cannot be forgotten sooner: if a
 * clock was set back wrongly and is corrected before that, only the known furthest time prevents handing pages out twice.
 *
 * The clock is in the settings of the store (of a shard, in those of its root) as "lease-clock": the numbers below as text, separated by
 * spaces; the last two only once a furthest time was forgotten.
 */
#ifndef DECIDE_LEASE_CLOCK_H
#define DECIDE_LEASE_CLOCK_H

#include "decide/decider_internal.h"

struct prn_lease_clock {
	int64_t furthest; /* PRN_TIME_UNKNOWN: nothing was handed out so far */
	int64_t reached;  /* the last time of a clock that is behind; PRN_TIME_UNKNOWN: it is not behind */
	int64_t passed_s; /* counted since the furthest time */
	int64_t gone_s;   /* how far the clock has advanced since it was set back */
	int64_t left;     /* the least time that leases counted from when a furthest time was last forgotten, or PRN_TIME_UNKNOWN … */
	int64_t left_at;  /* … and the clock then */
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
