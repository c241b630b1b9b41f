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

#include "perennial/allocate.h"
#include "perennial/error.h"
#include "perennial/estimator.h"
#include "perennial/policy.h"
#include "perennial/process.h"
#include "perennial/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_SIMULATION_PAGES 10000000
#define PRN_SIMULATION_VISITS 1000000
#define PRN_SIMULATION_CHANGES 10000
#define PRN_SIMULATION_PAGE_CHANGES 100000000

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
	size_t threads;  /* 0: all processors */
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

/* A policy, how it is set, and when it is looked at. */
struct prn_simulated_rule {
	const struct prn_policy *policy; /* NULL: one that knows each page's true rate, and its objective's best frequency */
	enum prn_objective objective;    /* of that one: the dial is the multiplier of prn_allocate */
	double dial;                     /* > 0 */
	double from, until;              /* the time that is looked at; 0 <= from < until <= 1e30 */
	double very_stale;               /* longer is very stale, >= 0 */
};

/* A policy at work, all per page and in the mean over time and pages. */
struct prn_simulated_policy {
	double cost;            /* visits per unit of time */
	double staleness;       /* divergence of the copy from the page (doc/theory.md §3, of regions that changed) */
	double staleness_error; /* the standard error of that mean over pages */
	double holistic;        /* the share of time in which the copy is not up to date: 1 less Cho's freshness */
	double holistic_error;
	double age;             /* the time since the copy went out of date, 0 while it has not (Cho §5.2) */
	double very_stale;      /* the share of time in which that is longer than the rule's very_stale (FGT) */
	double found;           /* visits that saw a change, by changes that there were; NaN if there were none */
};

/*
 * Simulates a policy from each page's acquisition at time 0 on.  No two visits are closer than a millionth of until.
 * A page may change PRN_SIMULATION_PAGE_CHANGES times by then, in the mean.
 *
 * PRN_E_ARGUMENT	a number is not as above
 * PRN_E_MEMORY
 */
int prn_simulate_policy(const struct prn_simulation *simulation, const struct prn_simulated_rule *rule,
                        struct prn_simulated_policy *simulated, struct prn_error *error);

/*
 * The same at the dial, searched from 1e-9 to 1e9 of rule->dial, at which the cost is as given, > 0, to 0.1 % or as near as
 * it comes; writes it to *dial.  Some twenty simulations.  Errors as above, and
 *
 * PRN_E_NOT_FOUND	no dial there costs so much, or so little
 */
int prn_simulate_policy_at(const struct prn_simulation *simulation, const struct prn_simulated_rule *rule, double cost,
                           double *dial, struct prn_simulated_policy *simulated, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
