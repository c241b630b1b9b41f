/*
 * Hints for a decider: a source says that a page has changed, or that it is there (hint.h), and the decider weighs that by
 * how often the source proved true on the page's host (trust.h).
 *
 * A hint makes no page due by itself.  It adds to the time that is thought to have passed since the page's last visit, as
 * far as its source is trusted, and a source is trusted as far as visits that were made anyway found what it had told.
 * A source that has named a page is watched there from then on: what it does not tell counts against it as well.
 *
 * Hints are idempotent: one that is told again, or whose change is not after that which the source told before, or that was
 * fetched already, changes nothing.
 *
 * Whoever may put a file somewhere on a host is not to speak for all of it: where a host's places for sources are short, one that
 * is known by its URL leaves its own to one that is nearer to the root, and such as are not at the root add half of
 * options.hinted_per_host.  Among what is observed a sitemap speaks for its own folder (options.hints), and in the name of the
 * index that lists it, if there is one in the same folder or above: a host's robots.txt is one at its root.
 */
#ifndef PERENNIAL_HINTING_H
#define PERENNIAL_HINTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/decider.h"
#include "perennial/error.h"
#include "perennial/hint.h"
#include "perennial/hints.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_SOURCE_BYTES 200 /* of a source's name as it is shown: they are told apart by all of it */

/* Of one host PRN_HOST_SOURCES (hints.h) have a place; one that was silent for 90 days is dropped. */

enum prn_hinted {
	PRN_HINTED_TAKEN,     /* counted */
	PRN_HINTED_ADDED,     /* the page was not known: it is to be visited at once */
	PRN_HINTED_NAMED,     /* it tells no change that was not fetched yet */
	PRN_HINTED_DUPLICATE, /* it was told before */
	PRN_HINTED_SOON,      /* another one of this source was counted less than the page's least interval ago */
	PRN_HINTED_FUTURE,    /* of a change that is still to come */
	PRN_HINTED_UNKNOWN,   /* not a page here, and not added: known_only, or retired, or its URL has a user or password, or is private to a
	                       * network (RFC 6890) and the source is no document on such a host */
	PRN_HINTED_FULL,      /* not a page here, and the host's hints have added what they may */
	PRN_HINTED_LIMIT,     /* the source had options.hints_per_day counted for the host, or the host has PRN_HOST_SOURCES */
};

#define PRN_HINTEDS 9

/* "taken", "added", …; "?" for any other value.  Static. */
const char *prn_hinted_name(enum prn_hinted hinted);

/*
 * Stages what a hint comes to; now as for prn_decider_observe, but known.  A hint that tells no time of a change, but says
 * that there was one, is of one at its own time; if it does not, it only names the page.
 *
 * PRN_E_ARGUMENT	opened for reading; now is not known; or the hint has no url or no source, or its normal_url is not what
 *		prn_url_normalize makes of url
 * PRN_E_INPUT	another URL in the store has its page's key
 * PRN_E_VERSION	the page's state was written by a newer program
 * Errors of batches
 */
int prn_decider_hint(struct prn_decider *decider, const struct prn_hint *hint, int64_t now, enum prn_hinted *hinted,
                     struct prn_error *error);

/*
 * Hints of a document, such as a sitemap, into a decider; those that tell no time are of now.
 *
 *	struct prn_hinter hinter = { .decider = decider, .now = now };
 *
 *	prn_hint_read(body, length, &options, prn_hinter_take, &hinter, &hinter.read, &error)
 *
 * *error is hinter.error when it was prn_hinter_take that ended the reading.
 */
struct prn_hinter {
	struct prn_decider *decider;
	int64_t now;
	size_t commit_most; /* commits when so many changes are staged; 0: never, the caller does; of a store that is shared 0 or 1 */
	void (*report)(void *context, const struct prn_hint *hint, enum prn_hinted hinted); /* of each; may be NULL */
	void *context;
	struct prn_hint_counts read;
	uint64_t hinted[PRN_HINTEDS]; /* how many came to what */
	struct prn_error error;
};

/* A prn_hint_fn; context is a struct prn_hinter. */
int prn_hinter_take(void *context, const struct prn_hint *hint);

/* What a source has told of a host's pages, as the last commit left it. */
struct prn_hint_source {
	const char *host, *source; /* valid during the call */
	int64_t named;             /* when it last named a page */
	double hints;              /* that were counted, and after which the page was visited */
	double trust;              /* the share of changes that it is taken to tell, 0 … 1 */
	/*
	 * Of the visits after a hint the share that found other text; of those that found other text the share that came after a
	 * hint; and of all visits that share: hints say something as far as recall is above it.  NaN: no such visits yet.
	 */
	double precision, recall, hinted_share;
	double hinted, changed, both; /* the visits behind these: after a hint; that found other text; both.  Older ones fade */
	double visits;                /* and all of them, since it spoke first */
};

/* Called for each source; *source is valid during the call. */
typedef int prn_hint_source_fn(void *context, const struct prn_hint_source *source);

/* Shards of a store that were passed over, because they are damaged or gone: nothing of them was told, or not all. */
struct prn_passed_shards {
	uint64_t count;
	struct prn_error first; /* of the first of them: which, and why */
};

/*
 * Calls take for every source of every host, in the order of hosts, of several shards one shard after the other.  passed (NULL: one
 * that is damaged or gone ends it): those that were passed over.  Errors of views, and what take returned
 */
int prn_decider_sources(struct prn_decider *decider, prn_hint_source_fn *take, void *context, struct prn_passed_shards *passed,
                        struct prn_error *error);

/* What a source is by its name, which is anybody's to choose: a few kinds for counting. */
enum prn_source_kind {
	PRN_SOURCE_DOCUMENT, /* a URL: a sitemap or feed that was observed, or an index of sitemaps */
	PRN_SOURCE_SITEMAP,  /* "sitemap", "feed", "indexnow": what is given without a name is called so */
	PRN_SOURCE_FEED,
	PRN_SOURCE_INDEXNOW,
	PRN_SOURCE_OTHER,
};

#define PRN_SOURCE_KINDS 5

enum prn_source_kind prn_source_kind(const char *name);

/* "document", "sitemap", "feed", "indexnow", "other"; "?" for any other value.  Static. */
const char *prn_source_kind_name(enum prn_source_kind kind);

/* What sources of a kind have come to together, on all hosts. */
struct prn_source_sum {
	uint64_t sources; /* one of several hosts counts on each */
	double trust;     /* of all of them, summed */
	double hints, hinted, changed, both, visits; /* as in struct prn_hint_source */
};

/* As in struct prn_hint_source; trust is their mean, 0 without sources. */
double prn_source_sum_trust(const struct prn_source_sum *sum);
double prn_source_sum_precision(const struct prn_source_sum *sum);
double prn_source_sum_recall(const struct prn_source_sum *sum);
double prn_source_sum_hinted(const struct prn_source_sum *sum);

#ifdef __cplusplus
}
#endif

#endif
