/*
 * How lanes (store.h) lie in a queue: the time in a queue's key, and the due time as a record's bytes have it, are earlier by what
 * the lane has, so that pages that were never fetched come first, then those that were tried in vain, then all others.  Older programs
 * had no lanes: they find all pages in the one queue, and what they queued stands in the last lane until it is written again.
 */
#ifndef STORE_LANE_H
#define STORE_LANE_H

#include "perennial/store.h"

/* How much earlier. */
static inline int64_t prn_lane_shift(enum prn_lane lane)
{
	return lane == PRN_LANE_NEW ? INT64_C(1) << 62 : lane == PRN_LANE_VAIN ? INT64_C(1) << 61 : 0;
}

/* The first time that a key may have in a lane. */
static inline int64_t prn_lane_first(enum prn_lane lane)
{
	return lane == PRN_LANE_NEW ? INT64_MIN : -prn_lane_shift(lane) - (INT64_C(1) << 60);
}

/* The lane of a time that a key has, and the time without what the lane has; PRN_TIME_UNKNOWN is in none. */
static inline enum prn_lane prn_lane_of(int64_t keyed)
{
	return keyed == PRN_TIME_UNKNOWN || keyed >= prn_lane_first(PRN_LANE_KNOWN) ? PRN_LANE_KNOWN
	       : keyed >= prn_lane_first(PRN_LANE_VAIN)                             ? PRN_LANE_VAIN
	                                                                            : PRN_LANE_NEW;
}

static inline int64_t prn_lane_leave(int64_t keyed)
{
	return keyed + prn_lane_shift(prn_lane_of(keyed));
}

/* And back. */
static inline int64_t prn_lane_enter(enum prn_lane lane, int64_t time)
{
	return time - prn_lane_shift(lane);
}

/* The lane of a page that is due at a time: the last one where no text can say the time, or there is none. */
static inline enum prn_lane prn_lane_for(enum prn_lane lane, int64_t due)
{
	return due >= PRN_TIME_FIRST && due <= PRN_TIME_LAST ? lane : PRN_LANE_KNOWN;
}

#endif
