/*
 * A policy of one's own: a page comes every week, one that was never seen to change every fourth.
 *
 *	cc -shared -fPIC -o patient.so patient.c $(pkg-config --cflags perennial)	(or c++ -std=c++20)
 *	perennial evaluate --plugin=./patient.so --policy=patient,patient:patience=1,uniform X.trace
 *	perennial init --state=S --plugin=./patient.so --policy=patient --threshold=1
 *
 * perennial/policy_kind.h tells what each member is for.  In the library, as src/policy/patient.c, only the last line goes.
 */
#include "perennial/policy_kind.h"

/* What the keys fill. */
struct parameters {
	double days;
	double patience; /* the factor for pages that never changed */
};

/* What is known of one page; all zero is a page never visited. */
struct state {
	uint32_t visits; /* 2: two or more */
	uint32_t changed; /* 0 or 1 */
};

static bool is_quiet(const struct state *state)
{
	return state->visits == 2 && !state->changed;
}

/* Slot 0 holds the version of the visit before: its divergence from the present one tells whether the page changed. */
static int visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	struct state *state = (struct state *)bytes;

	(void)parameters;
	if (state->visits && now->divergence[0] > 0)
		state->changed = 1;
	if (state->visits < 2)
		state->visits++;
	return 0;
}

/* The dial is a scale: how many clock units one of this policy's days has. */
static void decide(const void *parameters, const void *bytes, const struct prn_visit *now, struct prn_decision *decision)
{
	const struct parameters *own = (const struct parameters *)parameters;

	prn_bounds_decide(NULL, now->threshold * own->days * (is_quiet((const struct state *)bytes) ? own->patience : 1), 1, now, decision);
}

/* One description for both directions; a page that changed was seen twice. */
static void pack(const void *parameters, void *bytes, struct prn_packing *packing)
{
	struct state *state = (struct state *)bytes;

	(void)parameters;
	prn_packing_count(packing, &state->visits, 2);
	prn_packing_count(packing, &state->changed, 1);
	prn_packing_require(packing, state->visits > state->changed);
}

static const struct prn_policy_key keys[] = {
	{ .name = "days", .fallback = "7", .help = "from one visit to the next", .type = PRN_KEY_TYPE_NUMBER,
	  .offset = offsetof(struct parameters, days), .above = true },
	{ .name = "patience", .fallback = "4", .help = "times as long for a page that was never seen to change",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, patience), .least = 1, .most = 1000 },
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_patient = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "patient",
	          .title = "every week, or less often where nothing changes",
	          .source = "an example",
	          .dial = PRN_DIAL_SCALE,
	          .keys = keys },
	.parameters_size = sizeof(struct parameters),
	.slots = 1,
	.state_size = sizeof(struct state),
	.visit = visit,
	.decide = decide,
	.pack = pack,
};

const struct prn_policy_kind *const prn_plugin_policies[] = { &prn_policy_patient, NULL };
