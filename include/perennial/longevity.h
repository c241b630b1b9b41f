/*
 * The longevity of the content of many pages (doc/theory.md §12; OP §3, Cho ch. 4): what of it is static, churn or scroll,
 * how long fragments last and pages stay as they are, and whether pages change as a Poisson process would.
 *
 * One page is in memory at a time.  Besides, there are sums and counts in bins, which do not grow, for each cluster of pages
 * (at most PRN_CLUSTERS), and four bytes a page for its cluster.  All pages count the same, whatever their weights.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_LONGEVITY_H
#define PERENNIAL_LONGEVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/interval.h"
#include "perennial/pages.h"
#include "perennial/partial.h"
#include "perennial/study.h"
#include "perennial/survival.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One number about a corpus. */
struct prn_statistic_info {
	const char *name;  /* "churn_fragments": stable, a column name */
	const char *unit;  /* "share", "days", … */
	const char *title; /* one line that says what it is */
	bool bar;          /* of a histogram: one of several that belong together */
};

/* The i-th statistic, or NULL past the end.  Static. */
const struct prn_statistic_info *prn_statistic_info(size_t i);

/* The index of a statistic by name, or SIZE_MAX. */
size_t prn_statistic_find(const char *name);

/* Called with each page that is not left out, in order, before the next is read. */
typedef int prn_longevity_page_fn(void *context, size_t page, const struct prn_page *history,
                                  const struct prn_study *study, double poisson_p, struct prn_error *error);

struct prn_longevity_options {
	uint64_t seed;
	size_t resamples; /* of the bootstrap behind the intervals; 0: no intervals */
	size_t draws;     /* histories drawn for the Poisson check; 0: no check */
	prn_longevity_page_fn *each; /* or NULL */
	void *context;
};

#define PRN_LONGEVITY_RESAMPLES 1000
#define PRN_LONGEVITY_DRAWS 499

struct prn_longevity;

/*
 * Measures all pages.  The same seed gives the same numbers.
 *
 * Intervals hold 95 %: quantiles over resamples of hosts, or of pages where all are of one host, as in evaluation.h; they say
 * how far another draw of hosts might give other numbers.
 *
 * The result for a part of the pages (pages->part) has no numbers: it can only be saved.
 *
 * PRN_E_NOT_FOUND	no page has PRN_LIFE_CAPTURES captures in its life, and pages are no part
 * PRN_E_MEMORY, and the errors of pages->read and of options->each
 */
int prn_longevity_run(struct prn_longevity **out, const struct prn_pages *pages,
                      const struct prn_longevity_options *options, struct prn_error *error);
/*
 * Saves what was measured on a part of the pages (pages->part), or on all as part 1 of 1, to a file (partial.h).  about has
 * settings and extra; the rest of it is filled in.
 *
 * PRN_E_LIMIT	settings, extra or the result are too long
 * PRN_E_IO, PRN_E_MEMORY
 */
int prn_longevity_save(const struct prn_longevity *longevity, const char *path, const struct prn_partial_about *about,
                       struct prn_error *error);

/*
 * Joins what was measured on all parts: what prn_longevity_run tells of all pages, to the last bit.  options->draws and
 * options->seed are those of the parts; each is not called.
 *
 * PRN_E_ARGUMENT	as prn_partials_check; or it is another kind of result
 * PRN_E_INPUT		a result is damaged, or of other draws
 * PRN_E_NOT_FOUND	no page of any part has PRN_LIFE_CAPTURES captures in its life
 * PRN_E_MEMORY
 */
int prn_longevity_of_partials(struct prn_longevity **out, const struct prn_longevity_options *options,
                              const struct prn_partial *const *partials, size_t count, struct prn_error *error);
void prn_longevity_free(struct prn_longevity *longevity);

/*
 * What it was measured over: scope i is corpus i of the pages, and if there are several, one more scope, the
 * last, is all of them.
 */
size_t prn_longevity_scopes(const struct prn_longevity *longevity);

/* Pages that were measured, and pages left out for too few captures. */
size_t prn_longevity_pages(const struct prn_longevity *longevity, size_t scope);
size_t prn_longevity_left_out(const struct prn_longevity *longevity, size_t scope);

/*
 * What a scope's intervals resample: hosts of the pages that were measured, or these pages where all are of one host.  Of fewer than
 * PRN_CLUSTERS_LEAST (evaluation.h) they say little, and of one there are none.
 */
size_t prn_longevity_clusters(const struct prn_longevity *longevity, size_t scope);

/* A statistic with its interval (NaN where there is none). */
struct prn_interval prn_longevity_statistic(const struct prn_longevity *longevity, size_t scope, size_t statistic);

/*
 * Distributions; valid as long as longevity is.
 *
 * lifetimes: of fragments, days.  unchanged: of pages, days until the first change or until gone; a page is
 * "censored right" while neither was seen.  k: of fragments, by K; a fragment still there at last counts by
 * the changes it survived, and one born at the last change not at all.
 */
const struct prn_survival *prn_longevity_lifetimes(const struct prn_longevity *longevity, size_t scope);
const struct prn_survival *prn_longevity_unchanged(const struct prn_longevity *longevity, size_t scope);
const struct prn_survival *prn_longevity_k(const struct prn_longevity *longevity, size_t scope);

/*
 * Lifetimes of the fragments that are not static, on the pages of one nature (churn or scroll), in units of the
 * page's mean time between changes.  No intervals.
 */
const struct prn_survival *prn_longevity_scaled(const struct prn_longevity *longevity, size_t scope,
                                                enum prn_nature nature);

/*
 * What the generative model says of the same (doc/theory.md §3): the share that outlasts x mean times between
 * changes, e^(-x) for churn, 1 - P(K, x) for scroll, K being each page's most common, in proportion to its lifetimes.
 */
double prn_longevity_scaled_model(const struct prn_longevity *longevity, size_t scope, enum prn_nature nature,
                                  double x);

/* Times between the changes of a page, divided by their mean: how many fall into [from, to). */
struct prn_change_times {
	double from, to;    /* to is INFINITY in the last */
	uint64_t seen;
	double share;       /* of all that were seen */
	double expected;    /* the mean share of Poisson processes seen through the same captures */
	double low, high;   /* the middle 95 % of these */
	double exponential; /* the share of an exponential distribution, as if time had been watched without gaps */
};

#define PRN_CHANGE_TIMES 81 /* bins of 0.1, and all beyond 8 */

/* The bins, ascending; shares are NaN when no page was judged. */
const struct prn_change_times *prn_longevity_change_times(const struct prn_longevity *longevity, size_t scope);

#ifdef __cplusplus
}
#endif

#endif
