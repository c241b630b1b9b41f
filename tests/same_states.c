/* Whose states are the same: what a key is marked as, of every policy and key that there is, and what follows for two specifications. */
#include "policy/policy_internal.h"

#include "tap.h"

#include <stdlib.h>

#define DEFAULTS "summary=8"
#define VISITS 40

/* A specification with another value of the key than its own.  False: none was found. */
static bool write_other(const struct prn_policy_info *info, const struct prn_policy_key *key, char *text, size_t size)
{
	static const char *const values[] = { "no", "yes", "7.5", "0.25", "3", "1.5", "none", "last" };
	struct prn_policy *policy;

	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		if (!strcmp(values[i], key->fallback))
			continue;
		snprintf(text, size, "%s:%s=%s", info->name, key->name, values[i]);
		if (prn_policy_open(&policy, text, DEFAULTS, NULL))
			continue;
		prn_policy_free(policy);
		return true;
	}
	return false;
}

static double draw(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) / 16777216.0;
}

/* Whether after each of many visits the one policy reads what the other packs, and as that does, and may go on with it. */
static bool read_the_same(const struct prn_policy *a, const struct prn_policy *b, unsigned seed)
{
	size_t size = prn_policy_state_size(a);
	void *state = calloc(1, size), *one = calloc(1, size), *two = calloc(1, size);
	double divergence[PRN_POLICY_SLOTS], time = 0;
	unsigned char packed[4096];
	bool holds = state && one && two && size == prn_policy_state_size(b) && prn_policy_slots(a) == prn_policy_slots(b);

	for (int i = 0; holds && i < VISITS; i++) {
		struct prn_decision decision;
		struct prn_visit visit = { .time = time, .weight = 1 + draw(&seed), .threshold = 0.1 + draw(&seed),
			                   .divergence = divergence, .page = 17, .since_modified = draw(&seed) < 0.3 ? 0.1 : 0,
			                   .siblings = { { 1, 2 }, { 3, 4 } } };
		size_t length;

		for (size_t j = 0; j < PRN_POLICY_SLOTS; j++)
			divergence[j] = draw(&seed) < 0.5 ? 0 : draw(&seed);
		prn_policy_visit(i % 2 ? a : b, state, &visit, &decision);
		length = prn_policy_pack(a, state, time, packed, sizeof packed);
		holds = length <= sizeof packed && !prn_policy_unpack(a, packed, length, time, one) &&
		        !prn_policy_unpack(b, packed, length, time, two) && !memcmp(one, two, size);
		prn_policy_decide(b, two, &visit, &decision);
		holds = holds && decision.period > 0;
		memcpy(state, one, size);
		time += 0.1 + 3 * draw(&seed);
	}
	free(state);
	free(one);
	free(two);
	return holds;
}

static void test_key(const struct prn_policy_info *info, const struct prn_policy_key *key)
{
	struct prn_policy *usual = NULL, *other = NULL;
	char text[200];
	bool holds = true, equal = false;

	if (!write_other(info, key, text, sizeof text)) {
		ok(false, "there is another value for the key '%s' of %s", key->name, info->name);
		return;
	}
	holds = !prn_policy_open(&usual, info->name, DEFAULTS, NULL) && !prn_policy_open(&other, text, DEFAULTS, NULL);
	for (unsigned seed = 0; holds && seed < 50; seed++)
		holds = read_the_same(usual, other, seed) && read_the_same(other, usual, seed);
	ok(holds, "states that were learned with %s are those of without, and the other way round", text);
	ok(!prn_policy_same_states(info->name, text, DEFAULTS, &equal, NULL) && equal, "%s: its states are those of %s", text,
	   info->name);
	prn_policy_free(usual);
	prn_policy_free(other);
}

static void test_pair(const char *a, const char *b, bool expected)
{
	bool equal = !expected;
	int code = prn_policy_same_states(a, b, DEFAULTS, &equal, NULL);

	ok(!code && equal == expected, "the states of %s and %s are %s", a, b, expected ? "the same" : "not the same");
}

static void test_refused(void)
{
	struct prn_error error = { 0 };
	bool equal;

	ok(prn_policy_same_states("drift", "drift:beat=3", DEFAULTS, &equal, &error) == PRN_E_NOT_FOUND,
	   "a key that there is not is refused");
	ok(prn_policy_same_states("nowhere", "drift", DEFAULTS, &equal, &error) == PRN_E_NOT_FOUND,
	   "a policy that there is not is refused");
	ok(prn_policy_same_states("drift:beta=0", "drift", DEFAULTS, &equal, &error) == PRN_E_ARGUMENT,
	   "a value that does not fit is refused");
}

int main(void)
{
	const struct prn_policy_info *info;

	for (size_t i = 0; (info = prn_policy_info(i)); i++)
		for (const struct prn_policy_key *key = info->keys; key->name; key++)
			if (key->kept)
				test_key(info, key);
	test_pair("drift", "drift", true);
	test_pair("drift:alpha=0.2:beta=5", "drift:risk=4", true);
	test_pair("drift:summary=8", "drift", true);
	test_pair("drift:summary=16", "drift", false);
	test_pair("drift:forgetting=0.5", "drift", true);
	test_pair("cgm:change=0.2", "cgm", false);
	test_pair("drift:siblings=no", "drift", false);
	test_pair("curve-fitting:history=3", "curve-fitting", false);
	test_pair("curve-fitting:history=3:learning=none", "curve-fitting:history=3", true);
	test_pair("nutch:start=3", "nutch", false);
	test_pair("cgm", "drift", false);
	test_pair("cgm", "age", false);
	test_refused();
	return done();
}
