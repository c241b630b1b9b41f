/*
 * Ground truth of one page (doc/theory.md §8): how much its content at any capture differs from its content at
 * any other, and, between captures, what the eagerness model says.  Time is in clock units, from the first
 * capture of the page's life.
 *
 * A truth is used for one page after another and keeps its memory.  One per thread.
 */
#ifndef HISTORY_TRUTH_H
#define HISTORY_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history/versions.h"
#include "perennial/error.h"
#include "perennial/life.h"
#include "perennial/page.h"

/* A matrix of divergences estimated from summaries of limit m. */
struct prn_truth_estimate {
	size_t m;
	double *divergence;
	size_t capacity;
	bool ready; /* made for the present page */
};

struct prn_truth {
	double weight;   /* W */
	uint64_t page;   /* tells it from others: by its URL */
	double unit_s;   /* seconds in a clock unit */
	double start_s;  /* time of the first capture, Unix seconds */
	size_t captures; /* N + 1, at least PRN_LIFE_CAPTURES */
	double *time;    /* [captures], 0 at the first */
	bool *taken;     /* [captures] brought an observation: content, same, redirect */
	uint32_t *body;  /* [captures] equal numbers: the same bytes, as far as is known; else the same text */
	double *since_modified; /* [captures] time from its Last-Modified; 0: unknown */

	double said;       /* of how often it changes (rates.h): likewise set by whoever reads pages */
	double mean_bytes; /* likewise as in pages.h */
	double *cost;     /* [captures] of a fetch there: 1; or its bytes / mean_bytes, where both are known */
	double mean_cost; /* of those after the first */
	double look_cost; /* of a visit to unchanged bytes, in (0, 1]; 0 as 1: set by whoever reads pages, and kept */

	double eagerness;          /* E of the divergence, in [0, 1] */
	double holistic_eagerness; /* E of its holistic form: 1 where there is any divergence */

	struct prn_versions versions;
	double *divergence; /* [versions x versions] exact */
	double *harmonic;   /* [versions] 1 + 1/2 + … + 1/n */

	struct prn_truth_estimate *estimates;
	size_t time_capacity, cost_capacity, taken_capacity, body_capacity, modified_capacity, divergence_capacity, harmonic_capacity,
		estimate_count, estimate_capacity;
};

void prn_truth_init(struct prn_truth *truth);
void prn_truth_release(struct prn_truth *truth);

/*
 * Takes up a page: finds its life, versions, divergences and eagerness.  Returns 1, or 0 when it has fewer
 * than PRN_LIFE_CAPTURES captures in its life and is to be left out, or a negative code.
 *
 * PRN_E_MEMORY
 */
int prn_truth_read(struct prn_truth *truth, const struct prn_page *page, enum prn_clock clock);

/*
 * The matrix of divergences as a policy with summaries of limit m sees them: PRN_SUMMARY_ALL is the exact
 * one; others are made at their first use for a page, which is the page last read.  Valid until the next
 * call of prn_truth_read or of this function.
 *
 * PRN_E_MEMORY
 */
int prn_truth_seen(struct prn_truth *truth, const struct prn_page *page, size_t m, const double **matrix);

/* Divergence of the contents at two captures. */
static inline double prn_truth_divergence(const struct prn_truth *truth, size_t a, size_t b)
{
	const uint32_t *of = truth->versions.of;

	return truth->divergence[of[a] * truth->versions.count + of[b]];
}

/*
 * ∫ D(P(base), P(t)) dt from capture `from` to capture `to` >= from, in divergence x clock units; between
 * captures x and x+1 the integrand is (1-E) D(·, P(x)) + E D(·, P(x+1)) (OP appendix B).
 */
double prn_truth_integral(const struct prn_truth *truth, size_t base, size_t from, size_t to);

/* The same of the holistic divergence, with its own eagerness. */
double prn_truth_holistic_integral(const struct prn_truth *truth, size_t base, size_t from, size_t to);

/*
 * The first capture at or after `from` that a time in clock units has come by: one at most half a second
 * before it counts (doc/theory.md §8).  captures when there is none.
 */
size_t prn_truth_capture_at(const struct prn_truth *truth, size_t from, double time);

#endif
