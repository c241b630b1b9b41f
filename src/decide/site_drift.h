/*
 * How the pages of a host drift, by URL pattern (siblings.h), in a side table by the host's name.  It is learned from visits
 * as they come, so that a new page is believed to be like its siblings.
 *
 * The sums are of what pages said last while they were young.  A young page that says more first takes back what it said
 * before, which its own state tells.  For visits to other pages nothing is read and nothing written.  So it must be known what
 * each sum has of a young page: it has what exactly those pages said whose last visit came after a time (host_since, or a
 * pattern's since).  Earlier visits count only in sums that began earlier.  A host has at most PRN_SITE_PATTERNS patterns.
 * Where there are more, the best known ones are kept, as they were of late, and uncounted is the last visit that none of them
 * has.
 */
#ifndef DECIDE_SITE_DRIFT_H
#define DECIDE_SITE_DRIFT_H

#include "decide/decider_internal.h"
#include "perennial/siblings.h"

#define PRN_SITE_PATTERNS 40


struct prn_site_pattern {
	uint64_t number; /* prn_pattern_number */
	int64_t since;   /* pages whose last visit came after that are in evidence … */
	int64_t last;    /* … and this was the last of these visits */
	uint32_t pages;  /* that say anything */
	struct prn_evidence evidence;
};

struct prn_site_drift {
	struct prn_evidence evidence; /* of all its pages … */
	uint32_t pages;
	int64_t host_since; /* … whose last visit came after that */
	int64_t uncounted;  /* the last visit that no pattern has; PRN_TIME_UNKNOWN: none */
	size_t count;
	struct prn_site_pattern patterns[PRN_SITE_PATTERNS]; /* [count] */
};

/* The number of a page's pattern; text receives its wording. */
uint64_t prn_pattern_number(const char *normal_url, char text[PRN_PATTERN_BYTES + 1]);

/*
 * Reads what is known of the host of a page.  Nothing is known if the entry is missing or damaged, or was written by a clock
 * that ran ahead: then the host is learned from the visits after now or, in a store that counted them all, from all visits.
 * Errors of the store
 */
int prn_site_drift_read(struct prn_site_drift *site, const struct prn_store_reader *reader, struct prn_host_name host,
                        int64_t now, struct prn_error *error);

/* The same for who only looks at what is known of it: what a store has counted is not asked; *is_there: something stands there. */
int prn_site_drift_look(struct prn_site_drift *site, const struct prn_store_reader *reader, struct prn_host_name host,
                        int64_t now, bool *is_there, struct prn_error *error);
int prn_site_drift_put(const struct prn_site_drift *site, struct prn_batch *batch, struct prn_host_name host,
                       struct prn_error *error);

/* Whether an entry of their side table can be read. */
bool prn_site_drift_is_whole(const void *bytes, size_t count);

/* The pattern of a number, or NULL. */
struct prn_site_pattern *prn_site_drift_find(struct prn_site_drift *site, uint64_t number);

/* What a page's state says, as of a visit at a time.  All zero and PRN_TIME_UNKNOWN: nothing yet, or nothing new any more. */
struct prn_said {
	struct prn_evidence evidence;
	int64_t time;
};

struct prn_said prn_entry_said(const struct prn_entry *entry);

/* What all pages say to a page of a pattern, before it said anything itself. */
struct prn_siblings prn_site_drift_siblings(struct prn_site_drift *site, uint64_t number);

/* Replaces what a page said before by what it says now; now NULL: it says nothing any more. */
void prn_site_drift_count(struct prn_site_drift *site, uint64_t number, const struct prn_said *before,
                          const struct prn_said *now);

/*
 * Called around a visit of the page in hand that the policy is told of.  _begin writes what its siblings say if it is the
 * first visit; _end takes in what the page says since.  Neither does anything where the policy does not heed siblings.  Errors
 * of the store, PRN_E_MEMORY
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

/* Called when the page in hand leaves the store: a young page takes back what it said.  Errors as above */
int prn_site_drift_leave(const struct prn_decider *decider, struct prn_entry *entry, struct prn_error *error);

#endif
