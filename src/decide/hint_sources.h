/*
 * Sources of hints: their hints at a page are in a side table by the page's key, and how far each source proved true on a host
 * (trust.h) is in a side table by the host's name.
 */
#ifndef DECIDE_HINT_SOURCES_H
#define DECIDE_HINT_SOURCES_H

#include "decide/entry.h"
#include "perennial/hinting.h"
#include "perennial/trust.h"
#include "perennial/url.h"
#include "store/turn.h"

#define PRN_PAGE_SOURCES 4 /* the most of one page */
#define PRN_SOURCE_DEPTH 255

struct prn_page_source {
	uint64_t number; /* prn_source_number of its name */
	int64_t stamp;   /* of its last hint: the time of the change that it gave, or else that of the hint */
	int64_t counted; /* when a hint of it was last counted; PRN_TIME_UNKNOWN: it only named the page */
	struct prn_page_hints counts;
};

struct prn_page_sources {
	struct prn_watched watched; /* since a source first named the page, in days */
	uint64_t text;              /* prn_extractor_text at the last visit; 0: unknown */
	struct prn_digest index;    /* of a sitemap: the key of the index that lists it; zero: none does */
	size_t count;
	struct prn_page_source sources[PRN_PAGE_SOURCES];
};

struct prn_host_source {
	uint64_t number; /* prn_source_number of its whole name */
	char name[PRN_SOURCE_BYTES + 1];
	unsigned depth;  /* prn_source_depth of its whole name */
	int64_t named;  /* when it last named a page of the host */
	int64_t day;    /* when its present day began, with the first hint that was counted … */
	uint32_t today; /* … and the hints that were counted in it */
	struct prn_trust trust;
};

struct prn_host_sources {
	uint32_t added;       /* pages of the host that hints have ever added … */
	uint32_t added_below; /* … and those of them that sources of a depth above 0 have added */
	uint32_t damaged;     /* sources that could not be read, and are left out */
	size_t count;
	struct prn_host_source sources[PRN_HOST_SOURCES];
};

uint64_t prn_source_number(const char *name);

/*
 * The depth below its host's root of a source that is known by its URL: the number of folders, plus one for a query,
 * PRN_SOURCE_DEPTH at most.  Other sources have depth 0: whoever runs the decider lets them speak.
 */
unsigned prn_source_depth(const char *name);

/* Reads the sources of a page or host; what is missing or damaged is empty or left out.  Errors of the store */
int prn_page_sources_read(struct prn_page_sources *page, const struct prn_store_reader *reader, const struct prn_digest *key,
                       struct prn_error *error);
int prn_host_sources_read(struct prn_host_sources *host, const struct prn_store_reader *reader, struct prn_host_name name,
                       struct prn_error *error);

/*
 * Stages the sources of a page or host.  Nothing is staged for a host that has no sources and to which hints have added no
 * page.  PRN_E_MEMORY, and errors of batches
 */
int prn_page_sources_put(const struct prn_page_sources *page, struct prn_batch *batch, const struct prn_digest *key,
                      struct prn_error *error);
int prn_host_sources_put(const struct prn_host_sources *host, struct prn_batch *batch, struct prn_host_name name,
                      struct prn_error *error);

/* Drops sources that have been silent for 90 days at now.  Returns whether there were any to drop, or damaged ones. */
bool prn_host_sources_prune(struct prn_host_sources *host, int64_t now);

/* Whether an index lists the page, which is a sitemap. */
bool prn_page_sources_is_listed(const struct prn_page_sources *page);

/* Whether an entry of the side table by page can be read. */
bool prn_page_sources_are_whole(const void *bytes, size_t count);

/* Decodes an entry of the side table by host.  PRN_E_DAMAGED: none of it can be read */
int prn_host_sources_decode(struct prn_host_sources *host, const void *bytes, size_t count);

/*
 * Writes the name under which a sitemap or feed gives hints: that of the index that lists it, else its own normal URL.
 * Errors of the store
 */
int prn_sources_speaker(const struct prn_store_reader *reader, const struct prn_digest *key, const char *normal_url,
                     char name[PRN_URL_BYTES + 1], struct prn_error *error);

/* As prn_decider_sources, in a view, for at most so many hosts; *damaged is the number of sources that could not be read. */
int prn_sources_list(struct prn_view *view, uint64_t most, prn_hint_source_fn *take_source, void *context, uint64_t *damaged,
                     struct prn_error *error);

/* The source of a number, or NULL. */
struct prn_page_source *prn_page_sources_find(struct prn_page_sources *page, uint64_t number);
struct prn_host_source *prn_host_sources_find(struct prn_host_sources *host, uint64_t number);

/* The hints that a policy gets of the page: those of its most trusted source, which is at *whose (page->count: there is none). */
struct prn_hints prn_sources_hints(const struct prn_page_sources *page, struct prn_host_sources *host, size_t *whose);

/*
 * Counts a visit of the page in hand, which is in its state before the visit: sources that have named it prove true or not, and
 * the page's state gets the result.  Does nothing for a page that no source has named, or that was never visited.  Stages the
 * records; the caller still has to put the page.  Errors of views and batches
 */
struct prn_sources_visit {
	int64_t time, now;
	bool changed; /* the visit found another summary */
	/*
	 * prn_extractor_text, or 0: unknown.  If it is known now and at the visit before, it decides whether the page changed.  At the
	 * first visit since a source named the page, it was known before only if the page had validators.  Without it, a summary of m
	 * hashes shows a change by the divergence D with the probability 1 - (1 - D)^m: that is how often true hints are seen to be true.
	 */
	uint64_t text;
	double earning; /* prn_decider_earning_days */
};
int prn_sources_visit(struct prn_batch *batch, struct prn_entry *entry, const struct prn_sources_visit *visit,
                   struct prn_error *error);

#endif
