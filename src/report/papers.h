/* The experiments of the papers, run again: each is a line of a table, beside the number that the paper prints. */
#ifndef REPORT_PAPERS_H
#define REPORT_PAPERS_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

#define REPORT_NORMAL_95 1.959963984540054 /* standard errors in a 95 % interval, to each side */

struct report_paper {
	const char *source; /* "Cho §6.4.1" */
	const char *what;   /* what is measured */
	double ours;
	double error;    /* standard error of a simulated number; 0: it was calculated */
	double theirs;   /* NaN: the paper prints none */
	double rounding; /* half a unit of the last digit of theirs, or what they say of it */
	const char *note; /* explains a difference, or ""; static */
};

/* Whether ours agrees with theirs, within its rounding and twice the standard error.  False if they print none. */
int report_paper_agrees(const struct report_paper *paper);

/* A curve of a figure: estimates by method, rate and number of visits. */
struct report_paper_curve {
	const char *file; /* the file of its table, "papers-bias.tsv" */
	const char *const *methods; /* ends with NULL */
	const char *process, *schedule;
	double interval;
	const double *rates;   /* ends with 0 */
	const uint64_t *visits; /* ends with 0 */
	int of_interval; /* 1: 1/λ is estimated */
};

extern const struct report_paper_curve report_paper_curves[]; /* ends with a NULL file */

/* AV's experiment 2: the freshness by an allocation with estimated rates, as a share of that by the best allocation. */
struct report_paper_freshness {
	double mean, error; /* error: standard error of the mean over sets; NaN: there is one set */
};

/*
 * Measures it after each number of visits to each page, visits[count] ascending, on sets (>= 1) of 100 pages that are drawn.
 *
 * PRN_E_NOT_FOUND, PRN_E_ARGUMENT	as prn_estimator_init of method
 * PRN_E_INPUT	an estimate is no rate that visits could be allocated by
 * PRN_E_MEMORY
 */
int report_papers_freshness(const char *method, size_t sets, uint64_t seed, const uint64_t *visits, size_t count,
                            struct report_paper_freshness *freshnesses, struct prn_error *error);

/*
 * Cho table 6.1, on that many pages of five rates.  A crawler visits them five times at one interval, and for twelve more
 * intervals as often as the method says that they change.  Writes how many changes it finds, divided by how many as many
 * visits at the one interval find, and the standard error of that ratio.
 *
 * PRN_E_NOT_FOUND, PRN_E_ARGUMENT	as prn_estimator_init of method
 * PRN_E_MEMORY
 */
int report_papers_crawl(const char *method, size_t pages, uint64_t seed, double *ratio, double *error_of, struct prn_error *error);

/*
 * Runs all experiments on that many simulated pages each; the caller frees *papers.
 *
 * PRN_E_ARGUMENT	pages or threads are out of range (simulation.h)
 * PRN_E_MEMORY
 */
int report_papers_run(size_t pages, uint64_t seed, size_t threads, struct report_paper **papers, size_t *count,
                      struct prn_error *error);

#endif
