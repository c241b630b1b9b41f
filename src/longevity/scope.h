/*
 * What is measured over one corpus, or over all of them: sums for each cluster of pages, and tallies.
 */
#ifndef LONGEVITY_SCOPE_H
#define LONGEVITY_SCOPE_H

#include "history/clusters.h"
#include "longevity/poisson.h"
#include "perennial/curve.h"
#include "perennial/longevity.h"

#define PRN_SCOPE_NATURES 2 /* with scaled lifetimes: churn, scroll */

struct prn_scope {
	struct prn_clusters clusters; /* of the members, in the order of pages; owned */
	size_t members, next; /* next: the member that comes next */
	size_t rows;  /* clusters, and of a part of the pages also slots with several of them */
	double *sums; /* [rows][PRN_SUMS] */
	size_t pages, left_out;
	size_t resampled; /* clusters with pages that were measured */

	struct prn_survival *lifetimes, *unchanged, *k, *scaled[PRN_SCOPE_NATURES];
	double k_weights[PRN_CURVE_ITEMS + 1]; /* lifetimes on scroll pages, by their dominant K */
	struct prn_poisson poisson;
	struct prn_change_times change_times[PRN_CHANGE_TIMES];
	struct prn_interval *statistics;
};

struct prn_longevity {
	struct prn_part part;
	size_t scope_count;
	struct prn_scope *scopes;
};

/*
 * Computes the results of all scopes.  PRN_E_NOT_FOUND: no page was measured; PRN_E_MEMORY
 */
int prn_longevity_finish(struct prn_longevity *longevity, const struct prn_longevity_options *options, struct prn_error *error);

/*
 * members and clusters are set; the rest is zero.  part is that of the pages.  Release it also after a failure.  PRN_E_MEMORY
 */
int prn_scope_open(struct prn_scope *scope, const struct prn_part *part, size_t draws);
void prn_scope_release(struct prn_scope *scope);

/* Adds the next member: a page and its draws, or a page that is left out.  PRN_E_MEMORY */
int prn_scope_add(struct prn_scope *scope, const struct prn_study *study, const struct prn_poisson *poisson,
                  double poisson_p);
void prn_scope_leave_out(struct prn_scope *scope);

/* Computes the statistics and the points of the tallies.  PRN_E_MEMORY */
int prn_scope_finish(struct prn_scope *scope, const struct prn_longevity_options *options);

#endif
