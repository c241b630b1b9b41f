/*
 * The versions of a page over its life: maximal runs of captures with the same fragments, and the
 * divergence of every two of them, computed from the page's stripes without ever building a version.
 */
#ifndef HISTORY_VERSIONS_H
#define HISTORY_VERSIONS_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/page.h"

struct prn_versions {
	size_t first, captures; /* the life: captures first … first + captures - 1 of the page */
	size_t count;           /* versions, 1 … captures */
	uint32_t *of;           /* [captures] the version at each capture: 0 at the first, never falling */

	size_t of_capacity, counts_capacity, patterns_capacity, hashes_capacity, sizes_capacity;
	uint32_t *counts; /* scratch of prn_versions_exact */
	struct prn_versions_pattern *patterns;
	uint64_t *hashes; /* scratch of prn_versions_estimate */
	uint32_t *sizes;
};

static inline void prn_versions_init(struct prn_versions *versions)
{
	*versions = (struct prn_versions){ 0 };
}

void prn_versions_release(struct prn_versions *versions);

/* Finds the versions of captures first … last of the page.  PRN_E_MEMORY */
int prn_versions_find(struct prn_versions *versions, const struct prn_page *page, size_t first, size_t last);

/*
 * Writes the exact divergence (doc/theory.md §1) of all pairs of versions, row by row, to matrix[count x count].
 * Time: count² + the sum of (runs)² over stripes, stripes with the same several runs taken once.
 * PRN_E_MEMORY
 */
int prn_versions_exact(struct prn_versions *versions, const struct prn_page *page, double *matrix);

/*
 * The same, each estimated from bottom-m summaries of limit m (prn_summary_divergence).  Time: the runs of
 * the page in versions + count² m.  PRN_E_MEMORY; PRN_E_ARGUMENT: m is 0.
 */
int prn_versions_estimate(struct prn_versions *versions, const struct prn_page *page, size_t m, double *matrix);

#endif
