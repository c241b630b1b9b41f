/*
 * How often a page changes, from what its captures saw: by maximum likelihood (Cho eq. 6.3) with half a visit more that
 * saw no change.  At even intervals that is the corrected ratio (Cho §6.4.2), which has next to no bias; and a page that
 * was never seen without a change, whose rate has no likeliest value, gets one that follows from how often it was looked
 * at: log(2n + 1) changes between two of n captures.
 */
#ifndef LONGEVITY_CHANGE_RATE_H
#define LONGEVITY_CHANGE_RATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the changes per unit of waits[count], the times between captures, each > 0; changed[i] says whether the page changed
 * in waits[i].  If it never did, 1/λ is the sum of waits and the half visit; without waits the rate is 0.
 */
double prn_change_rate(const double *waits, const bool *changed, size_t count);

#endif
