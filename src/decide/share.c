#include "decide/share.h"

#include "base/clock.h"

#include <math.h>

#define DEBT_S 3600.0

struct prn_share prn_share_none(void)
{
	return (struct prn_share){ .most = INFINITY };
}

struct prn_share prn_share_of(double share, double budget_per_day, double left, bool shared)
{
	double per_s = share * budget_per_day / PRN_DAY_S;

	return (struct prn_share){ true, per_s,
		                   share < 1 && shared ? fmax(1, per_s * DEBT_S + share * left) : INFINITY };
}

/* The amount that was spent and is not paid off. */
static double owed(const struct prn_share *share, const struct prn_host *host, int64_t now)
{
	/* Machines disagree on what time it is; a time far ahead is of a clock that was wrong. */
	if (host->spent_at == PRN_TIME_UNKNOWN || host->spent_at > prn_time_after(now, PRN_AHEAD_MOST_S))
		return 0;
	if (host->spent_at > now)
		return host->spent;
	return fmax(0, host->spent - ((double)now - (double)host->spent_at) * share->per_s);
}

int64_t prn_share_opens(const struct prn_share *share, const struct prn_host *host, int64_t now)
{
	double over = isinf(share->most) ? 0 : owed(share, host, now) + 1 - share->most;

	/* A sum of thirds is not quite one. */
	return over <= 1e-9 ? now : prn_time_after(now, ceil(over / share->per_s));
}

void prn_share_spend(const struct prn_share *share, struct prn_host *host, double cost, int64_t now)
{
	if (!share->counted)
		return;
	host->spent = owed(share, host, now) + cost;
	if (host->spent_at < now || host->spent_at > prn_time_after(now, PRN_AHEAD_MOST_S))
		host->spent_at = now;
}
