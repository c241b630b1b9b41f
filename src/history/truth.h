/*
 * Ground truth of one page (doc/theory.md §8): how much its content at any capture differs from its content at
 * any other, and, between captures, the estimate of the eagerness model.  Time is in clock units, from the
 * first capture of the page's life.
 *
 * A truth is used for one page after another and keeps its memory.  Each thread has its own.
 */
#ifndef HISTORY_TRUTH_H
#define HISTORY_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history/rows.h"
#include "history/versions.h"
#include "perennial/error.h"
#include "perennial/life.h"
#include "perennial/page.h"

#define PRN_TRUTH_WHOLE 1024 /* versions of a page up to which all pairs of divergences are stored: 12 MB, and 8 for each estimate */

/*
 * Divergences of a page's versions, exact or estimated from summaries of limit m.  They are stored for all
 * pairs; for a page of more versions than PRN_TRUTH_WHOLE they are computed on request.
 */
struct prn_seen {
	const double *matrix; /* [versions x versions], or NULL */
	size_t versions;
	size_t m; /* PRN_SUMMARY_ALL: exact */
	struct prn_rows *rows; /* if matrix is NULL: rows of exact ones */
	struct prn_sketches sketches; /* and sketches of estimated ones */
	double *room;
	size_t capacity;
	bool ready; /* an estimate was made for the current page */
};

struct prn_truth {
	double weight;   /* W */
	uint64_t page;   /* identifies it: by its URL */
	double unit_s;   /* seconds in a clock unit */
	double start_s;  /* time of the first capture, Unix seconds */
	size_t captures; /* N + 1, at least PRN_LIFE_CAPTURES */
	double *time;    /* [captures], 0 at the first */
	bool *taken;     /* [captures] brought an observation: content, same, redirect */
	uint32_t *body;  /* [captures] equal numbers: the same bytes, as far as known; else the same text */
	double *since_modified; /* [captures] time since its Last-Modified; 0: unknown */

	double said;       /* said factor of its change rate (rates.h): also set by the reader of pages */
	double mean_bytes; /* set in the same way, as in pages.h */
	double *cost;     /* [captures] of a fetch there: 1; or its bytes / mean_bytes, if both are known */
	double mean_cost; /* mean of those after the first */
	double look_cost; /* cost of a visit to unchanged bytes, in (0, 1]; 0 means 1: set by the reader of pages, and kept */

	double eagerness;          /* E of the divergence, in [0, 1] */
	double holistic_eagerness; /* E of its holistic form: 1 where there is any divergence */

	struct prn_versions versions;
	struct prn_seen exact;
	struct prn_rows rows; /* versions behind exact */
	double *harmonic;   /* [versions] 1 + 1/2 + … + 1/n */

	struct prn_seen **estimates;
	size_t whole; /* PRN_TRUTH_WHOLE, unless a test sets another */
	size_t time_capacity, cost_capacity, taken_capacity, body_capacity, modified_capacity, harmonic_capacity, estimate_count,
		estimate_capacity;
};

void prn_truth_init(struct prn_truth *truth);
void prn_truth_release(struct prn_truth *truth);

/*
 * Reads a page: finds its life, versions, divergences and eagerness.  Returns 1, or 0 if its life has fewer
 * than PRN_LIFE_CAPTURES captures and it must be left out, or a negative code.
 *
 * PRN_E_MEMORY
 */
int prn_truth_read(struct prn_truth *truth, const struct prn_page *page, enum prn_clock clock);

/*
 * Gets the divergences as seen by a policy with summaries of limit m.  For PRN_SUMMARY_ALL they are exact;
 * others are computed at their first use for the page last read.  Valid until the next call of prn_truth_read.
 *
 * PRN_E_MEMORY
 */
int prn_truth_seen(struct prn_truth *truth, const struct prn_page *page, size_t m, const struct prn_seen **seen);

/* The divergence of two versions if there is no matrix. */
double prn_seen_pair(const struct prn_seen *seen, uint32_t a, uint32_t b);

/* Divergence of two versions. */
static inline double prn_seen_divergence(const struct prn_seen *seen, uint32_t a, uint32_t b)
{
	return seen->matrix ? seen->matrix[a * seen->versions + b] : prn_seen_pair(seen, a, b);
}

/* Divergence of the contents at two captures. */
static inline double prn_truth_divergence(const struct prn_truth *truth, size_t a, size_t b)
{
	return prn_seen_divergence(&truth->exact, truth->versions.of[a], truth->versions.of[b]);
}

/*
 * Returns the divergences of version `of` from itself, the next, … and version to >= of.  Valid until another
 * row is requested, by version or by capture.
 */
static inline const double *prn_truth_row(const struct prn_truth *truth, uint32_t of, uint32_t to)
{
	return truth->exact.matrix ? &truth->exact.matrix[of * truth->versions.count + of]
	                           : prn_rows_get(truth->exact.rows, of, to);
}

/*
 * ∫ D(P(base), P(t)) dt from capture `from` >= base to capture `to` >= from, in divergence x clock units; between
 * captures x and x+1 the integrand is (1-E) D(·, P(x)) + E D(·, P(x+1)) (OP appendix B).
 */
double prn_truth_integral(const struct prn_truth *truth, size_t base, size_t from, size_t to);

/* The same for the holistic divergence, with its own eagerness. */
double prn_truth_holistic_integral(const struct prn_truth *truth, size_t base, size_t from, size_t to);

/*
 * Returns the first capture from `from` on that is due at a time in clock units: one at most half a second
 * before it counts (doc/theory.md §8). captures if there is none.
 */
size_t prn_truth_capture_at(const struct prn_truth *truth, size_t from, double time);

#endif
