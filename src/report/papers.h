/*
 * The experiments of the papers run again: each a line of a table, beside the number that the paper prints.
 */
#ifndef REPORT_PAPERS_H
#define REPORT_PAPERS_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

struct report_paper {
	const char *source; /* "Cho §6.4.1" */
	const char *what;   /* what is measured */
	double ours;
	double error;    /* the standard error of a simulated number; 0: it is worked out */
	double theirs;   /* NaN: the paper prints none */
	double rounding; /* half of theirs' last digit, or what they say of it */
	const char *note; /* on how the two differ, or ""; static */
};

/* Whether ours is theirs, within its rounding and twice the standard error.  False where there is none. */
int report_paper_agrees(const struct report_paper *paper);

/* A curve of a figure: estimates by method, rate and number of visits. */
struct report_paper_curve {
	const char *file; /* of its table, "papers-bias.tsv" */
	const char *const *methods; /* ends with NULL */
	const char *process, *schedule;
	double interval;
	const double *rates;   /* ends with 0 */
	const uint64_t *visits; /* ends with 0 */
	int of_interval; /* what is estimated is 1/λ */
};

extern const struct report_paper_curve report_paper_curves[]; /* ends with a NULL file */

/* AV's experiment 2: of the freshness that the best division of visits brings, the share that one by estimates brings. */
struct report_paper_freshness {
	double mean, error; /* error: standard, of the mean over sets; NaN: of one set */
};

/*
 * After so many visits to each page, visits[count] ascending, of sets (>= 1) of 100 pages that are drawn.
 *
 * PRN_E_NOT_FOUND, PRN_E_ARGUMENT	as prn_estimator_init of method
 * PRN_E_INPUT	an estimate is no rate that visits could be divided by
 * PRN_E_MEMORY
 */
int report_papers_freshness(const char *method, size_t sets, uint64_t seed, const uint64_t *visits, size_t count,
                            struct report_paper_freshness *freshnesses, struct prn_error *error);

/*
 * Cho table 6.1, on so many pages of five rates: what a crawler finds that visits them five times at one interval, and for twelve
 * intervals more as often as the method then says that they change, of the changes that as many visits at that interval find.
 * Writes that ratio and its standard error.
 *
 * PRN_E_NOT_FOUND, PRN_E_ARGUMENT	as prn_estimator_init of method
 * PRN_E_MEMORY
 */
int report_papers_crawl(const char *method, size_t pages, uint64_t seed, double *ratio, double *error_of, struct prn_error *error);

/*
 * Runs all experiments on so many simulated pages each; *papers is the caller's to free.
 *
 * PRN_E_ARGUMENT	pages or threads are not as simulations take them (simulation.h)
 * PRN_E_MEMORY
 */
int report_papers_run(size_t pages, uint64_t seed, size_t threads, struct report_paper **papers, size_t *count,
                      struct prn_error *error);

#endif
