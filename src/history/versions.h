/*
 * The versions of a page over its life, which are maximal runs of captures with the same fragments, and the
 * divergence of every two of them, computed from the page's stripes without building a version.
 */
#ifndef HISTORY_VERSIONS_H
#define HISTORY_VERSIONS_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/page.h"

/* A stripe, identified by its runs: alternating page edits make thousands of equal ones. */
struct prn_versions_pattern {
	uint64_t key;
	const struct prn_stripe *stripe;
};

/* Bottom-m summaries (summary.h) of all versions of a page; all zero at first. */
struct prn_sketches {
	size_t m, room;   /* limit, and hashes that are kept for each version: one more shows whether a summary is complete */
	uint64_t *hashes; /* [versions][room] */
	uint32_t *sizes;  /* [versions] how many there are */
	size_t hashes_capacity, sizes_capacity;
};

struct prn_versions {
	size_t first, captures; /* the life: captures first … first + captures - 1 of the page */
	size_t count;           /* versions, 1 … captures */
	uint32_t *of;           /* [captures] the version at each capture: 0 at the first, never decreasing */

	struct prn_versions_pattern *patterns; /* set by prn_versions_patterns */
	size_t pattern_count;

	size_t of_capacity, counts_capacity, patterns_capacity, marks_capacity;
	uint32_t *counts; /* scratch of prn_versions_exact */
	uint64_t *marks; /* scratch of prn_versions_returns */
	struct prn_sketches sketches; /* scratch of prn_versions_estimate */
};

static inline void prn_versions_init(struct prn_versions *versions)
{
	*versions = (struct prn_versions){ 0 };
}

void prn_versions_release(struct prn_versions *versions);

/* Returns a run of captures as a half-open range of versions; empty outside the life. */
static inline struct prn_run prn_versions_run(const struct prn_versions *versions, const struct prn_run *run)
{
	size_t first = versions->first, end = first + versions->captures;
	size_t from = run->from > first ? run->from : first;
	size_t to = run->to < end ? run->to : end;

	if (from >= to)
		return (struct prn_run){ 0, 0 };
	return (struct prn_run){ versions->of[from - first], versions->of[to - 1 - first] + 1 };
}

/* Finds the versions of captures first … last of the page.  PRN_E_MEMORY */
int prn_versions_find(struct prn_versions *versions, const struct prn_page *page, size_t first, size_t last);

/*
 * Writes the exact divergence (doc/theory.md §1) of all pairs of versions, row by row, to matrix[count x count].
 * Time: count² + the sum of (runs)² over stripes, stripes with the same several runs taken once.
 * PRN_E_MEMORY
 */
int prn_versions_exact(struct prn_versions *versions, const struct prn_page *page, double *matrix);

/*
 * The same, with each divergence estimated from bottom-m summaries of limit m (prn_summary_divergence).  Time:
 * the runs of the page in versions + count² m.  PRN_E_MEMORY; PRN_E_ARGUMENT: m is 0.
 */
int prn_versions_estimate(struct prn_versions *versions, const struct prn_page *page, size_t m, double *matrix);

/* Makes these summaries, for callers that need few of the pairs.  PRN_E_MEMORY; PRN_E_ARGUMENT: m is 0. */
int prn_versions_sketch(const struct prn_versions *versions, const struct prn_page *page, size_t m, struct prn_sketches *sketches);
double prn_sketches_divergence(const struct prn_sketches *sketches, size_t a, size_t b);
void prn_sketches_release(struct prn_sketches *sketches);

/*
 * Lists the stripes of at least so many runs as patterns, those with the same runs side by side:
 * prn_versions_alike returns where those like pattern i end.  PRN_E_MEMORY
 */
int prn_versions_patterns(struct prn_versions *versions, const struct prn_page *page, size_t least);
size_t prn_versions_alike(const struct prn_versions *versions, const struct prn_page *page, size_t i);

/*
 * Counts the versions whose content is that of an earlier one, which is never the previous one.  Contents are
 * compared by 64-bit sums over their fragments: one in 2^64 pairs is equal by chance.  PRN_E_MEMORY
 */
int prn_versions_returns(struct prn_versions *versions, const struct prn_page *page, size_t *returns);

#endif
