#include "perennial/policy.h"

#include "perennial/profile.h"
#include "perennial/summary.h"
#include "policy/kind.h"
#include "policy/specification.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(PRN_POLICY_SLOTS == PRN_PROFILE_SLOTS, "a slot may have a profile");

/* OP tie l to T; below this many clock units that would spend the budget on new pages alone (doc/theory.md §5). */
#define TIED_LEARNING_MIN 0.3

static const struct prn_policy_kind *const kinds[] = {
	&prn_policy_uniform,     &prn_policy_proportional, &prn_policy_cgm,           &prn_policy_fgt,
	&prn_policy_azar,        &prn_policy_lambdacrawl,  &prn_policy_curve_fitting, &prn_policy_bound_based,
	&prn_policy_drift,       &prn_policy_nutch,        &prn_policy_stormcrawler,  &prn_policy_heritrix1,
};

#define KINDS (sizeof kinds / sizeof *kinds)

const char *prn_dial_name(enum prn_dial dial)
{
	static const char *const names[PRN_DIALS] = { "threshold", "period", "scale" };

	return names[dial];
}

const struct prn_policy_info *prn_policy_info(size_t i)
{
	return i < KINDS ? &kinds[i]->info : NULL;
}

int prn_policy_open(struct prn_policy **out, const char *specification, const char *defaults,
                    struct prn_error *error)
{
	struct prn_policy *policy = calloc(1, sizeof *policy);
	int code;

	if (!policy)
		return prn_error_memory(error);
	code = prn_specification_read(kinds, KINDS, specification, defaults, policy, error);
	if (!code && policy->kind->fits)
		code = prn_fit_open(&policy->fit);
	if (code == PRN_E_MEMORY)
		prn_error_set(error, code, "%s", prn_error_text(code));
	if (code) {
		prn_policy_free(policy);
		return code;
	}
	*out = policy;
	return 0;
}

void prn_policy_free(struct prn_policy *policy)
{
	if (policy)
		prn_fit_free(policy->fit);
	free(policy);
}

const struct prn_policy_info *prn_policy_about(const struct prn_policy *policy)
{
	return &policy->kind->info;
}

size_t prn_policy_summary(const struct prn_policy *policy)
{
	return policy->parameters.summary;
}

size_t prn_policy_slots(const struct prn_policy *policy)
{
	return policy->kind->slots(&policy->parameters);
}

size_t prn_policy_state_size(const struct prn_policy *policy)
{
	return policy->kind->state_size(&policy->parameters);
}

bool prn_policy_skips_static(const struct prn_policy *policy)
{
	return policy->parameters.skips_static;
}

void prn_policy_visit(const struct prn_policy *policy, void *state, const struct prn_visit *visit,
                      struct prn_decision *decision)
{
	decision->keep = policy->kind->visit(policy, state, visit);
	policy->kind->decide(policy, state, visit, decision);
}

void prn_policy_decide(const struct prn_policy *policy, const void *state, const struct prn_visit *visit,
                       struct prn_decision *decision)
{
	decision->keep = -1;
	policy->kind->decide(policy, state, visit, decision);
}

int prn_policy_curve(const struct prn_policy *policy, const void *state, struct prn_curve *curve)
{
	return policy->kind->curve ? policy->kind->curve(policy, state, curve) : 0;
}

int prn_policy_price(const struct prn_policy *policy, const double *rates, const double *weights, size_t n,
                     double budget, double *dial)
{
	return policy->kind->price ? policy->kind->price(rates, weights, n, budget, dial) : PRN_E_UNSUPPORTED;
}

size_t prn_policy_profile(const struct prn_policy *policy, const void *state, struct prn_point *points)
{
	return policy->kind->profile ? policy->kind->profile(policy, state, points) : 0;
}

static bool is_zero(const unsigned char *bytes, size_t length)
{
	while (length && !bytes[length - 1])
		length--;
	return !length;
}

size_t prn_policy_pack(const struct prn_policy *policy, const void *state, double now, void *out, size_t capacity)
{
	struct prn_packing packing = { .out = out, .length = capacity, .now = now };

	/* What writes only reads the state. */
	if (!is_zero(state, prn_policy_state_size(policy)))
		policy->kind->pack(policy, (void *)(uintptr_t)state, &packing);
	return packing.at;
}

int prn_policy_unpack(const struct prn_policy *policy, const void *bytes, size_t length, double now, void *state)
{
	struct prn_packing packing = { .in = bytes, .length = length, .now = now };

	memset(state, 0, prn_policy_state_size(policy));
	if (length)
		policy->kind->pack(policy, state, &packing);
	if (!packing.failed && packing.at == length)
		return 0;
	memset(state, 0, prn_policy_state_size(policy));
	return PRN_E_INPUT;
}

/* Points as they were told: in ascending order, but rounded. */
static void pack_points(struct prn_packing *packing, struct prn_profile *profile)
{
	for (uint32_t i = 0; i < profile->count; i++) {
		struct prn_point *point = &profile->points[i];

		prn_packing_coarse(packing, &point->lag);
		prn_packing_share(packing, &point->divergence);
		prn_packing_require(packing, point->lag > 0 && (!i || point->lag >= profile->points[i - 1].lag));
	}
}

void prn_policy_pack_profiles(struct prn_packing *packing, struct prn_profile *profiles, size_t slots)
{
	for (size_t i = 0; i <= slots; i++) {
		struct prn_profile *profile = &profiles[i];
		uint32_t head = profile->count << 1 | profile->open;

		/* Only an open profile is extended, so only its base matters; the retired one is not a slot's. */
		prn_packing_count(packing, &head, PRN_PROFILE_POINTS << 1 | (i < slots));
		profile->count = head >> 1;
		profile->open = head & 1;
		if (profile->open && i < slots)
			prn_packing_ago(packing, &profile->base);
		pack_points(packing, profile);
	}
}

static double learning_bound(const struct prn_parameters *parameters, uint32_t visits, const struct prn_visit *visit)
{
	double unit = parameters->learning;

	if (parameters->learning_tied)
		unit = fmax(TIED_LEARNING_MIN, unit * visit->threshold / visit->weight);
	return unit * (visits ? visits : 1);
}

void prn_policy_bound(const struct prn_policy *policy, double period, uint32_t visits, const struct prn_visit *visit,
                      struct prn_decision *decision)
{
	double learning = learning_bound(&policy->parameters, visits, visit);
	double risk = policy->parameters.risk * visit->threshold / visit->weight;

	decision->period = fmax(period, DBL_MIN);
	decision->reason = isinf(period) ? PRN_REASON_NEVER : PRN_REASON_RULE;
	if (learning < decision->period) {
		decision->period = learning;
		decision->reason = PRN_REASON_LEARNING;
	}
	if (risk < decision->period) {
		decision->period = fmax(risk, DBL_MIN);
		decision->reason = PRN_REASON_RISK;
	}
	decision->expected = decision->period;
}

void prn_policy_apply(const struct prn_policy *policy, const struct prn_curve *curve, uint32_t visits,
                      const struct prn_visit *visit, struct prn_decision *decision)
{
	double period = 1;

	if (curve)
		prn_curve_period(curve, visit->weight, visit->threshold, &period);
	prn_policy_bound(policy, period, visits, visit, decision);
}
