#include "decide/cause.h"

/* A smaller difference than this share of a period is rounding. */
#define SLACK 1e-6

bool prn_cause_is_silence(const struct prn_explanation *page)
{
	return page->heard.rate > 0 && page->rule == PRN_REASON_RULE && page->period_days > page->unhinted_days &&
	       page->period_days < page->reaches_days * (1 - SLACK);
}

enum prn_cause prn_cause_of(const struct prn_explanation *page)
{
	if (page->next != page->policy_next)
		return PRN_CAUSE_MOVED;
	if (prn_cause_is_silence(page))
		return PRN_CAUSE_SILENCE;
	/* What hints say is worth a visit sooner, but hints have brought too many visits before their time. */
	if (page->heard.ahead > 0 && page->rule == PRN_REASON_RULE && page->reaches_days < page->period_days * (1 - SLACK))
		return PRN_CAUSE_EARNED;
	return page->has_curve ? PRN_CAUSE_CROSSED : PRN_CAUSE_OWN;
}
