/*
 * Pages that redirects lead to: which of them become pages, and how many.  What a page's redirects may add is counted
 * against its host, and against its site while what they added has no content.
 */
#ifndef DECIDE_REDIRECTS_H
#define DECIDE_REDIRECTS_H

#include "decide/decider_internal.h"
#include "perennial/observation.h"

/* What was observed of the page in hand. */
struct prn_redirect {
	struct prn_decider *decider;
	struct prn_entry *entry;
	const struct prn_observation *observation;
	int64_t now;
	struct prn_error *error;
};

struct prn_redirected {
	bool added, refused; /* its target, which was not a page before */
	bool step; /* a redirect brought the page, and at its first visit it sends its visitor on to where nobody has been: it was
	            * a step on the way, or each fresh address of a site would be visited for good */
};

/* Whether it is a redirect to a page. */
bool prn_redirect_leads_elsewhere(const struct prn_observation *observation);

/* Stages the target, which is a page of its own, if there is to be one more.  Errors of the store and batches */
int prn_redirect_follow(const struct prn_redirect *redirect, struct prn_redirected *to);

/* A page that a redirect brought has content: it counts no more among those that have not.  Errors likewise */
int prn_redirect_has_content(const struct prn_redirect *redirect);

/*
 * The target is no page, and is not to become one by a fetcher that follows redirects by itself and is about to report it;
 * whether what is observed was such a target a moment ago.
 */
void prn_redirect_refuse(struct prn_decider *decider, const char *target, int64_t time);
bool prn_redirect_was_refused(struct prn_decider *decider, const struct prn_observation *observation);

#endif
