/*
 * How lanes (store.h) lie in a queue: the time in a queue's key, and the due time as a record's bytes have it, of a page in the lane
 * of new pages is LANE_S earlier, so that the lane comes before the other.  Older programs had no lanes, and find both kinds of pages
 * in the one queue.
 */
#ifndef STORE_LANE_H
#define STORE_LANE_H

#include "perennial/store.h"

#define PRN_LANE_S (INT64_C(1) << 62)

/* The first time that a key may have in a lane. */
static inline int64_t prn_lane_first(enum prn_lane lane)
{
	return lane == PRN_LANE_NEW ? INT64_MIN : -PRN_LANE_S / 2;
}

/* The lane of a time that a key has. */
static inline enum prn_lane prn_lane_of(int64_t keyed)
{
	return keyed < prn_lane_first(PRN_LANE_KNOWN) ? PRN_LANE_NEW : PRN_LANE_KNOWN;
}

/* The time that a key has for one in a lane; one that no text can say is in no lane of its own. */
static inline int64_t prn_lane_enter(enum prn_lane lane, int64_t time)
{
	return lane == PRN_LANE_NEW && time >= PRN_TIME_FIRST && time <= PRN_TIME_LAST ? time - PRN_LANE_S : time;
}

/* And back; PRN_TIME_UNKNOWN stays as it is. */
static inline int64_t prn_lane_leave(int64_t keyed)
{
	return keyed != PRN_TIME_UNKNOWN && prn_lane_of(keyed) == PRN_LANE_NEW ? keyed + PRN_LANE_S : keyed;
}

#endif
