/*
 * The share of a store's budget that one host may have: what keeps a site, however many addresses it makes up, from the
 * fetches of the others (decider.h, host_share).
 *
 * What a host's pages that are handed out cost is counted in what it has spent, which is paid off at the rate of its
 * share.  It may be an hour's share in debt; and its share of what a budget has left over, so that a store that is
 * asked once a day gives a day's pages.
 */
#ifndef DECIDE_SHARE_H
#define DECIDE_SHARE_H

#include "decide/host.h"

struct prn_share {
	bool counted; /* there is a budget: what hosts have had of it is counted */
	double per_s; /* paid off */
	double most;  /* that may have been spent, with one of the page to be handed out: at least 1; INFINITY: any
	               * number */
};

/* Every host may have all, of no budget. */
struct prn_share prn_share_none(void);

/* Of a budget per day of which so much is left for now; shared: there are hosts enough to share it. */
struct prn_share prn_share_of(double share, double budget_per_day, double left, bool shared);

/* From when on, not before now, the host's share allows a page. */
int64_t prn_share_opens(const struct prn_share *share, const struct prn_host *host, int64_t now);

/* Counts a page that costs this. */
void prn_share_spend(const struct prn_share *share, struct prn_host *host, double cost, int64_t now);

#endif
