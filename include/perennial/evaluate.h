/*
 * Judges policies on page histories: refreshes against staleness (theory.md 7, 8).
 *
 * A contender is a policy under test, online or an offline yardstick.  It is replayed over every page at
 * several settings of its dial; an evaluation holds what came of it, and a comparison reads the policies
 * off at equal cost or equal staleness, with bootstrap intervals.
 *
 * Everything here is the same, bit for bit, for any number of threads.
 */
#ifndef PERENNIAL_EVALUATE_H
#define PERENNIAL_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/page.h"
#include "perennial/policy.h"
#include "perennial/prior.h"
#include "perennial/trace.h"

#define PRN_EVALUATE_CAPTURES 4 /* a page with fewer in its life is left out and counted */

/* What a clock unit is: times, periods, T, l, α and β are in it (theory.md 8). */
enum prn_clock {
	PRN_CLOCK_STEPS, /* the page's mean capture interval over its life */
	PRN_CLOCK_DAYS,
};

/* Windows of a page's life 0 … N, by capture index. */
enum prn_window {
	PRN_WINDOW_WARM_UP, /* [0, ⌊N/2⌋] */
	PRN_WINDOW_STEADY,  /* [⌊N/2⌋, N] */
	PRN_WINDOW_ALL,     /* [0, N] */
};

#define PRN_WINDOWS 3

/* "warm-up", "steady", "all".  Static. */
const char *prn_window_name(enum prn_window window);

/*
 * How a copy is judged over a window; means are over time.  Between captures the interpolation of theory.md 8
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

/* "fragment", "holistic", "age", "harmonic", "changes".  Static. */
const char *prn_metric_name(enum prn_metric metric);

/* Of a page, or the W-weighted mean over pages. */
struct prn_score {
	double cost; /* visits at captures in (a, b], divided by b - a: 1 is every capture */
	union {
		double staleness; /* the first of the metrics */
		double metrics[PRN_METRICS];
	};
};

/*
 * A policy under test.  Immutable once opened, shared by threads.
 */
struct prn_contender;

/* The i-th offline yardstick (fs-s, hs-s, fs-d, hs-d), or NULL past the end. */
const struct prn_policy_info *prn_yardstick_info(size_t i);

/*
 * Opens a yardstick by its name, "uniform:skip-static" (pages that never change are never visited), or an
 * online policy by its specification; defaults and errors are those of prn_policy_open.
 */
int prn_contender_open(struct prn_contender **out, const char *specification, const char *defaults,
                       struct prn_error *error);
void prn_contender_free(struct prn_contender *contender);

const struct prn_policy_info *prn_contender_about(const struct prn_contender *contender);

/* A setting of the dial: in clock units, or (periods only) in seconds, by each page's own clock. */
struct prn_setting {
	double value; /* > 0, finite */
	bool in_seconds;
};

/*
 * The pages to judge on.  read is called from several threads at once; url and corpus are too.
 * A page without url belongs to no host.
 */
struct prn_pages {
	size_t count;
	size_t corpora; /* corpus(i) < corpora */
	void *context;
	const char *(*url)(void *context, size_t i); /* normal form, or NULL */
	size_t (*corpus)(void *context, size_t i);
	int (*read)(void *context, size_t i, struct prn_page *page, struct prn_error *error);
};

/* Traces pooled: corpus i is trace i.  The arrays are borrowed for as long as the pages are used. */
struct prn_trace_pool {
	const struct prn_trace *const *traces; /* [count] */
	size_t *starts;                        /* [count + 1], owned */
	size_t count;
};

/* Fills *pages, whose context is *pool.  PRN_E_MEMORY, PRN_E_LIMIT: more pages than a size_t counts. */
int prn_trace_pool_init(struct prn_trace_pool *pool, const struct prn_trace *const *traces, size_t count,
                        struct prn_pages *pages);
void prn_trace_pool_release(struct prn_trace_pool *pool);

/* What one page's life adds up to: for the scale of a sweep, and for learning priors. */
struct prn_life {
	double weight;
	double interval; /* mean capture interval, clock units: 1 under PRN_CLOCK_STEPS */
	size_t captures; /* of its life; 0: left out */
	struct prn_drifted drift; /* over consecutive captures that were taken */
};

/*
 * Reads the lives of all pages to lives[pages->count].
 * Errors are those of pages->read, and PRN_E_MEMORY.
 */
int prn_lives_read(struct prn_life *lives, const struct prn_pages *pages, enum prn_clock clock, size_t threads,
                   struct prn_error *error);

/* One policy over several settings: a curve of cost against staleness. */
struct prn_sweep {
	/*
	 * [pages->corpora] the contender for each corpus (they may differ in their prior); same dial and
	 * specification
	 */
	const struct prn_contender *const *contenders;
	const struct prn_setting *settings; /* [setting_count] */
	size_t setting_count;
	/*
	 * Settings are budgets, visits per page and clock unit: all pages go through their lives together,
	 * each from its acquisition, and the dial that spends the budget is solved from what has been learned
	 * of all of them after 1, 2, 4, 8, … of the shortest mean capture interval of any page: by
	 * prn_policy_price, or else from what prn_policy_decide says of every page.
	 */
	bool budgets;
};

struct prn_evaluation;

/*
 * Replays every sweep over every page.  Memory: one page a thread, and six numbers per window, setting and
 * cluster of pages (at most PRN_EVALUATE_CLUSTERS); for budgets also half a kilobyte per page and budget.
 * sweeps and all that they hold are borrowed for as long as *out lives.
 *
 * PRN_E_RANGE	a setting is not positive and finite, or in seconds for a threshold or a budget
 * PRN_E_UNSUPPORTED	a budget for a policy that knows pages beforehand: an offline one, or one that skips static pages
 * PRN_E_NOT_FOUND	no page has PRN_EVALUATE_CAPTURES captures in its life
 * PRN_E_MEMORY, and the errors of pages->read
 */
int prn_evaluation_run(struct prn_evaluation **out, const struct prn_pages *pages, const struct prn_sweep *sweeps,
                       size_t sweep_count, enum prn_clock clock, size_t threads, struct prn_error *error);
void prn_evaluation_free(struct prn_evaluation *evaluation);

/* Pages that were replayed, and pages that were left out for too few captures. */
size_t prn_evaluation_pages(const struct prn_evaluation *evaluation);
size_t prn_evaluation_left_out(const struct prn_evaluation *evaluation);

/* The mean over pages for one sweep at one of its settings. */
struct prn_score prn_evaluation_score(const struct prn_evaluation *evaluation, size_t sweep, size_t setting,
                                      enum prn_window window);

/*
 * What the bootstrap draws: hosts, so that pages of one site, which change together, stay together.  Pages of
 * one single host, or of none, are drawn page by page; beyond this many, clusters are joined.
 */
#define PRN_EVALUATE_CLUSTERS 4096

enum prn_axis {
	PRN_AXIS_COST,      /* the metric at given costs */
	PRN_AXIS_STALENESS, /* cost at given values of the metric */
};

#define PRN_NO_REFERENCE SIZE_MAX

struct prn_comparison {
	enum prn_axis axis;
	enum prn_window window;
	enum prn_metric metric; /* of the axis that is not cost */
	const double *targets; /* [target_count] values on the axis */
	size_t target_count;
	size_t reference; /* the sweep that ratios are to, or PRN_NO_REFERENCE */
	uint64_t seed;
	size_t resamples; /* 0: no intervals */
	size_t threads;
};

/* A value and its 95 % bootstrap interval; NaN where there is none. */
struct prn_interval {
	double value, low, high;
};

struct prn_compared {
	struct prn_interval value; /* on the other axis */
	struct prn_interval ratio; /* value / the reference's value, resampled together */
};

/*
 * Reads every sweep off at every target: compared[sweep * target_count + target].
 *
 * The points of a sweep are ordered by their setting; neighbours that are out of order on the axis (a larger
 * threshold that does not cost less, or is not staler) are pooled into their mean until none is, and the line
 * between the two points that enclose the target is read off.  value is NaN when no two do: the policy cannot
 * be tuned there.  Intervals are the 2.5 and 97.5 % quantiles over resamples of clusters, the same resamples
 * for every sweep; NaN when more than 5 % of the resamples cannot be tuned there either.
 *
 * PRN_E_MEMORY
 */
int prn_evaluation_compare(const struct prn_evaluation *evaluation, const struct prn_comparison *comparison,
                           struct prn_compared *compared);

#endif
