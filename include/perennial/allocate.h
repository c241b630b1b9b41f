/*
 * Freshness and age of pages that change as Poisson processes, and the division of a budget of refreshes
 * among them (Cho ch. 5; AZ; KO; doc/theory.md §11).
 *
 * Rates λ and frequencies f are per one unit of time, any one; ages come in that unit.  Weights are > 0.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_ALLOCATE_H
#define PERENNIAL_ALLOCATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the refreshes of a page follow each other (Cho §5.3). */
enum prn_order {
	PRN_ORDER_FIXED,         /* at equal intervals */
	PRN_ORDER_RANDOM,        /* once in each interval, at a uniformly random moment of it */
	PRN_ORDER_PURELY_RANDOM, /* at the times of a Poisson process */
};

/*
 * The expected share of time in which the copy is up to date, in [0, 1]: 1 for rate 0, else 0 for
 * frequency 0.  rate >= 0, frequency >= 0.  Cho table 5.2.
 */
double prn_freshness(enum prn_order order, double rate, double frequency);

/*
 * The expected time since the copy became out of date, 0 while it is not: 0 for rate 0, else INFINITY for
 * frequency 0.
 */
double prn_age(enum prn_order order, double rate, double frequency);

/*
 * The same of a page in a collection that is crawled as a whole, once in 1/frequency: shadowed, what a crawl brings is
 * shown when the crawl ends, and until the next one does (Cho §7.2).  share, in (0, 1], is how much of the time
 * between the beginnings of two crawls a crawl takes: 1 is a crawler that runs steadily, less one that runs in batches.
 * Without a shadow a page is shown when it is fetched, and prn_freshness and prn_age of fixed order hold for both.
 */
double prn_shadow_freshness(double rate, double frequency, double share);
double prn_shadow_age(double rate, double frequency, double share);

enum prn_objective {
	PRN_OBJECTIVE_FRESHNESS, /* maximise Σ w F, fixed order (Cho §5.5) */
	PRN_OBJECTIVE_AGE,       /* minimise Σ w A, fixed order (Cho §5.5.4) */
	PRN_OBJECTIVE_BINARY,    /* maximise Σ w f/(f+λ): freshness in purely random order (AZ) */
	PRN_OBJECTIVE_HARMONIC,  /* minimise KO's harmonic penalty, purely random order */
};

#define PRN_ALLOCATE_LEAST 1e-100
#define PRN_ALLOCATE_MOST 1e100

/*
 * Writes to frequencies[n] the division of budget that is best for the objective: Σ frequencies = budget
 * and the marginal values w ∂/∂f are all *multiplier (μ; η for the randomised two) where frequency > 0.  Where these are
 * beyond e^±700 the multiplier is that.
 *
 * rates[n]: 0, or from PRN_ALLOCATE_LEAST to PRN_ALLOCATE_MOST, as are weights[n], or NULL: all 1, and the budget.  A page of rate 0 gets 0.  If no page changes, all
 * get 0 and the multiplier is 0.  Time: about a dozen passes over the pages.
 *
 * PRN_E_ARGUMENT	n is 0, or the budget, a rate or a weight is not as above; nothing is written
 */
int prn_allocate(enum prn_objective objective, const double *rates, const double *weights, size_t n, double budget,
                 double *frequencies, double *multiplier);

/*
 * The same where no host may be asked too often (KPL): page i is of host hosts[i] < host_count, and of host h there are at most
 * limits[h] refreshes per unit of time, INFINITY for no limit; otherwise limits are as a budget.  Σ frequencies is the budget, or all
 * that the limits of hosts with pages that change allow.  The pages of a host that is at its limit have a marginal value of their
 * own, at least *multiplier, which is that of all others where frequency > 0, and 0 where none of the others changes.
 *
 * PRN_E_ARGUMENT	as above, or a page is of no host, or a limit is no number > 0; nothing is written
 * PRN_E_MEMORY
 */
int prn_allocate_polite(enum prn_objective objective, const double *rates, const double *weights, const size_t *hosts, size_t n,
                        const double *limits, size_t host_count, double budget, double *frequencies, double *multiplier);

/*
 * The frequencies that are best for the objective where a refresh costs price: all the marginal values are the price where
 * frequency > 0.  For freshness the price is C_c/C_s, of a crawl in units of stale time of a page of weight 1 (FGT).  Arguments
 * and errors as above; price is as a budget.
 */
int prn_allocate_price(enum prn_objective objective, const double *rates, const double *weights, size_t n, double price,
                       double *frequencies);

/*
 * The division for the objective at which the weighted mean freshness in an order is as given, in (0, 1): writes frequencies,
 * the multiplier and the budget that it takes.  Where pages that never change make it higher already, all three are 0.
 *
 * PRN_E_ARGUMENT	as above, or freshness is not in (0, 1)
 */
int prn_allocate_target(enum prn_objective objective, enum prn_order order, const double *rates, const double *weights,
                        size_t n, double freshness, double *frequencies, double *multiplier, double *budget);

/*
 * The frequency that prn_allocate gives one page once the multiplier is known: all that a page has to know of
 * the others.  rate >= 0; weight, multiplier > 0.
 */
double prn_allocate_one(enum prn_objective objective, double rate, double weight, double multiplier);

#ifdef __cplusplus
}
#endif

#endif
