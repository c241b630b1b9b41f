/*
 * How the pages of a host drift, by URL pattern (siblings.h), in a side table by the host's name.  It is learned from visits
 * as they come, so that a new page is expected to be like its siblings.
 *
 * The sums hold the last evidence of each page, which it gives while it is young.  When a young page gives new evidence, its
 * earlier evidence, which follows from its own state, is taken out first.  Visits to other pages read and write nothing here.
 * So it must be known which evidence a sum has: it has that of exactly those pages whose last visit came after a time
 * (host_since, or a pattern's since).  Earlier visits count only in sums that began earlier.  A host has at most
 * PRN_SITE_PATTERNS patterns.  If there are more, those with most recent evidence are kept, and uncounted is the last visit that
 * none of them has.
 */
#ifndef DECIDE_SITE_DRIFT_H
#define DECIDE_SITE_DRIFT_H

#include "decide/decider_internal.h"
#include "perennial/siblings.h"

#define PRN_SITE_PATTERNS 40

struct prn_site_pattern {
	uint64_t number; /* prn_pattern_number */
	int64_t since;   /* evidence is of the pages whose last visit came after that … */
	int64_t last;    /* … and this was the last of these visits */
	uint32_t pages;  /* pages with any evidence */
	struct prn_evidence evidence;
};

struct prn_site_drift {
	struct prn_evidence evidence; /* of all the host's pages … */
	uint32_t pages;
	int64_t host_since; /* … whose last visit came after this time */
	int64_t uncounted;  /* the last visit that no pattern has; PRN_TIME_UNKNOWN: none */
	size_t count;
	struct prn_site_pattern patterns[PRN_SITE_PATTERNS]; /* [count] */
};

/* The number of a page's pattern; text receives its wording. */
uint64_t prn_pattern_number(const char *normal_url, char text[PRN_PATTERN_BYTES + 1]);

/*
 * Reads the evidence of a host.  If the entry is missing or damaged, or was written by a clock that ran ahead, the host is learned
 * from the visits after now or, if it is missing in a store that counted all visits, from all of them.  Errors of the store
 */
int prn_site_drift_read(struct prn_site_drift *site, const struct prn_store_reader *reader, struct prn_host_name host,
                        int64_t now, struct prn_error *error);

/*
 * Reads it without finding whether the store has counted all visits, for callers that only show it.  *is_there: there is an
 * entry.  _put stages it
 */
int prn_site_drift_look(struct prn_site_drift *site, const struct prn_store_reader *reader, struct prn_host_name host,
                        int64_t now, bool *is_there, struct prn_error *error);
int prn_site_drift_put(const struct prn_site_drift *site, struct prn_batch *batch, struct prn_host_name host,
                       struct prn_error *error);

/* Whether an entry of their side table can be read. */
bool prn_site_drift_is_whole(const void *bytes, size_t count);

/* Finds whether the store's evidence includes all visits (schema.h), so that a host without an entry had none.  Errors of the store */
int prn_site_drift_counts_all(const struct prn_store_reader *reader, bool *all, struct prn_error *error);

/* The pattern of a number, or NULL. */
struct prn_site_pattern *prn_site_drift_find(struct prn_site_drift *site, uint64_t number);

/* The evidence that a page's state gives, as of a visit at a time.  All zero and PRN_TIME_UNKNOWN: none yet, or none any more. */
struct prn_said {
	struct prn_evidence evidence;
	int64_t time;
};

struct prn_said prn_entry_said(const struct prn_entry *entry);

/* The evidence of siblings for a page of a pattern that has given none itself. */
struct prn_siblings prn_site_drift_siblings(struct prn_site_drift *site, uint64_t number);

/* Replaces the evidence that a page gave before by what it gives now; now NULL: none any more. */
void prn_site_drift_count(struct prn_site_drift *site, uint64_t number, const struct prn_said *before,
                          const struct prn_said *now);

/*
 * Called before and after the policy learns a visit of the page in hand.  _begin writes the evidence of its siblings if it is the
 * first visit; _end counts the evidence that the page gives since.  Neither does anything if the policy does not heed siblings.
 * Errors of the store, PRN_E_MEMORY
 */
struct prn_site_visit {
	struct prn_site_drift site; /* if it is read */
	struct prn_host_name host;
	uint64_t number;
	bool is_read;
	struct prn_said before;
};

int prn_site_visit_begin(struct prn_site_visit *visit, const struct prn_decider *decider, struct prn_entry *entry,
                         int64_t now, struct prn_siblings *siblings, struct prn_error *error);
int prn_site_visit_end(struct prn_site_visit *visit, const struct prn_decider *decider, struct prn_entry *entry,
                       int64_t now, struct prn_error *error);

/* Called when the page in hand leaves the store: the evidence of a young page is taken out.  Errors as above */
int prn_site_drift_leave(const struct prn_decider *decider, struct prn_entry *entry, struct prn_error *error);

#endif
