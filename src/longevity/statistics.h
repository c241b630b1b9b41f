/*
 * The statistics of a corpus that are functions of sums over its pages; the bootstrap resamples the sums.
 */
#ifndef LONGEVITY_STATISTICS_H
#define LONGEVITY_STATISTICS_H

#include "perennial/longevity.h"

#define PRN_SUMS 68

/* Adds one page.  poisson_p is NaN when the page was not judged. */
void prn_sums_add_page(double sums[PRN_SUMS], const struct prn_study_result *page, double poisson_p);

size_t prn_statistics(void);

/* How a statistic is computed. */
enum prn_statistic_kind {
	PRN_STATISTIC_COUNT,     /* of sums, but not an estimate of anything: no interval */
	PRN_STATISTIC_OF_SUMS,
	PRN_STATISTIC_LIFETIME,  /* the median of fragments' lifetimes */
	PRN_STATISTIC_HALF_LIFE, /* the median of pages' time unchanged */
	PRN_STATISTIC_POISSON,   /* the p-value over all pages */
};

enum prn_statistic_kind prn_statistic_kind(size_t i);

/* Returns a statistic of the first two kinds; NaN if the sums do not determine it. */
double prn_statistic_value(size_t i, const double sums[PRN_SUMS]);

#endif
