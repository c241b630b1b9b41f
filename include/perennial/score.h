/*
 * How a copy of a page is judged: over which part of the page's life, and by what.
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_SCORE_H
#define PERENNIAL_SCORE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Windows of a page's life 0 … N, by capture index. */
enum prn_window {
	PRN_WINDOW_WARM_UP, /* [0, ⌊N/2⌋] */
	PRN_WINDOW_STEADY,  /* [⌊N/2⌋, N] */
	PRN_WINDOW_ALL,     /* [0, N] */
};

#define PRN_WINDOWS 3

/* "warm-up", "steady", "all"; "?" for any other value.  Static. */
const char *prn_window_name(enum prn_window window);

/*
 * How a copy is judged over a window; means are over time.  Between captures the interpolation of doc/theory.md §8
 * is that a change came at the start of its gap, with the eagerness as probability, or else at the end.
 */
enum prn_metric {
	PRN_METRIC_FRAGMENT, /* the mean divergence of the copy from the page, in [0, 1] (OP) */
	PRN_METRIC_HOLISTIC, /* the share of time in which they differ at all: 1 - freshness (Cho §5.2) */
	PRN_METRIC_AGE,      /* mean days since the first change after the last refresh, 0 while they are the same (Cho §5.2) */
	PRN_METRIC_HARMONIC, /* mean of 1 + 1/2 + … + 1/n, n changes since the last refresh (KO) */
	PRN_METRIC_CHANGES,  /* visits that found the page changed: a number, and the more the better (Cho table 6.1) */
};

#define PRN_METRICS 5

/* "fragment", "holistic", "age", "harmonic", "changes"; "?" for any other value.  Static. */
const char *prn_metric_name(enum prn_metric metric);

/* Of a page, or the W-weighted mean over pages. */
struct prn_score {
	double cost; /* visits at captures in (a, b], divided by b - a: 1 is every capture */
	union {
		double staleness; /* the first of the metrics */
		double metrics[PRN_METRICS];
	};
};

#ifdef __cplusplus
}
#endif

#endif
