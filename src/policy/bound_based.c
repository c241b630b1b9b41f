/*
 * OP's bound-based policy (§4.3): no model of the curve, only what the profiles prove about it.  The
 * period doubles while even the upper bound of U is below T, and halves once the lower bound reaches it.
 */
#include "policy/profiled.h"

#include <float.h>
#include <math.h>

struct parameters {
	struct prn_profiled_parameters profiled;
	double first; /* φ at first, clock units */
	struct prn_bounds bounds;
};

struct state {
	double period;      /* φ */
	uint32_t reference; /* the slot whose base is t_R */
	uint32_t visits;
	struct prn_profile profiles[]; /* [h + 1] */
};

static int init(void *bytes, struct prn_error *error)
{
	struct parameters *parameters = bytes;

	(void)error;
	parameters->profiled.head = offsetof(struct state, profiles);
	return 0;
}

/* The bounds of D* at one lag, or the areas under them. */
struct bounds {
	double low, up;
};

/* The position of the sweep in one profile.  Up to its next point D* is between the running maxima without and with it. */
struct reader {
	const struct prn_point *next, *end;
	double passed; /* the lag of the point before, 0 at first */
	double lag;    /* that of the next point; INFINITY: there is none, and the profile says nothing here */
	struct bounds divergence;
};

static void look_ahead(struct reader *reader)
{
	double divergence;

	reader->lag = INFINITY;
	if (reader->next == reader->end)
		return;
	reader->lag = (double)reader->next->lag;
	divergence = (double)reader->next->divergence;
	if (divergence > reader->divergence.up)
		reader->divergence.up = divergence;
}

static void pass_point(struct reader *reader)
{
	reader->passed = reader->lag;
	reader->divergence.low = reader->divergence.up;
	reader->next++;
	look_ahead(reader);
}

static size_t open_readers(struct reader *readers, const struct prn_profile *profiles, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (profiles[i].count) {
			readers[n] = (struct reader){ .next = profiles[i].points, .end = profiles[i].points + profiles[i].count };
			look_ahead(&readers[n++]);
		}
	return n;
}

static double next_lag(const struct reader *readers, size_t n, double end)
{
	double lag = end;

	for (size_t i = 0; i < n; i++)
		if (readers[i].lag < lag)
			lag = readers[i].lag;
	return lag;
}

/* The mean bounds over the gap that ends at lag, of the profiles that reach it; then passes their points there. */
static struct bounds pass_gap(struct reader *readers, size_t n, double lag)
{
	struct bounds sum = { 0, 0 };
	double count = 0;

	for (size_t i = 0; i < n; i++)
		if (readers[i].next < readers[i].end) {
			sum.low += readers[i].divergence.low;
			sum.up += readers[i].divergence.up;
			count++;
			while (readers[i].lag <= lag)
				pass_point(&readers[i]);
		}
	return (struct bounds){ sum.low / count, sum.up / count };
}

/* The mean bounds at lag itself, where a profile with a point there gives the value; the readers have passed it. */
static struct bounds at_lag(const struct reader *readers, size_t n, double lag)
{
	struct bounds sum = { 0, 0 };
	double count = 0;

	for (size_t i = 0; i < n; i++) {
		bool known = readers[i].passed == lag;

		if (!known && readers[i].next == readers[i].end)
			continue;
		sum.low += readers[i].divergence.low;
		sum.up += known ? readers[i].divergence.low : readers[i].divergence.up;
		count++;
	}
	return (struct bounds){ sum.low / count, sum.up / count };
}

/* U_min and U_max at lag L, the last of the reference profile (doc/theory.md §6, steps 1-3). */
static struct bounds utility_bounds(const struct prn_profile *profiles, size_t count, double end)
{
	struct reader readers[PRN_PROFILE_SLOTS + 1];
	struct bounds area = { 0, 0 }, last;
	size_t n = open_readers(readers, profiles, count);

	for (double from = 0, to; from < end; from = to) {
		struct bounds gap;

		to = next_lag(readers, n, end);
		gap = pass_gap(readers, n, to);
		area.low += (to - from) * gap.low;
		area.up += (to - from) * gap.up;
	}
	last = at_lag(readers, n, end);
	return (struct bounds){ end * last.low - area.up, end * last.up - area.low };
}

/*
 * Makes room in the reference profile, which must not close, by removing the point whose loss hurts the bounds
 * least: the gap between them widens by the least area, and they stay bounds.
 */
static void thin(struct prn_profile *profile)
{
	struct prn_point *points = profile->points;
	uint32_t least = 0;
	double least_area = INFINITY;

	for (uint32_t i = 1; i < profile->count; i++)
		points[i].divergence = fmaxf(points[i].divergence, points[i - 1].divergence);
	for (uint32_t i = 0; i + 1 < profile->count; i++) {
		struct prn_point before = i ? points[i - 1] : (struct prn_point){ 0, 0 };
		double area = (double)(points[i].lag - before.lag) *
		                      (double)(points[i + 1].divergence - points[i].divergence) +
		              (double)(points[i + 1].lag - points[i].lag) *
		                      (double)(points[i].divergence - before.divergence);

		if (area < least_area) {
			least_area = area;
			least = i;
		}
	}
	profile->count--;
	for (uint32_t i = least; i < profile->count; i++)
		points[i] = points[i + 1];
}

/* Step 4.  Returns whether the reference moves to this visit. */
static bool adapt(struct state *state, size_t history, double wanted)
{
	const struct prn_profile *reference = &state->profiles[state->reference];
	double lag = (double)reference->points[reference->count - 1].lag;
	struct bounds utility = utility_bounds(state->profiles, history + 1, lag);

	if (utility.up < wanted)
		state->period = 2 * lag;
	if (utility.up < wanted || !(utility.low >= wanted))
		return false;
	state->period /= 2;
	return true;
}

static int visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	const struct parameters *own = parameters;
	struct state *state = bytes;
	struct prn_profile *reference = &state->profiles[state->reference];
	size_t history = own->profiled.history;
	bool moves = !state->visits;
	int keep;

	prn_profiles_extend(state->profiles, history, now->time, now->divergence);
	if (moves)
		state->period = own->first;
	else
		moves = adapt(state, history, now->threshold / now->weight);
	if (!moves && reference->count == PRN_PROFILE_POINTS)
		thin(reference);
	keep = prn_profiles_renew(state->profiles, history, now->time);
	if (moves) {
		/* The new reference needs a slot; if none is free, it takes that of the old one. */
		if (keep < 0) {
			prn_profiles_replace(state->profiles, state->reference, now->time);
			keep = (int)state->reference;
		}
		state->reference = (uint32_t)keep;
	}
	state->visits += state->visits < UINT32_MAX;
	return keep;
}

/* A different T takes effect at the next visit, because φ was set with the previous T. */
static void decide(const void *parameters, const void *bytes, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct parameters *own = parameters;
	const struct state *state = bytes;

	prn_bounds_decide(&own->bounds, state->visits ? state->period : 1, state->visits, now, decision);
}

static void pack(const void *parameters, void *bytes, struct prn_packing *packing)
{
	const struct parameters *own = parameters;
	struct state *state = bytes;
	size_t history = own->profiled.history;
	double period = fmax(state->period, (double)FLT_MIN);

	prn_packing_count(packing, &state->visits, UINT32_MAX);
	prn_packing_count(packing, &state->reference, (uint32_t)history - 1);
	prn_packing_number(packing, &period);
	prn_packing_profiles(packing, state->profiles, history);
	prn_packing_require(packing, state->visits && period > 0 && state->profiles[state->reference].open);
	if (packing->in)
		state->period = period;
}

static const struct prn_policy_key keys[] = {
	PRN_KEY_HISTORY(struct parameters, profiled.history, "5"),
	PRN_KEY_RISK(struct parameters, bounds, "10"),
	{ .name = "first", .fallback = "1", .help = "φ at first: the period before anything is known, clock units",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, first), .above = true, .most = 1e9 },
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_bound_based = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "bound-based",
	          .title = "bounds on utility from profiles",
	          .source = "OP §4.3",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys,
	          .knows_weights = true,
	          .compared = true },
	.parameters_size = sizeof(struct parameters),
	.init = init,
	.sizes = prn_profiled_sizes,
	.visit = visit,
	.decide = decide,
	.pack = pack,
	.profile = prn_profiled_profile,
};
