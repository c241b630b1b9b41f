#include "policy/policy_internal.h"

#include "perennial/profile.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(PRN_POLICY_SLOTS == PRN_PROFILE_SLOTS, "a slot may have a profile");

const char *prn_dial_name(enum prn_dial dial)
{
	static const char *const names[PRN_DIALS] = { "threshold", "period", "scale" };

	return (unsigned)dial < PRN_DIALS ? names[dial] : "?";
}

const struct prn_policy_info *prn_policy_info(size_t i)
{
	const struct prn_policy_kind *kind = prn_policy_kind_at(i);

	return kind ? &kind->info : NULL;
}

void prn_policy_free(struct prn_policy *policy)
{
	if (policy && policy->kind->release)
		policy->kind->release(policy->parameters);
	free(policy);
}

const struct prn_policy_info *prn_policy_about(const struct prn_policy *policy)
{
	return &policy->kind->info;
}

size_t prn_policy_summary(const struct prn_policy *policy)
{
	return policy->summary;
}

size_t prn_policy_slots(const struct prn_policy *policy)
{
	return policy->slots;
}

size_t prn_policy_state_size(const struct prn_policy *policy)
{
	return policy->state_size;
}

uint32_t prn_policy_fingerprint(const struct prn_policy *policy)
{
	return policy->fingerprint;
}

bool prn_policy_skips_static(const struct prn_policy *policy)
{
	return policy->skips_static;
}

/* Readers of a decision may rely on what policy.h promises, whatever a registered policy wrote. */
static void hold(const struct prn_policy *policy, struct prn_decision *decision)
{
	if (decision->keep < 0 || (size_t)decision->keep >= policy->slots)
		decision->keep = -1;
	if (isnan(decision->period)) {
		decision->period = INFINITY;
		decision->reason = PRN_REASON_NEVER;
	}
	if (!(decision->period > 0))
		decision->period = DBL_MIN;
	if (!(decision->expected > 0))
		decision->expected = decision->period;
	if ((unsigned)decision->reason > PRN_REASON_NEVER)
		decision->reason = PRN_REASON_RULE;
}

void prn_policy_visit(const struct prn_policy *policy, void *state, const struct prn_visit *visit,
                      struct prn_decision *decision)
{
	int keep = policy->kind->visit(policy->parameters, state, visit);

	policy->kind->decide(policy->parameters, state, visit, decision);
	decision->keep = keep;
	hold(policy, decision);
}

void prn_policy_decide(const struct prn_policy *policy, const void *state, const struct prn_visit *visit,
                       struct prn_decision *decision)
{
	policy->kind->decide(policy->parameters, state, visit, decision);
	decision->keep = -1;
	hold(policy, decision);
}

double prn_policy_earning(const struct prn_policy *policy, const void *state, const struct prn_visit *visit)
{
	struct prn_visit plain = *visit;
	struct prn_decision decision;
	double expected;

	if (!prn_policy_heeds_hints(policy))
		return 0;
	prn_policy_decide(policy, state, visit, &decision);
	expected = decision.expected;
	plain.hints = (struct prn_hints){ 0 };
	prn_policy_decide(policy, state, &plain, &decision);
	return fmin(expected, decision.period);
}

int prn_policy_curve(const struct prn_policy *policy, const void *state, struct prn_curve *curve)
{
	return policy->kind->curve ? policy->kind->curve(policy->parameters, state, curve) : 0;
}

bool prn_policy_heeds_hints(const struct prn_policy *policy)
{
	const struct prn_policy_key *key = policy->kind->info.keys;

	while (key && key->name && key->type != PRN_KEY_TYPE_HINTS)
		key++;
	return key && key->name && !((const struct prn_bounds *)((const char *)policy->parameters + key->offset))->deaf;
}

int prn_policy_evidence(const struct prn_policy *policy, const void *state, struct prn_evidence *evidence)
{
	*evidence = (struct prn_evidence){ 0 };
	return policy->kind->evidence ? policy->kind->evidence(policy->parameters, state, evidence) : 0;
}

int prn_policy_expects(const struct prn_policy *policy, const void *state, const struct prn_visit *visit, double *rate,
                       double *left)
{
	return policy->kind->expects ? policy->kind->expects(policy->parameters, state, visit, rate, left) : 0;
}

int prn_policy_price(const struct prn_policy *policy, const double *rates, const double *weights, size_t n,
                     double budget, double *dial)
{
	return policy->kind->price ? policy->kind->price(rates, weights, n, budget, dial) : PRN_E_UNSUPPORTED;
}

size_t prn_policy_profile(const struct prn_policy *policy, const void *state, struct prn_point *points)
{
	size_t count = policy->kind->profile ? policy->kind->profile(policy->parameters, state, points) : 0;

	/* A program's own policy may say anything; there is room for so many. */
	return count < PRN_FIT_POINTS ? count : PRN_FIT_POINTS;
}

bool prn_policy_is_built_in(const struct prn_policy *policy)
{
	size_t i = 0;

	while (prn_policy_table[i] && prn_policy_table[i] != policy->kind)
		i++;
	return prn_policy_table[i];
}

bool prn_policy_may_be_blank(const struct prn_policy *policy)
{
	return !policy->kind->pack || !prn_policy_is_built_in(policy);
}

static bool is_zero(const unsigned char *bytes, size_t length)
{
	return !length || (!bytes[0] && !memcmp(bytes, bytes + 1, length - 1));
}

size_t prn_policy_pack(const struct prn_policy *policy, const void *state, double now, void *out, size_t capacity)
{
	struct prn_packing packing = { .out = out, .length = capacity, .now = now };

	/* Packing to bytes only reads the state. */
	if (policy->kind->pack && !is_zero(state, policy->state_size))
		policy->kind->pack(policy->parameters, (void *)(uintptr_t)state, &packing);
	return packing.at;
}

int prn_policy_unpack(const struct prn_policy *policy, const void *bytes, size_t length, double now, void *state)
{
	struct prn_packing packing = { .in = bytes, .length = length, .now = now };

	memset(state, 0, policy->state_size);
	if (length && policy->kind->pack)
		policy->kind->pack(policy->parameters, state, &packing);
	if (!packing.failed && packing.at == length)
		return 0;
	memset(state, 0, policy->state_size);
	return PRN_E_INPUT;
}
