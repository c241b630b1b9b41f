/* OP's curve-fitting policy (§4.2): uses the churn or scroll curve closest to the page's change profiles. */
#include "policy/profiled.h"

struct parameters {
	struct prn_profiled_parameters profiled;
	double alpha, beta; /* the prior: mean drift is α/β */
	struct prn_bounds bounds;
	struct prn_fit *fit; /* owned */
};

struct state {
	double changed; /* the last visit that saw any divergence; at first, the acquisition */
	double time;    /* of the last visit */
	struct prn_curve curve; /* the last fit; items 0: none */
	uint32_t visits, unused;
	struct prn_profile profiles[]; /* [h + 1] */
};

static int init(void *bytes, struct prn_error *error)
{
	struct parameters *parameters = bytes;

	parameters->profiled.head = offsetof(struct state, profiles);
	return prn_fit_open(&parameters->fit) ? prn_error_memory(error) : 0;
}

static void release(void *bytes)
{
	const struct parameters *parameters = bytes;

	prn_fit_free(parameters->fit);
}

static int curve(const void *parameters, const void *bytes, struct prn_curve *out)
{
	const struct state *state = bytes;

	(void)parameters;
	if (!state->curve.items)
		return 0;
	*out = state->curve;
	return 1;
}

static void learn(const struct parameters *parameters, struct state *state)
{
	struct prn_point points[PRN_PROFILE_LIST];
	size_t n = prn_profiles_combine(state->profiles, parameters->profiled.history, points), zeros = 0;

	if (!n)
		return;
	while (zeros < n && points[zeros].divergence == 0)
		zeros++;
	/*
	 * No divergence in any profile: the closest curve is "static", and its period "never".  Most pages look like
	 * this most of the time, so the corpus's drift is shrunk by the time without a change instead (doc/theory.md §13).
	 */
	if (zeros == n)
		state->curve = prn_curve_line(parameters->alpha / (state->time - state->changed + parameters->beta));
	else
		prn_fit_curve(parameters->fit, points, n, state->curve.items ? &state->curve : NULL, &state->curve);
}

static int visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	const struct parameters *own = parameters;
	struct state *state = bytes;
	size_t history = own->profiled.history;
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
	learn(own, state);
	return keep;
}

static void decide(const void *parameters, const void *bytes, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct parameters *own = parameters;
	const struct state *state = bytes;

	prn_bounds_decide_curve(&own->bounds, state->curve.items ? &state->curve : NULL, state->visits, now, decision);
}

/*
 * A coarse share is enough: the curve is fitted again at the next visit, and until then it only serves to judge
 * the page.
 */
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

static void pack(const void *parameters, void *bytes, struct prn_packing *packing)
{
	const struct parameters *own = parameters;
	struct state *state = bytes;

	prn_packing_count(packing, &state->visits, UINT32_MAX);
	prn_packing_ago(packing, &state->time);
	prn_packing_ago(packing, &state->changed);
	prn_packing_require(packing, state->visits && state->changed <= state->time);
	pack_curve(packing, &state->curve);
	prn_packing_profiles(packing, state->profiles, own->profiled.history);
}

/*
 * l = 2T is the tie of doc/theory.md §5, not tuned.  In hindsight, on seven real corpora, 8T to 16T are better
 * in both: mean staleness over costs 0.1 to 0.4 is .040 steady and .044 warm-up at 10T, against .043 and .050
 * at 2T (drift: .040 and .041).  A fixed l cannot reach low costs at all.
 */
static const struct prn_policy_key keys[] = {
	PRN_KEY_HISTORY(struct parameters, profiled.history, "5"),
	PRN_KEY_LEARNING(struct parameters, bounds, "2T"),
	PRN_KEY_ALPHA(struct parameters, alpha),
	PRN_KEY_BETA(struct parameters, beta),
	PRN_KEY_RISK(struct parameters, bounds, "none"),
	PRN_KEY_HINTS(struct parameters, bounds),
	PRN_KEY_PRICE(struct parameters, bounds),
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_curve_fitting = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "curve-fitting",
	          .title = "churn or scroll curve fitted to profiles",
	          .source = "OP §4.2",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys,
	          .knows_weights = true,
	          .compared = true },
	.parameters_size = sizeof(struct parameters),
	.init = init,
	.release = release,
	.sizes = prn_profiled_sizes,
	.visit = visit,
	.decide = decide,
	.pack = pack,
	.curve = curve,
	.profile = prn_profiled_profile,
};
