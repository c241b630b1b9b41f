/*
 * Estimators of λ, the rate at which a page changes, from visits that only saw whether it had: the learners of
 * the holistic curve (doc/theory.md §9; Cho ch. 6, GF, AV).
 *
 * An estimator is its parameters: plain numbers, copy it freely.  What it knows of one page is a state of
 * prn_estimator_state_size() bytes, owned by the caller: an array of double that may be copied with memcpy
 * and kept anywhere; all zero bytes is a page without visits.
 *
 * Time is in one unit, the caller's, for intervals and parameters; a rate is changes per that unit.  Every
 * estimate is finite and >= 0 on every history, and 0 says "no change seen" or "no visits".
 *
 * Papers by their short names: doc/theory.md, References.
 */
#ifndef PERENNIAL_ESTIMATOR_H
#define PERENNIAL_ESTIMATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One way to estimate.  All strings are static. */
struct prn_estimator_info {
	const char *name;        /* "last-modified" */
	const char *title;       /* one line */
	const char *source;      /* "Cho §6.5.2" */
	const char *const *keys; /* names of its parameters; ends with NULL */
};

/* The i-th estimator, or NULL past the end. */
const struct prn_estimator_info *prn_estimator_info(size_t i);

/* A parameter.  All strings are static. */
struct prn_estimator_key {
	const char *name;     /* "visit-rate" */
	const char *fallback; /* the value it has when not given, as written in a specification */
	const char *help;     /* one line */
};

/* The i-th parameter that any estimator has, or NULL past the end. */
const struct prn_estimator_key *prn_estimator_key(size_t i);

#define PRN_ESTIMATOR_CLASSES 16
#define PRN_ESTIMATOR_LENGTHS 1024

struct prn_estimator_kind;

/* Set by the functions below; may be read. */
struct prn_estimator {
	const struct prn_estimator_kind *kind;
	double visit_rate;      /* p of lln and sa; 0: the page's visits per unit so far */
	double damping;         /* α of lln */
	double exponent;        /* γ of sa, in (0, 1] */
	double prior_changed;   /* prior-mle: length of the pseudo-interval with a change */
	double prior_unchanged; /* and of the one without */
	double classes[PRN_ESTIMATOR_CLASSES]; /* of bayes and empirical: mean times between changes */
	size_t class_count;
	size_t lengths; /* of mle, prior-mle, mm: how many different intervals are told apart */
	double forgetting; /* what a visit leaves of the weight of those before it, in (0, 1]; all but sa */
	double growth; /* of lln: after k visits α is damping x k^growth, in [0, 1), or damping x log(k + 1) */
};

#define PRN_ESTIMATOR_GROWTH_LOG (-1.0) /* as growth: the logarithm */

/*
 * Fills *estimator from a specification "name" or "name:key=value:key=value"; the name's other keys, and those
 * of other estimators, have their fallbacks.  Untouched on failure.
 *
 * PRN_E_NOT_FOUND	no such estimator or key; the text lists what there is
 * PRN_E_ARGUMENT	a value does not fit its key; the text says which and what fits
 */
int prn_estimator_init(struct prn_estimator *estimator, const char *specification, struct prn_error *error);

/*
 * The steps of prn_estimator_init, for callers with another syntax: the estimator's name; the value of one key of
 * any estimator.  Errors as above.
 */
int prn_estimator_choose(struct prn_estimator *estimator, const char *name, struct prn_error *error);
int prn_estimator_set(struct prn_estimator *estimator, const char *key, const char *value,
                      struct prn_error *error);

const struct prn_estimator_info *prn_estimator_about(const struct prn_estimator *estimator);

/*
 * A multiple of sizeof(double): at most 16 · (lengths + 3) for the three that have lengths, 8 · classes (PRN_ESTIMATOR_CLASSES at
 * most) for the two that have classes, else 64.
 */
size_t prn_estimator_state_size(const struct prn_estimator *estimator);

/* A visit after the page's first: intervals outside 1e-30 … 1e30 count as the nearer end. */
struct prn_estimator_visit {
	double interval;       /* since the visit before; > 0 */
	bool changed;          /* between the two */
	double since_modified; /* time from the last change to this visit, by the server; 0: unknown */
};

#define PRN_ESTIMATOR_NOW 1e-30 /* a since_modified for "just now" */

void prn_estimator_add(const struct prn_estimator *estimator, void *state,
                       const struct prn_estimator_visit *visit);

/* λ by the visits so far.  0 without any, but where a prior or a parameter gives a value: prior-mle, bayes, empirical, sa. */
double prn_estimator_rate(const struct prn_estimator *estimator, const void *state);

/*
 * Writes the interval of rates that the visits leave possible at a confidence in (0, 1), such as 0.95: *low >= 0 and
 * *high > 0, which is INFINITY where nothing but changes was seen, or nothing at all.
 *
 * By the likelihood ratio (its limit is a chi-square of one degree): of the intervals and whether each had a change for
 * mle and, with its pseudo-intervals, prior-mle; with the mean interval for naive and ratio; of Poisson visits for lln; of
 * the times since the last changes for the two that use them.  mm: the rates at which as many unchanged visits as there
 * were are within the normal quantile of what is expected.  sa: its estimate and its limiting variance.  bayes, empirical:
 * the classes that are left when no more than half of what is missing to 1 is taken off either end.
 *
 * An estimate that is not among them is an end of the interval: naive is low by design, bayes and empirical are means of their
 * classes, and where nothing but changes was seen mle is one over the shortest interval however many visits there were.
 *
 * Where visits are forgotten, what is left of them is what counts.  Untouched unless confidence is in (0, 1).
 */
void prn_estimator_interval(const struct prn_estimator *estimator, const void *state, double confidence, double *low,
                            double *high);

/*
 * How many changes a visit should expect, λ times the interval, for a given number of visits to say most of λ: the
 * largest Fisher information of a visit, r²/(e^r - 1), is there.  Cho §6.4 advises about 1.5.
 */
#define PRN_ESTIMATOR_BEST_R 1.5936242600400401

/*
 * Whether numbers that came from elsewhere, or were rounded, are a state of this estimator: one that can be
 * added to, and whose rate is finite and >= 0.  Its own states are, in single precision too.
 */
bool prn_estimator_valid(const struct prn_estimator *estimator, const void *state);

/*
 * bayes, empirical: writes how probable each of its classes is, in their order, and returns how many there are.
 * The others return 0.
 */
size_t prn_estimator_probabilities(const struct prn_estimator *estimator, const void *state,
                                   double probabilities[PRN_ESTIMATOR_CLASSES]);

#ifdef __cplusplus
}
#endif

#endif
