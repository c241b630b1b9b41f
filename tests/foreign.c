/*
 * Policies that a program brings with it, in a store: those without a state or with one that stays blank, and what the
 * library makes of decisions, slots and states that no policy should return.
 */
#include "desk.h"
#include "perennial/policy_kind.h"

#include <float.h>
#include <math.h>

/* What the policies below do next: a test runs in one thread. */
static struct {
	int keep;
	double period, expected;
	int reason;
	uint32_t counted; /* what a state is after a visit */
	uint32_t most;    /* that pack reads */
} says;

static int visit_blank(const void *parameters, void *state, const struct prn_visit *visit)
{
	(void)parameters;
	(void)state;
	(void)visit;
	return says.keep;
}

static int visit_counted(const void *parameters, void *state, const struct prn_visit *visit)
{
	(void)parameters;
	(void)visit;
	memcpy(state, &says.counted, sizeof says.counted);
	return says.keep;
}

static void decide(const void *parameters, const void *state, const struct prn_visit *visit, struct prn_decision *decision)
{
	(void)parameters;
	(void)state;
	(void)visit;
	*decision = (struct prn_decision){ .period = says.period, .expected = says.expected,
		                           .reason = (enum prn_reason)says.reason };
}

/* Reads less than it writes where says.most is less than what it counted. */
static void pack(const void *parameters, void *state, struct prn_packing *packing)
{
	(void)parameters;
	prn_packing_count(packing, state, packing->in ? says.most : UINT32_MAX);
}

static const struct prn_policy_key keys[] = { PRN_KEY_SUMMARY, PRN_KEYS_END };

#define INFO(called) { .name = called, .title = "t", .source = "s", .dial = PRN_DIAL_SCALE, .keys = keys }

static const struct prn_policy_kind stateless = {
	.version = PRN_POLICY_KIND_VERSION, .info = INFO("stateless"), .visit = visit_blank, .decide = decide,
}, blank = {
	.version = PRN_POLICY_KIND_VERSION, .info = INFO("blank"), .slots = 1, .state_size = 8,
	.visit = visit_blank, .decide = decide, .pack = pack,
}, counted = {
	.version = PRN_POLICY_KIND_VERSION, .info = INFO("counted"), .slots = 1, .state_size = 8,
	.visit = visit_counted, .decide = decide, .pack = pack,
};

static void say_nothing_odd(void)
{
	says.keep = -1;
	says.period = says.expected = 7;
	says.reason = PRN_REASON_RULE;
	says.counted = 3;
	says.most = UINT32_MAX;
}

/* A page of the policy is visited twice, a week and a half apart, and its store opened anew between. */
static void visited_twice(const char *policy, const char *what)
{
	struct desk desk;
	uint32_t visits;
	int64_t next;

	say_nothing_odd();
	desk_open(&desk, policy, 1);
	desk_text(&desk, PAGE, T0, "once upon a time");
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_reopen(&desk);
	visits = desk_look(&desk, PAGE).visits;
	next = desk_look(&desk, PAGE).due;
	ok(visits == 1 && next == T0 + 7 * DAY, "a store of a policy %s reads a page that was visited", what);
	ok(desk_text(&desk, PAGE, T0 + 10 * DAY, "there was a page") == PRN_OUTCOME_OBSERVED,
	   "a store of a policy %s takes a second visit of a page", what);
	ok(!strcmp(desk_names(&desk, T0 + 20 * DAY, 10, 60), "page"), "a store of a policy %s hands its pages out", what);
	desk_release(&desk);
}

static struct prn_decision decision_of(const char *policy)
{
	static const struct prn_visit visit = { .time = 1, .weight = 1, .threshold = 1 };
	struct prn_decision visited = { 0 }, decided = { 0 };
	struct prn_policy *opened;
	void *state;

	must(!prn_policy_open(&opened, policy, NULL, NULL), "open a policy");
	state = calloc(1, prn_policy_state_size(opened));
	must(state != NULL, "allocate");
	prn_policy_visit(opened, state, &visit, &visited);
	prn_policy_decide(opened, state, &visit, &decided);
	ok(decided.keep == -1, "what is decided again keeps no slot");
	ok(decided.reason == visited.reason, "what is decided again has the reason of the decision at the visit");
	ok(!(decided.period > visited.period) && !(decided.period < visited.period),
	   "what is decided again has the period of the decision at the visit");
	free(state);
	prn_policy_free(opened);
	return visited;
}

/* The page comes again within the bounds on intervals, whatever its policy decided. */
static void comes_again(double period, double expected, int reason, int64_t after, const char *what)
{
	struct desk desk;

	say_nothing_odd();
	desk_open(&desk, "counted", 1);
	says.period = period;
	says.expected = expected;
	says.reason = reason;
	desk_text(&desk, PAGE, T0, "once upon a time");
	ok(desk.outcome.next == T0 + after, "%s", what);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_reopen(&desk);
	ok(desk_look(&desk, PAGE).visits == 1, "%s, as its state, read again, has its visit", what);
	desk_release(&desk);
}

static void odd_decisions(void)
{
	static const int outside[] = { 1, 40, 2000000000, -2, INT32_MIN };
	struct prn_decision decision;
	struct desk desk;

	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		say_nothing_odd();
		says.keep = outside[i];
		ok(decision_of("counted").keep == -1, "slot %d of a policy with one slot is none", outside[i]);
		desk_open(&desk, "counted", 1);
		ok(desk_text(&desk, PAGE, T0, "once upon a time") == PRN_OUTCOME_OBSERVED &&
		           desk_text(&desk, PAGE, T0 + DAY, "there was a page") == PRN_OUTCOME_OBSERVED,
		   "a store of a policy that returns slot %d keeps no version", outside[i]);
		desk_release(&desk);
	}
	say_nothing_odd();
	says.keep = 0;
	ok(decision_of("counted").keep == 0, "a slot that a policy has is kept to");

	say_nothing_odd();
	says.period = says.expected = NAN;
	decision = decision_of("counted");
	ok(isinf(decision.period) && decision.period > 0, "a period that is NaN is taken for never");
	ok(isinf(decision.expected) && decision.reason == PRN_REASON_NEVER,
	   "a period that is NaN is for the reason that there is never a visit");
	says.period = -3;
	decision = decision_of("counted");
	ok(decision.period > 0 && decision.period <= DBL_MIN, "a period below 0 is taken for the shortest there is");
	ok(decision.expected <= DBL_MIN, "a period below 0 is expected as the shortest there is");
	say_nothing_odd();
	says.expected = 0;
	near(decision_of("counted").expected, 7, 0, "an expected period that is not above 0 is taken for the period");
	says.reason = 77;
	ok(decision_of("counted").reason == PRN_REASON_RULE, "a reason that is none is taken for the rule");

	comes_again(NAN, NAN, PRN_REASON_RULE, 180 * DAY, "a page whose period is NaN comes again after the maximum interval");
	comes_again(-1, 1, PRN_REASON_RULE, 10 * MINUTE, "a page whose period is below 0 comes again after the minimum interval");
	comes_again(7, 7, 77, 7 * DAY, "a page whose policy names a reason that is none comes again when it said");
}

static void unreadable(void)
{
	struct prn_observation observation;
	struct prn_outcome outcome;
	struct prn_error error = { 0 };
	struct prn_extractor *extractor;
	struct prn_capture capture = status_of(PAGE, T0, 200);
	struct desk desk;
	int code;

	say_nothing_odd();
	desk_open(&desk, "counted", 1);
	desk_text(&desk, "http://a.example/other", T0, "a page that can be read");
	must(!prn_extractor_open(&extractor, prn_decider_shingle_words(desk.decider), prn_decider_summary(desk.decider)),
	     "open an extractor");
	prn_observation_init(&observation);
	capture.kind = PRN_KIND_CONTENT;
	capture.normal_url = PAGE;
	capture.body = (const unsigned char *)"words";
	capture.body_bytes = 5;
	must(!prn_observation_make(&observation, &capture, prn_decider_summary(desk.decider), extractor, 0, &error), "observe");
	says.most = 2;
	code = prn_decider_observe(desk.decider, &observation, T0, &outcome, &error);
	ok(code == PRN_E_ARGUMENT, "what a policy packs and cannot read is refused before it is written: %s", error.text);
	ok(HOLDS(error.text, PAGE, "'counted'"), "what a policy packs and cannot read is told with its page and the policy");
	says.most = UINT32_MAX;
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_reopen(&desk);
	ok(!strcmp(desk_names(&desk, T0 + 20 * DAY, 10, 0), "other"),
	   "a page that could not be read back is not in the store, and the others are");
	prn_observation_release(&observation);
	prn_extractor_free(extractor);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	must(!prn_policy_register(&stateless, NULL) && !prn_policy_register(&blank, NULL) &&
	             !prn_policy_register(&counted, NULL), "register policies");
	visited_twice("stateless", "without a state");
	visited_twice("blank", "whose state stays blank");
	visited_twice("counted", "with a state");
	odd_decisions();
	unreadable();
	return done();
}
