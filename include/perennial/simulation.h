/*
 * Simulations: an estimator, or a policy, at work on many pages of one change process, and how far it is from the truth
 * that only the simulation knows.
 *
 * What is drawn for a page depends on the seed and the page's number alone: estimators and policies that are compared
 * see the same changes, and results are the same for any number of threads.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_SIMULATION_H
#define PERENNIAL_SIMULATION_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/estimator.h"
#include "perennial/process.h"
#include "perennial/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_SIMULATION_PAGES 10000000
#define PRN_SIMULATION_VISITS 1000000
#define PRN_SIMULATION_CHANGES 10000

/* What is estimated: Cho has the rate, GF and FGT the mean time between changes. */
enum prn_simulation_of {
	PRN_SIMULATION_OF_RATE,     /* λ̂/λ is looked at */
	PRN_SIMULATION_OF_INTERVAL, /* λ/λ̂, of the pages with λ̂ > 0 */
};

struct prn_simulation {
	struct prn_process process;
	double rate;     /* λ, from 1e-30 to 1e30 per unit of time; at most PRN_SIMULATION_CHANGES an interval, on any page */
	size_t pages;    /* 2 … PRN_SIMULATION_PAGES */
	uint64_t seed;
	size_t threads;  /* >= 1 */
	double confidence; /* of the intervals whose hits are counted, in (0, 1); 0: they are not */
};

/* An estimator after so many visits to each page; deviations are relative to the truth of the moment. */
struct prn_simulated_estimate {
	double time;      /* the mean over pages of the time of that visit */
	double mean;      /* of the ratio to the truth: 1 is no bias */
	double error;     /* of that mean: its standard error */
	double spread;    /* the standard deviation of the ratio over pages (Cho's σ/r where r is 1) */
	double deviation; /* the mean absolute deviation of the ratio from 1 */
	double none;      /* the share of pages with λ̂ = 0 */
	double covered;   /* the share of pages whose true rate is in the estimator's interval; NaN: not asked for */
	double found;     /* changes that visits saw, one a visit, by changes that there were; NaN if there were none */
};

/*
 * Simulates one estimator at visits of a schedule of mean interval.  A page's first visit, at time 0, is not counted, for
 * it sees no change.  visits[count], ascending, from 1 to PRN_SIMULATION_VISITS: after which to look; writes
 * simulated[count].  Means over no page, where λ̂ = 0 for all and intervals are looked at, are NaN.
 *
 * PRN_E_ARGUMENT	a number is not as above
 * PRN_E_MEMORY
 */
int prn_simulate_estimator(const struct prn_simulation *simulation, const struct prn_schedule *schedule, double interval,
                           const struct prn_estimator *estimator, enum prn_simulation_of of, const uint64_t *visits,
                           size_t count, struct prn_simulated_estimate *simulated, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
