/*
 * The share of a store's budget that one host may have.  It keeps a site, however many addresses it makes up, from taking the
 * fetches of other hosts (decider.h, host_share).
 *
 * The cost of a host's pages that are handed out is added to what it has spent, which is paid off at the rate of its share.  A
 * host may be in debt by an hour's share plus its share of what the budget has left over, so that a store that is asked once a
 * day gives a day's pages.
 */
#ifndef DECIDE_SHARE_H
#define DECIDE_SHARE_H

#include "decide/host.h"

struct prn_share {
	bool counted; /* there is a budget, so the costs of hosts are counted */
	double per_s; /* paid off in a second */
	double most;  /* the most that a host may have spent, including 1 for the page to be handed out; at least 1, or INFINITY */
};

/* The share without a budget: every host may have all. */
struct prn_share prn_share_none(void);

/* The share of a budget of which `left` is left now.  shared: there are enough hosts to share it */
struct prn_share prn_share_of(double share, double budget_per_day, double left, bool shared);

/* The time, not before now, from which the host's share allows a page. */
int64_t prn_share_opens(const struct prn_share *share, const struct prn_host *host, int64_t now);

/* Counts the cost of a page that is handed out. */
void prn_share_spend(const struct prn_share *share, struct prn_host *host, double cost, int64_t now);

#endif
