/*
 * The outcome of an observation: when the page is visited next, and why.
 *
 * The policy is told of content, of a 304 or a body of the same bytes as divergence 0, and of a redirect as its Location; the
 * target becomes a page of its own.  404 and 410 several times in a row retire the page.  429, and 503 with a Retry-After,
 * delay the host (429 without one as long as a first failure delays a page).  Other failures, among them redirects to
 * themselves, are tried again with back-off; the policy is told of no failure.  A near-total change of a page that usually
 * changes little is held back as suspect until an early second visit: if that is as far from all versions kept, the policy is
 * told of both visits, else only of the second.
 *
 * What redirects add is bounded; otherwise a page that leads to a fresh address at each visit would take all fetches.  A host
 * may add redirects_per_host pages, which its own record counts, and a site five (or redirect_chain, if that is more) of its
 * own that have no content: content at the end of a chain gives back the whole chain.  A chain, from a page that somebody
 * named, ends after redirect_chain; and a page that a redirect brought brings at most one more.  So one host's pages can
 * bring at most the product of these, whatever other hosts the chains lead over.  A page that has only moved (its URL differs
 * in nothing but http or https, a leading "www.", a slash at the end) is added and not counted: there are only eight of
 * those. A target that was refused is refused as well when it is reported within an hour, as by a fetcher that follows
 * redirects by itself.
 */
#ifndef PERENNIAL_OUTCOME_H
#define PERENNIAL_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "perennial/decider.h"
#include "perennial/observation.h"
#include "perennial/page_state.h"

#ifdef __cplusplus
extern "C" {
#endif

enum prn_outcome_kind {
	PRN_OUTCOME_OBSERVED,     /* content, told to the policy */
	PRN_OUTCOME_SAME,         /* 304, a revisit of what is the same or is not known, or the same bytes */
	PRN_OUTCOME_REDIRECT,     /* told to the policy */
	PRN_OUTCOME_SUSPECT,      /* held back until the second visit */
	PRN_OUTCOME_CONFIRMED,    /* the suspect was true: told, and this visit too */
	PRN_OUTCOME_DISMISSED,    /* the suspect was not: dropped, this visit told */
	PRN_OUTCOME_ERROR,        /* back-off */
	PRN_OUTCOME_HOST_DELAYED, /* back-off, and nothing of its host before host_until */
	PRN_OUTCOME_GONE,         /* back-off: not yet often enough to retire it */
	PRN_OUTCOME_RETIRED,

	/* Refused: nothing of the page has changed. */
	PRN_OUTCOME_DUPLICATE,  /* an attempt of this very time is known (after a failure, content still counts).  What it tells other shards,
	                         * of a redirect's target or a giant host, is told once more: a process may have died before that was known */
	PRN_OUTCOME_PAST,       /* not after the page's last attempt */
	PRN_OUTCOME_FUTURE,     /* after now */
	PRN_OUTCOME_UNKNOWN,    /* not in the store, and known_only, or media_of_pages and it is none; or within an hour of being refused as a target */
	PRN_OUTCOME_UNRESOLVED, /* a revisit of a capture that is not known: of another page, or of a page of which there is no copy */
	PRN_OUTCOME_STALE,      /* not summarised, and the page's body is not the one it was: make it again with 0 */
};

#define PRN_OUTCOMES 16

/* "observed", "same", …; "?" for any other value.  Static. */
const char *prn_outcome_name(enum prn_outcome_kind kind);

static inline bool prn_outcome_is_refusal(enum prn_outcome_kind kind)
{
	return kind >= PRN_OUTCOME_DUPLICATE;
}

struct prn_outcome {
	enum prn_outcome_kind kind;
	enum prn_next reason; /* of next */
	int64_t next;         /* PRN_TIME_UNKNOWN: none */
	double period_s;      /* from this visit to next; INFINITY: none */
	double divergence;    /* from the version before, or the nearest kept, in [0, 1]; 0: none, or no content */
	double utility;       /* W U at next by the curve as it is now, divergence-days; 0: no curve */
	int64_t host_until;   /* if HOST_DELAYED */
	unsigned cut;         /* bits of PRN_CUT_* (extractor.h): the page was read in part; 0 also of a refusal */
	bool not_modified;    /* it was a 304; else what brought the same came as a body, or a record that says so */
	uint64_t bytes;       /* of the body that came (observation.h) */
	bool added;           /* the page was not there before */
	bool anew;            /* it was, but cannot be read (due.h): what was known of it is lost, and it begins anew */
	bool target_added;    /* nor was the target of its redirect */
	bool target_refused;  /* nor was it, and it was not added: the host or the chain has brought its share already, or it
	                       * is private to a network, or has a user or password */
	uint32_t hints, pages_hinted; /* of a sitemap or feed: hints that counted, pages that they added (options.hints) */
};

/*
 * Stages an observation.  Refusals are outcomes, not errors; next is then as it was.  The report of a page that cannot be
 * read (due.h) is not lost: the page begins anew with it, and the outcome says so.
 *
 * now is the present time, or PRN_TIME_UNKNOWN: then it is the observation's own time, and nothing is in the future.  With a
 * known now, an earlier attempt that is recorded as more than a day (and future_s) after now was made when the clock was
 * wrong: it does not shut out this one, but is taken to have been as long before it as the page's next visit was to be after
 * it.
 *
 * PRN_E_ARGUMENT	the observation has no time, or was made with another limit than prn_decider_summary; or the store is open for reading
 * PRN_E_VERSION	the page's state was written by a newer program: nothing of it is lost; or it is of content, and the
 *		store's fragments are of an older rule (prn_decider_take_rule)
 * PRN_E_INPUT	another URL in the store has its page's key; or its url is not one, PRN_E_LIMIT: too long
 * Errors of batches
 */
int prn_decider_observe(struct prn_decider *decider, const struct prn_observation *observation, int64_t now,
                        struct prn_outcome *outcome, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
