/*
 * A test whether changes come as those of a Poisson process: whether the times between a page's changes are exponential, as
 * far as its captures can tell (Cho §4.6, doc/theory.md §12).
 *
 * Under that hypothesis a change is seen after a wait w with probability 1 - e^(-λw), each wait on its own.  Of
 * such histories, at the page's own captures and with as many changes as it had, a number are drawn, λ being the
 * maximum likelihood estimate.  (On an even grid all arrangements of the changes are then equally likely, whatever
 * λ: the test is exact.)  Times between changes are divided by their mean, in each history its own, and
 * counted in bins.  The statistic is the largest distance of a history's distribution from the mean
 * distribution of all of them, the one observed included; the p-value is the rank of the one observed.
 * It is uniform when the hypothesis holds, ties apart, which make it too large.
 *
 * Histories of many pages are added up bin by bin: one statistic over all, in memory that does not grow.
 */
#ifndef LONGEVITY_POISSON_H
#define LONGEVITY_POISSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/longevity.h"

#define PRN_POISSON_BINS_PER_MEAN 10 /* bins of a tenth of the mean time between changes */
#define PRN_POISSON_BINS (PRN_CHANGE_TIMES - 1) /* and one more for all longer times */
#define PRN_POISSON_CHANGES 3 /* a page with fewer changes gives no information */

struct prn_poisson {
	size_t draws;
	uint64_t *counts; /* [1 + draws][PRN_POISSON_BINS + 1]; the first row is what was observed */
	uint64_t total;   /* of each row */
	double *chances;  /* scratch: of a change at the end of each wait */
	bool *flags;
	size_t chance_capacity, flag_capacity;
};

/* PRN_E_MEMORY */
int prn_poisson_init(struct prn_poisson *poisson, size_t draws);
void prn_poisson_release(struct prn_poisson *poisson);

/*
 * Reads one page: its waits [count], in days, and whether each ended in a change.  Returns 1, or 0 when there
 * are fewer than PRN_POISSON_CHANGES changes or every wait ended in one.  PRN_E_MEMORY
 */
int prn_poisson_read(struct prn_poisson *page, const double *waits, const bool *changed, size_t count, uint64_t seed,
                     uint64_t stream);

/* Adds a page's counts to the sum; both need the same number of draws. */
void prn_poisson_add(struct prn_poisson *sum, const struct prn_poisson *page);

/* Writes the sum of pages; adds one that was written, with the same number of draws.  PRN_E_MEMORY; PRN_E_INPUT */
struct prn_buffer;
struct prn_cursor;
int prn_poisson_write(const struct prn_poisson *poisson, struct prn_buffer *out);
int prn_poisson_add_written(struct prn_poisson *sum, struct prn_cursor *in);

/* Returns the p-value, in [1 / (draws + 1), 1]; NaN if nothing was observed. */
double prn_poisson_p(const struct prn_poisson *poisson);

/* Writes the distributions of the observed and of the drawn times between changes.  PRN_E_MEMORY */
int prn_poisson_bins(const struct prn_poisson *poisson, struct prn_change_times bins[PRN_CHANGE_TIMES]);

#endif
