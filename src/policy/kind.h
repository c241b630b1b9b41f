/*
 * What a policy is made of.  A new policy is one file that defines a struct prn_policy_kind, and one line
 * in the table of policy.c.
 */
#ifndef POLICY_KIND_H
#define POLICY_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/estimator.h"
#include "perennial/fit.h"
#include "perennial/policy.h"
#include "perennial/profile.h"
#include "policy/packing.h"

/* The values of all keys that any policy has; each reads its own. */
struct prn_parameters {
	size_t history;       /* h */
	double learning;      /* l, or its multiple of T if learning_tied; INFINITY: no bound */
	bool learning_tied;   /* l = max(0.3, learning x T / W) */
	double risk;          /* ρ >= 1; INFINITY: no bound */
	size_t summary;       /* m; PRN_SUMMARY_ALL */
	double alpha, beta;   /* drift's prior: mean drift is α/β */
	double kappa;
	double forgetting;    /* factor per visit, in (0, 1] */
	bool skips_static;
	uint64_t seed; /* of randomised policies */
	double increase, decrease, sync;  /* of an adaptive interval; shares, increase may be larger */
	double stretch, shrink;           /* factors >= 1 on one */
	double start, shortest, longest;  /* days of the crawler, > 0 */
	double very_stale;              /* of fgt: s, clock units; INFINITY: no bound */
	double epsilon;                 /* in (0, 1) */
	double most;                    /* clock units */
	struct prn_estimator estimator; /* of the change rate, with its own keys */
};

struct prn_policy_kind {
	struct prn_policy_info info;
	size_t (*slots)(const struct prn_parameters *parameters);
	size_t (*state_size)(const struct prn_parameters *parameters); /* a multiple of 8 */

	/* Learns from a visit; returns the slot to put this version into, or -1. */
	int (*visit)(const struct prn_policy *policy, void *state, const struct prn_visit *visit);

	/* Writes period and reason by what is learned; visit is the last one, but for its divergences. */
	void (*decide)(const struct prn_policy *policy, const void *state, const struct prn_visit *visit,
	               struct prn_decision *decision);

	/* Writes or reads a state (packing.h); when reading, it is all zero before, and numbers that no state has fail. */
	void (*pack)(const struct prn_policy *policy, void *state, struct prn_packing *packing);

	/* These may be NULL: it learns no curve, has no price, keeps no profile. */
	int (*curve)(const struct prn_policy *policy, const void *state, struct prn_curve *curve);
	int (*price)(const double *rates, const double *weights, size_t n, double budget, double *dial);
	size_t (*profile)(const struct prn_policy *policy, const void *state, struct prn_point *points);

	const char *estimator; /* the only one it can have, or NULL: the key "estimator" tells */
	bool fits; /* wants the tables of fit.h */
};

struct prn_policy {
	const struct prn_policy_kind *kind;
	struct prn_parameters parameters;
	struct prn_fit *fit; /* owned; NULL unless kind->fits */
};

extern const struct prn_policy_kind prn_policy_uniform, prn_policy_proportional, prn_policy_cgm, prn_policy_fgt,
	prn_policy_azar, prn_policy_lambdacrawl, prn_policy_curve_fitting, prn_policy_bound_based, prn_policy_drift,
	prn_policy_nutch, prn_policy_stormcrawler, prn_policy_heritrix1;

/* Keys that several policies share, one wording for each. */
#define PRN_KEY_HISTORY(h) { "history", h, "base versions kept, 1 to 32 (OP's h)" }
#define PRN_KEY_LEARNING(l)                                                                        \
	{ "learning", l,                                                                           \
	  "bound on a new page's period: l per visit so far; \"2T\": l = max(0.3, 2T); \"none\"" }
#define PRN_KEY_RISK(r) { "risk", r, "bound on the period: ρ T / W, ρ >= 1; \"none\"" }
#define PRN_KEY_SUMMARY { "summary", "all", "smallest hashes kept of a version, or \"all\" (m)" }
#define PRN_KEY_ALPHA { "alpha", "0.03", "prior: divergence seen, α; α/β is the mean drift" }
#define PRN_KEY_BETA { "beta", "3", "prior: time seen, β, clock units" }
#define PRN_KEYS_END { NULL, NULL, NULL }

/*
 * The shared end of every learner: writes the period that its curve and the threshold rule give, or
 * for a page with no curve yet (NULL) one clock unit, bounded by prn_policy_bound.
 */
void prn_policy_apply(const struct prn_policy *policy, const struct prn_curve *curve, uint32_t visits,
                      const struct prn_visit *visit, struct prn_decision *decision);

/*
 * Writes period, the rule's own, and its reason, under the bounds the policy has: l·n for a page with
 * n = visits so far (OP §4.2), and ρ T / W (OP §4.5).  INFINITY with no bound is "never".
 */
void prn_policy_bound(const struct prn_policy *policy, double period, uint32_t visits, const struct prn_visit *visit,
                      struct prn_decision *decision);

/* The profiles of a state (profile.h), for its pack: packs them, and checks them in reading. */
void prn_policy_pack_profiles(struct prn_packing *packing, struct prn_profile *profiles, size_t slots);

#endif
