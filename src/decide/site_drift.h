/*
 * How the pages of a host drift, by URL pattern (siblings.h), in a side table by the host's name: learned from visits as they
 * come, so that a new page is believed to be like them.
 *
 * Sums are of what pages said last, which is while they are young: a young page that says more takes back what it said, which its
 * own state tells; of visits to others nothing is read and nothing written.  So it must be known what each sum has of a young page:
 * that of just those whose last visit came after a time (host_since, or a pattern's since).  Visits that came before count only in
 * the sums that began earlier.  A host has PRN_SITE_PATTERNS patterns at most; where there
 * are more the best known ones are kept, as they were of late, and uncounted tells the last visit that none of these has.
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

/* Of a page: the number of its pattern, of which text is the wording. */
uint64_t prn_pattern_number(const char *normal_url, char text[PRN_PATTERN_BYTES + 1]);

/*
 * Reads what is known of the host of a page.  Of one that is not there, or damaged, or was written by a clock that ran ahead,
 * nothing is known: it is learned from the visits after now, or, in a store that counted them all, from all.  Errors of the store
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

/* What a page's state says, of a visit at a time; all zero and PRN_TIME_UNKNOWN: nothing yet, or nothing new any more. */
struct prn_said {
	struct prn_evidence evidence;
	int64_t time;
};

struct prn_said prn_entry_said(const struct prn_entry *entry);

/* What all pages say to one of a pattern that said nothing yet. */
struct prn_siblings prn_site_drift_siblings(struct prn_site_drift *site, uint64_t number);

/* A page says something else than before, or nothing any more (now NULL). */
void prn_site_drift_count(struct prn_site_drift *site, uint64_t number, const struct prn_said *before,
                          const struct prn_said *now);

/*
 * Around a visit of the page in hand that is told to the policy: _begin writes what its siblings say if it is the first, _end takes
 * in what the page says since.  Where the policy does not heed siblings neither does anything.  Errors of the store, PRN_E_MEMORY
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

/* The page in hand leaves the store: if it is young it takes back what it said.  Errors as above */
int prn_site_drift_leave(const struct prn_decider *decider, struct prn_entry *entry, struct prn_error *error);

#endif
