/*
 * What the policies of the change rate share: a visit sees only whether the page changed since the one
 * before, by more than their key "change" says (Cho §6.2, §8.1), and an estimator makes a rate of that (doc/theory.md §9).  Their state is the estimator's, and the last
 * visit.
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
	size_t seed; /* of randomised ones */
};

struct prn_rate_state {
	double time; /* of the last visit */
	uint64_t visits; /* counts up to UINT32_MAX */
	double learned[]; /* the estimator's state */
};

/* For struct prn_policy_kind: one slot, which holds the version of the last visit. */
void prn_rate_sizes(const void *parameters, size_t *slots, size_t *state_size);

/*
 * The holistic curve of the estimated rate; 0 at the first visit, unless the estimator has a prior that
 * speaks.
 */
int prn_rate_curve(const void *parameters, const void *state, struct prn_curve *curve);

static inline uint32_t prn_rate_visits(const void *state)
{
	return (uint32_t)((const struct prn_rate_state *)state)->visits;
}

/* Takes a visit in: its version takes the slot. */
int prn_rate_visit(const void *parameters, void *state, const struct prn_visit *now);

void prn_rate_pack(const void *parameters, void *state, struct prn_packing *packing);

/*
 * What a randomised policy decides: visits at the times of a Poisson process, of the frequency that is best for
 * the objective at multiplier = threshold; 0 is never.  What is drawn depends on the key "seed", the page, and
 * how often it was visited.
 */
void prn_rate_decide_at_random(enum prn_objective objective, const void *parameters, const void *state,
                               const struct prn_visit *now, struct prn_decision *decision);

/* For the price of a kind: the multiplier of prn_allocate, and its errors; PRN_E_MEMORY. */
int prn_rate_multiplier(enum prn_objective objective, const double *rates, const double *weights, size_t n,
                        double budget, double *multiplier);

/* The price of a kind that is for freshness. */
int prn_rate_price_freshness(const double *rates, const double *weights, size_t n, double budget, double *dial);

/* What a kind of this state has. */
#define PRN_KIND_OF_RATE                                                                                           \
	.version = PRN_POLICY_KIND_VERSION, .sizes = prn_rate_sizes, .visit = prn_rate_visit, .pack = prn_rate_pack, \
	.curve = prn_rate_curve

/* A key of the estimator's: texts are its name, fallback and help. */
#define PRN_KEY_OF_RATE(texts) \
	{ texts, .type = PRN_KEY_TYPE_ESTIMATOR, .offset = offsetof(struct prn_rate_parameters, estimator) }

#define PRN_KEY_CHANGE                                                                                             \
	{ .name = "change", .fallback = "0", .help = "what counts as a change: a divergence above this",           \
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct prn_rate_parameters, change), .most = 1, .below = true }

/* All of them, and what a change is, one wording for all policies that may have any estimator. */
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
