/*
 * The first pages of a store in some order, for a person who wants to see pages and has not asked for a URL.
 *
 * A store keeps its pages in the order of their next visits, and keeps suspect pages apart.  It has no other order.  For any
 * other, a bounded number of pages is read: all of a small store, and a sample of a larger one.  The sample does not depend on
 * sites or URLs, because pages are stored in the order of digests.
 */
#ifndef DECIDE_LISTING_H
#define DECIDE_LISTING_H

#include "decide/decider_internal.h"

enum prn_listing_by {
	PRN_LISTING_NEXT,     /* by their next visits, the earliest first; without pages that are out or wait for hosts */
	PRN_LISTING_VALUE,    /* by what a visit is worth now (due.h), the most first; without pages that are out or retired */
	PRN_LISTING_VISITS,   /* by visits that brought content, the most first; only pages that had one */
	PRN_LISTING_FAILURES, /* by failures since the last such visit, the most first; only pages that had one and are not retired */
	PRN_LISTING_SUSPECT,  /* suspect pages by their last attempts, the latest first */
	PRN_LISTINGS,         /* how many */
};

struct prn_listed {
	struct prn_digest key;
	char *url; /* as first spelled; owned by the listing */
	double weight, value;
	enum prn_page_status status;
	uint32_t visits, failures;
	int64_t visited, attempted; /* PRN_TIME_UNKNOWN: never */
	int64_t next;               /* likewise */
	int64_t lease;              /* PRN_TIME_UNKNOWN: it is not out */
	enum prn_next reason;       /* of next */
	bool waits;                 /* for its host */
	double rank;                /* private: the highest is first */
};

#define PRN_LISTING_MOST 100    /* pages of a listing */
#define PRN_LISTING_LOOK 20000  /* pages that are read, unless fewer are asked for: about 0.1 s */
#define PRN_LISTING_QUEUED 2000 /* pages that are read in addition for PRN_LISTING_VALUE, by their next visits */

/* Owns its memory, which one call after another reuses: _init, prn_decider_list …, _release. */
struct prn_listing {
	struct prn_listed items[PRN_LISTING_MOST]; /* [count] */
	size_t count;
	bool whole;          /* all pages that might belong here were read */
	uint64_t looked;     /* pages that were read */
	uint64_t found;      /* of them, those that would belong here if the listing had no limit */
	uint64_t unreadable; /* of them, those that cannot be read (due.h) */
	uint64_t damaged_shards; /* shards of which no pages are listed */
};

void prn_listing_init(struct prn_listing *listing);
void prn_listing_release(struct prn_listing *listing);

/*
 * Lists limit pages, at most PRN_LISTING_MOST, in the order by, at now, as the last commit left them.  look: how many pages
 * are read where the store has no such order, at least limit.  In a store of several shards each shard is asked for its
 * part of the pages, and the best of all are listed.  Any thread may call it while nothing changes the decider's options.
 * Errors of views; PRN_E_ARGUMENT: by is no such order, or limit or now is outside its range
 */
int prn_decider_list(struct prn_decider *decider, enum prn_listing_by by, int64_t now, size_t limit, size_t look,
                     struct prn_listing *listing, struct prn_error *error);

#endif
