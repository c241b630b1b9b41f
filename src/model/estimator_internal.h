/*
 * The parts of an estimator.  A new estimator is one file that defines a struct prn_estimator_kind, and one
 * line in the table of estimator.c.
 *
 * States are structs of double only, and none is negative.  Visits come with intervals in PRN_INTERVAL_MIN …
 * _MAX, and since_modified in (0, interval].
 */
#ifndef MODEL_ESTIMATOR_INTERNAL_H
#define MODEL_ESTIMATOR_INTERNAL_H

#include "perennial/estimator.h"

/* Far outside the range of clocks and well inside single precision; products and quotients of two of them stay finite. */
#define PRN_INTERVAL_MIN 1e-30
#define PRN_INTERVAL_MAX 1e30

struct prn_estimator_kind {
	struct prn_estimator_info info;
	size_t (*state_size)(const struct prn_estimator *estimator);
	void (*add)(const struct prn_estimator *estimator, void *state, const struct prn_estimator_visit *visit);
	double (*rate)(const struct prn_estimator *estimator, const void *state);

	/* Forgets: multiplies the weight of all visits so far by kept, in (0, 1).  NULL: the estimator has no such key. */
	void (*fade)(const struct prn_estimator *estimator, void *state, double kept);
	/*
	 * As prn_estimator_interval, which adds the estimate where it is outside.  There is at least one visit,
	 * or a prior.
	 */
	void (*interval)(const struct prn_estimator *estimator, const void *state, double confidence, double *low,
	                 double *high);

	/* These may be NULL: then any numbers are a valid state, or there are no classes. */
	bool (*valid)(const struct prn_estimator *estimator, const void *state);
	size_t (*probabilities)(const struct prn_estimator *estimator, const void *state, double *probabilities);
};

/* Tells whether older visits weigh less. */
static inline bool prn_estimator_forgets(const struct prn_estimator *estimator)
{
	return estimator->forgetting > 0 && estimator->forgetting < 1;
}

/*
 * Where visits are forgotten, mle and mm count at least half a visit without a change, as ratio does.
 * Otherwise the rate would grow without bound as the weight of the last one fades (doc/theory.md §9).
 */
#define PRN_ESTIMATOR_UNCHANGED_LEAST 0.5

/* The counts of a page's visits: the state of ratio and lln. */
struct prn_visit_counts {
	double visits, changes, time;
};

static inline size_t prn_visit_counts_size(const struct prn_estimator *estimator)
{
	(void)estimator;
	return sizeof(struct prn_visit_counts);
}

static inline void prn_visit_counts_add(const struct prn_estimator *estimator, void *state,
                                        const struct prn_estimator_visit *visit)
{
	struct prn_visit_counts *counts = state;

	(void)estimator;
	counts->visits++;
	counts->changes += visit->changed;
	counts->time += visit->interval;
}

static inline void prn_visit_counts_fade(const struct prn_estimator *estimator, void *state, double kept)
{
	struct prn_visit_counts *counts = state;

	(void)estimator;
	counts->visits *= kept;
	counts->changes *= kept;
	counts->time *= kept;
}

extern const struct prn_estimator_kind prn_estimator_naive, prn_estimator_ratio, prn_estimator_mle,
	prn_estimator_last_modified_naive, prn_estimator_last_modified, prn_estimator_bayes, prn_estimator_empirical,
	prn_estimator_prior_mle, prn_estimator_mm, prn_estimator_lln, prn_estimator_sa;

/* Name, fallback and help of each key: policies that have the key use the same wording. */
#define PRN_KEY_VISIT_RATE \
	"visit-rate", "mean", "lln, sa: visits per unit of time, p; \"mean\": the page's own so far"
#define PRN_KEY_DAMPING "damping", "1", "lln: keeps the estimate finite, α"
#define PRN_KEY_GROWTH "growth", "0", "lln: after k visits α is damping × k^growth, 0 to below 1; or 'log': × log(k + 1)"
#define PRN_KEY_EXPONENT "exponent", "0.75", "sa: how fast its steps shrink, γ, above 0, at most 1; up to 0.5 it never settles"
#define PRN_KEY_PRIOR_CHANGED \
	"prior-changed", "0.0416667", "prior-mle: pseudo-interval with a change, units of time (1 h where they are days)"
#define PRN_KEY_PRIOR_UNCHANGED \
	"prior-unchanged", "2.375", "prior-mle: pseudo-interval without, units of time (57 h where they are days)"
#define PRN_KEY_CLASSES "classes", "7/30", "bayes, empirical: mean times between changes, at most 16, units of time"
#define PRN_KEY_LENGTHS \
	"lengths", "8", "mle, prior-mle, mm: different intervals told apart, the rest is averaged"
#define PRN_KEY_FORGETTING "forgetting", "1", "what a visit leaves of the weight of those before it, of all but sa"

#endif
