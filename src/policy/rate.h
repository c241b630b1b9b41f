/*
 * The common part of the policies that estimate a change rate: a visit only sees whether the page changed since
 * the one before, by more than their key "change" (Cho §6.2, §8.1), and an estimator makes a rate of that
 * (doc/theory.md §9).  Their state is the estimator's and the last visit.
 */
#ifndef POLICY_RATE_H
#define POLICY_RATE_H

#include "model/estimator_internal.h"
#include "perennial/allocate.h"
#include "perennial/policy_kind.h"

/* Their parameters, or the first of them. */
struct prn_rate_parameters {
	struct prn_estimator estimator;
	struct prn_bounds bounds;
	double change; /* a larger divergence is a change; 0: any */
	size_t seed; /* seed of randomised policies */
};

struct prn_rate_state {
	double time; /* of the last visit */
	uint64_t visits; /* counts up to UINT32_MAX */
	double learned[]; /* the estimator's state */
};

/* For struct prn_policy_kind: one slot, which holds the version of the last visit. */
void prn_rate_sizes(const void *parameters, size_t *slots, size_t *state_size);

/* Writes the holistic curve of the estimated rate; returns 0 at the first visit, unless the estimator has a prior. */
int prn_rate_curve(const void *parameters, const void *state, struct prn_curve *curve);

static inline uint32_t prn_rate_visits(const void *state)
{
	return (uint32_t)((const struct prn_rate_state *)state)->visits;
}

/* Records a visit: its version takes the slot. */
int prn_rate_visit(const void *parameters, void *state, const struct prn_visit *now);

void prn_rate_pack(const void *parameters, void *state, struct prn_packing *packing);

/*
 * The decision of a randomised policy: visits at the times of a Poisson process, of the frequency that is best
 * for the objective at multiplier = threshold; 0 is never.  The draw depends on the key "seed", the page, and
 * the number of its visits.
 */
void prn_rate_decide_at_random(enum prn_objective objective, const void *parameters, const void *state,
                               const struct prn_visit *now, struct prn_decision *decision);

/* For the price of a kind: the multiplier of prn_allocate, and its errors; PRN_E_MEMORY. */
int prn_rate_multiplier(enum prn_objective objective, const double *rates, const double *weights, size_t n,
                        double budget, double *multiplier);

/* The price of a kind that optimises freshness. */
int prn_rate_price_freshness(const double *rates, const double *weights, size_t n, double budget, double *dial);

/* The members of a kind with this state. */
#define PRN_KIND_OF_RATE                                                                                           \
	.version = PRN_POLICY_KIND_VERSION, .sizes = prn_rate_sizes, .visit = prn_rate_visit, .pack = prn_rate_pack, \
	.curve = prn_rate_curve

/* A key of the estimator: texts are its name, fallback and help. */
#define PRN_KEY_OF_RATE(texts) \
	{ texts, .type = PRN_KEY_TYPE_ESTIMATOR, .offset = offsetof(struct prn_rate_parameters, estimator) }

#define PRN_KEY_CHANGE                                                                                             \
	{ .name = "change", .fallback = "0", .help = "what counts as a change: a divergence above this",           \
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct prn_rate_parameters, change), .most = 1, .below = true }

/* All keys of estimators and the key "change", worded once for all policies that take any estimator. */
#define PRN_KEYS_OF_RATE(fallback)                                                                                  \
	PRN_KEY_OF_RATE(PRN_KEY_ESTIMATOR(fallback)), PRN_KEY_OF_RATE(PRN_KEY_LENGTHS),                            \
		PRN_KEY_OF_RATE(PRN_KEY_CLASSES), PRN_KEY_OF_RATE(PRN_KEY_PRIOR_CHANGED),                          \
		PRN_KEY_OF_RATE(PRN_KEY_PRIOR_UNCHANGED), PRN_KEY_OF_RATE(PRN_KEY_VISIT_RATE),                     \
		PRN_KEY_OF_RATE(PRN_KEY_DAMPING), PRN_KEY_OF_RATE(PRN_KEY_EXPONENT), \
		PRN_KEY_OF_RATE(PRN_KEY_GROWTH), \
		PRN_KEY_OF_RATE(PRN_KEY_FORGETTING), PRN_KEY_CHANGE
#define PRN_KEY_ESTIMATOR(fallback) \
	"estimator", fallback, "of the change rate, one of those of perennial estimate"

#define PRN_KEY_SEED                                                                                               \
	{ .name = "seed", .fallback = "1", .help = "of what is drawn at random", .type = PRN_KEY_TYPE_COUNT,       \
	  .offset = offsetof(struct prn_rate_parameters, seed), .least = 1 }

#endif
