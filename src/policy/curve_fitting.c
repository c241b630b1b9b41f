/*
 * OP's curve-fitting policy (§4.2): the churn or scroll curve closest to the page's change profiles.
 */
#include "perennial/profile.h"
#include "policy/kind.h"

struct state {
	double changed; /* the last visit that saw any divergence; at first, the acquisition */
	double time;    /* of the last visit */
	struct prn_curve curve; /* the last fit; items 0: none */
	uint32_t visits, unused;
	struct prn_profile profiles[]; /* [h + 1] */
};

static size_t slots(const struct prn_parameters *parameters)
{
	return parameters->history;
}

static size_t state_size(const struct prn_parameters *parameters)
{
	return sizeof(struct state) + (parameters->history + 1) * sizeof(struct prn_profile);
}

static int curve(const struct prn_policy *policy, const void *bytes, struct prn_curve *out)
{
	const struct state *state = bytes;

	(void)policy;
	if (!state->curve.items)
		return 0;
	*out = state->curve;
	return 1;
}

/*
 * No divergence in any profile: the closest curve is "static", and its period "never".  Most pages look like
 * this most of the time, so the corpus's drift is shrunk by the time without a change instead (doc/theory.md §13).
 */
static struct prn_curve unchanged_curve(const struct prn_parameters *parameters, const struct state *state)
{
	return prn_curve_line(parameters->alpha / (state->time - state->changed + parameters->beta));
}

static void learn(const struct prn_policy *policy, struct state *state)
{
	struct prn_point points[PRN_PROFILE_LIST];
	size_t n = prn_profiles_combine(state->profiles, policy->parameters.history, points), zeros = 0;

	if (!n)
		return;
	while (zeros < n && points[zeros].divergence == 0)
		zeros++;
	if (zeros == n)
		state->curve = unchanged_curve(&policy->parameters, state);
	else
		prn_fit_curve(policy->fit, points, n, state->curve.items ? &state->curve : NULL, &state->curve);
}

static int visit(const struct prn_policy *policy, void *bytes, const struct prn_visit *now)
{
	struct state *state = bytes;
	size_t history = policy->parameters.history;
	int keep;

	if (!state->visits)
		state->changed = now->time;
	for (size_t i = 0; i < history; i++)
		if (state->profiles[i].open && now->divergence[i] > 0)
			state->changed = now->time;
	state->time = now->time;
	state->visits += state->visits < UINT32_MAX;
	prn_profiles_extend(state->profiles, history, now->time, now->divergence);
	keep = prn_profiles_renew(state->profiles, history, now->time);
	learn(policy, state);
	return keep;
}

static void decide(const struct prn_policy *policy, const void *bytes, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct state *state = bytes;

	prn_policy_apply(policy, state->curve.items ? &state->curve : NULL, state->visits, now, decision);
}

static size_t profile(const struct prn_policy *policy, const void *bytes, struct prn_point *points)
{
	const struct state *state = bytes;

	return prn_profiles_combine(state->profiles, policy->parameters.history, points);
}

/* A coarse share is enough: the curve is fitted anew at the next visit, and until then only judges the page. */
static void pack_curve(struct prn_packing *packing, struct prn_curve *curve)
{
	uint32_t items = curve->items, form = items ? 1 + (uint32_t)curve->form : 0;
	float share = (float)curve->share;

	prn_packing_count(packing, &form, 1 + PRN_CURVE_LINE);
	if (form == 1 + PRN_CURVE_LINE) {
		prn_packing_number(packing, &curve->slope);
		*curve = prn_curve_line(curve->slope);
	} else if (form) {
		prn_packing_count(packing, &items, PRN_CURVE_ITEMS);
		prn_packing_coarse(packing, &share);
		prn_packing_number(packing, &curve->rate);
		prn_packing_require(packing, items && share <= 1);
		*curve = prn_curve_scroll((double)share, curve->rate, items);
	}
}

static void pack(const struct prn_policy *policy, void *bytes, struct prn_packing *packing)
{
	struct state *state = bytes;

	prn_packing_count(packing, &state->visits, UINT32_MAX);
	prn_packing_ago(packing, &state->time);
	prn_packing_ago(packing, &state->changed);
	prn_packing_require(packing, state->visits && state->changed <= state->time);
	pack_curve(packing, &state->curve);
	prn_policy_pack_profiles(packing, state->profiles, policy->parameters.history);
}

/*
 * l = 2T is the tie of doc/theory.md §5, not tuned.  In hindsight, on seven real corpora, 8T to 16T are better in both:
 * mean staleness over costs 0.1 to 0.4 is .040 steady and .044 warm-up at 10T, against .043 and .050 at 2T (drift:
 * .040 and .041).  A fixed l cannot reach low costs at all.
 */
static const struct prn_policy_key keys[] = {
	PRN_KEY_HISTORY("5"),
	PRN_KEY_LEARNING("2T"),
	PRN_KEY_ALPHA,
	PRN_KEY_BETA,
	PRN_KEY_RISK("none"),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_curve_fitting = {
	.info = { "curve-fitting", "churn or scroll curve fitted to profiles", "OP §4.2", PRN_DIAL_THRESHOLD, keys },
	.slots = slots,
	.state_size = state_size,
	.visit = visit,
	.decide = decide,
	.pack = pack,
	.curve = curve,
	.profile = profile,
	.fits = true,
};
