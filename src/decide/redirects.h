/*
 * Targets of redirects: which of them become pages, and how many.  The pages that redirects add are counted against the host
 * of the page that redirects, and against its site while they have no content.
 */
#ifndef DECIDE_REDIRECTS_H
#define DECIDE_REDIRECTS_H

#include "decide/decider_internal.h"
#include "perennial/observation.h"

/* An observation of the page in hand, which may be a redirect. */
struct prn_redirect {
	struct prn_decider *decider;
	struct prn_entry *entry;
	const struct prn_observation *observation;
	int64_t now;
	struct prn_error *error;
};

struct prn_redirected {
	bool added, refused; /* the target, which was not a page before, was added or refused */
	bool step; /* the page was brought by a redirect, and at its first visit redirects to a page that was not known: it was only
	            * a step on the way, and is not visited again, or each fresh address of a site would be visited for good */
};

/* Whether the observation is a redirect to a page. */
bool prn_redirect_leads_elsewhere(const struct prn_observation *observation);

/* Stages the target as a page of its own, if one more may be added.  Errors of the store and batches */
int prn_redirect_follow(const struct prn_redirect *redirect, struct prn_redirected *to);

/* Notes that a page that a redirect brought has content, and no longer counts among those without.  Errors as _follow */
int prn_redirect_has_content(const struct prn_redirect *redirect);

/*
 * _refuse refuses a target, which is not a page: it must not become one through a fetcher that follows redirects by itself and
 * is about to report it.  _was_refused: whether the observed page was such a target a moment ago.
 */
void prn_redirect_refuse(struct prn_decider *decider, const char *target, int64_t time);
bool prn_redirect_was_refused(struct prn_decider *decider, const struct prn_observation *observation);

#endif
