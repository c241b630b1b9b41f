/*
 * The first pages of a store in some order, for a person who wants to see pages and has not asked for a URL.
 *
 * A store keeps its pages in the order of their next visits, and keeps suspect pages apart.  It has no other order.  For one,
 * a bounded number of pages is looked at: all of a small store, and a sample of a larger one.  The sample has nothing to do
 * with sites or URLs, because pages stand in the order of digests.
 */
#ifndef DECIDE_LISTING_H
#define DECIDE_LISTING_H

#include "decide/decider_internal.h"

enum prn_listing_by {
	PRN_LISTING_NEXT,     /* by their next visits, those whose time has come first; not those that are out, or wait for hosts */
	PRN_LISTING_VALUE,    /* by what a visit is worth now (due.h), the most first; not those that are out or retired */
	PRN_LISTING_VISITS,   /* by visits that brought content, the most first; those that had one */
	PRN_LISTING_FAILURES, /* by failures since the last of them, the most first; those that had one, and are not retired */
	PRN_LISTING_SUSPECT,  /* those that are, by their last attempts, the latest first */
	PRN_LISTINGS,         /* how many */
};

struct prn_listed {
	struct prn_digest key;
	char *url; /* as first spelled; the listing's */
	double weight, value;
	enum prn_page_status status;
	uint32_t visits, failures;
	int64_t visited, attempted; /* PRN_TIME_UNKNOWN: never */
	int64_t next;               /* likewise */
	int64_t lease;              /* PRN_TIME_UNKNOWN: it is not out */
	enum prn_next reason;       /* of next */
	bool waits;                 /* for its host */
	double rank;                /* private: the highest stands first */
};

#define PRN_LISTING_MOST 100    /* pages of a listing */
#define PRN_LISTING_LOOK 20000  /* pages that are looked at, unless fewer are asked for: some 0.1 s */
#define PRN_LISTING_QUEUED 2000 /* besides, of those whose next visits come first, for what a visit is worth */

/* Owns its memory, which one call after another reuses: _init, prn_decider_list …, _release. */
struct prn_listing {
	struct prn_listed items[PRN_LISTING_MOST]; /* [count] */
	size_t count;
	bool whole;          /* no page was left out that might stand here */
	uint64_t looked;     /* pages that were looked at */
	uint64_t found;      /* of them, those that might stand here, had it no end */
	uint64_t unreadable; /* of them, those that cannot be read (due.h) */
	uint64_t damaged_shards; /* of which nothing is in what is here */
};

void prn_listing_init(struct prn_listing *listing);
void prn_listing_release(struct prn_listing *listing);

/*
 * Lists limit pages, at most PRN_LISTING_MOST, in the order by, at now, as the last commit left them.  look: how many pages
 * are looked at where the store has no such order, at least limit.  In a store of several shards each shard is asked for its
 * part of the pages, and the best of all are listed.  Any thread may call it while nothing changes the decider's options.
 * Errors of views; PRN_E_ARGUMENT: by is no such order, or limit or now is outside its range
 */
int prn_decider_list(struct prn_decider *decider, enum prn_listing_by by, int64_t now, size_t limit, size_t look,
                     struct prn_listing *listing, struct prn_error *error);

#endif
