/*
 * The prior of prior-mle, fitted to a corpus (GF): the two pseudo-intervals, one with a change and one without,
 * whose posterior is closest to how the mean times between changes, Δ, are distributed over the corpus's pages.
 *
 * The posterior of Δ from a changed interval t_c and an unchanged one t_u is (1 - e^(-t_c/Δ)) e^(-t_u/Δ).
 * It falls so slowly, like 1/Δ, that it is a distribution only on a grid that ends: equal cells of Δ from 0
 * to a largest one, which belong to the result.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_INTERVAL_PRIOR_H
#define PERENNIAL_INTERVAL_PRIOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_INTERVAL_CELLS 10000

struct prn_interval_grid {
	double step; /* of Δ: the width of a cell, >= 1e-30 */
	double most; /* the largest Δ, <= 1e30; most / step is 1 to PRN_INTERVAL_CELLS, rounded up */
};

struct prn_interval_prior {
	double changed, unchanged; /* t_c and t_u, in the unit of the intervals */
	double distance; /* L2: sqrt Σ over cells of (posterior - share of the pages)², in [0, sqrt 2] */
	size_t used;     /* intervals on the grid; those beyond it are left out */
};

/*
 * Fits by simulated annealing: Metropolis steps change the logarithms of both lengths, and one that does not
 * bring the two distributions closer is kept with a probability that falls with the loss and cools to 0;
 * several restarts.  The same seed gives the same prior.  Lengths are searched from step/1000 to 1000 most;
 * where t_c is small beside all Δ only t_u matters.
 *
 * intervals[n] are the pages' Δ (1/λ), > 0; of a page never seen to change, the time it was watched (GF §3.3).
 *
 * PRN_E_ARGUMENT	no interval is on the grid, one is not a positive finite number, or the grid is not as above
 * PRN_E_MEMORY
 */
int prn_interval_prior_fit(const double *intervals, size_t n, const struct prn_interval_grid *grid,
                           uint64_t seed, struct prn_interval_prior *prior);

/* Writes the distance of two given lengths > 0.  Errors as above. */
int prn_interval_prior_distance(const double *intervals, size_t n, const struct prn_interval_grid *grid,
                                double changed, double unchanged, double *distance);

#ifdef __cplusplus
}
#endif

#endif
