/*
 * The share of a store's budget that one host may have.  It keeps a site, however many addresses it makes up, from taking the
 * fetches of other hosts (decider.h, host_share).
 *
 * The cost of a host's pages that are handed out is added to what it has spent, which is paid off at the rate of its share.  A
 * host may be in debt by an hour's share, and by its share of what a budget has left over, so that a store that is asked once
 * a day gives a day's pages.
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

/* The share without a budget: every host may have all. */
struct prn_share prn_share_none(void);

/* The share of a budget per day of which so much is left now; shared: there are enough hosts to share it. */
struct prn_share prn_share_of(double share, double budget_per_day, double left, bool shared);

/* The time, not before now, from which the host's share allows a page. */
int64_t prn_share_opens(const struct prn_share *share, const struct prn_host *host, int64_t now);

/* Counts a page that costs this. */
void prn_share_spend(const struct prn_share *share, struct prn_host *host, double cost, int64_t now);

#endif
