/* Policies as they are written: defaults, overrides, and what is said to mistakes. */
#include "perennial/policy.h"
#include "perennial/summary.h"
#include "tap.h"

/* Opens; returns the code and leaves the text in *error. */
static int open_policy(const char *specification, const char *defaults, struct prn_error *error,
                       struct prn_policy **policy)
{
	*policy = NULL;
	error->text[0] = 0;
	return prn_policy_open(policy, specification, defaults, error);
}

static void refused(const char *specification, const char *defaults, int code, const char *text)
{
	struct prn_policy *policy;
	struct prn_error error = { 0 };
	int got = open_policy(specification, defaults, &error, &policy);

	ok(got == code && error.code == code, "'%s' is refused with its code: %d", specification, got);
	ok(strstr(error.text, text) != NULL, "who gives '%s' is told: %s", specification, text);
	ok(!policy, "of '%s' no policy is made", specification);
	if (!strstr(error.text, text))
		printf("# %s\n", error.text);
}

static size_t slots_of(const char *specification, const char *defaults)
{
	struct prn_policy *policy;
	struct prn_error error = { 0 };
	size_t slots = 99;

	if (!open_policy(specification, defaults, &error, &policy))
		slots = prn_policy_slots(policy);
	prn_policy_free(policy);
	return slots;
}

static size_t summary_of(const char *specification, const char *defaults)
{
	struct prn_policy *policy;
	struct prn_error error = { 0 };
	size_t summary = 0;

	if (!open_policy(specification, defaults, &error, &policy))
		summary = prn_policy_summary(policy);
	prn_policy_free(policy);
	return summary;
}

static bool skips_static(const char *specification)
{
	struct prn_policy *policy;
	struct prn_error error = { 0 };
	bool skips = !open_policy(specification, NULL, &error, &policy) && prn_policy_skips_static(policy);

	prn_policy_free(policy);
	return skips;
}

static char all_names[512]; /* "uniform, proportional, …" */

static void test_table(void)
{
	size_t length = 0;

	for (size_t n = 0; prn_policy_info(n); n++) {
		const struct prn_policy_info *info = prn_policy_info(n);
		struct prn_policy *policy;
		struct prn_error error = { 0 };
		bool complete = *info->title && *info->source, once = true;

		for (const struct prn_policy_key *key = info->keys; key->name; key++)
			complete &= *key->name && *key->fallback && *key->help;
		for (size_t i = 0; i < n; i++)
			once &= strcmp(prn_policy_info(i)->name, info->name) != 0;
		ok(complete, "%s has a title, a source, and help for every key", info->name);
		ok(once, "%s is the name of one policy alone", info->name);
		ok(!open_policy(info->name, NULL, &error, &policy) && prn_policy_about(policy) == info,
		   "%s opens by its name, with its defaults", info->name);
		ok(prn_policy_state_size(policy) > 0 && prn_policy_state_size(policy) % 8 == 0,
		   "%s has a state of whole doubles", info->name);
		ok(prn_policy_slots(policy) <= PRN_POLICY_SLOTS, "%s has no more slots than there are", info->name);
		length += (size_t)snprintf(all_names + length, sizeof all_names - length, "%s%s", length ? ", " : "",
		                           info->name);
		prn_policy_free(policy);
	}
	prn_policy_free(NULL);
}

static void test_values(void)
{
	ok(slots_of("curve-fitting", NULL) == 5, "a key has its default");
	ok(slots_of("curve-fitting:history=7", NULL) == 7, "a key has the value that the specification says");
	ok(slots_of("curve-fitting", "history=9:summary=8") == 9,
	   "a key has the value that the defaults for all policies say");
	ok(slots_of("curve-fitting:history=7", "history=9") == 7,
	   "the specification's value of a key comes before that of the defaults");
	ok(slots_of("drift", "history=9:learning=2T") == 2, "defaults for keys that a policy lacks are passed over");
	ok(slots_of("drift:", "") == 2, "a colon with nothing after it sets no key");
	ok(summary_of("drift", NULL) == PRN_SUMMARY_ALL, "a summary is of all fragments by default");
	ok(summary_of("drift:summary=8", NULL) == 8, "a summary may be a number");
	ok(summary_of("drift:summary=all", "summary=8") == PRN_SUMMARY_ALL,
	   "a summary may be all, whatever the defaults say");
	ok(skips_static("uniform:skip-static=yes") && skips_static("uniform:skip-static"),
	   "skip-static can be written alone");
	ok(!skips_static("uniform") && !skips_static("drift"),
	   "where skip-static is not written no page is skipped for it");
	ok(slots_of("cgm:learning=2.5T:risk=1:estimator=mle", NULL) == 1, "keys take numbers and multiples of T");
	ok(slots_of("cgm:learning=none:risk=none", NULL) == 1, "keys take none");
	ok(slots_of("cgm:learning=1e-3", NULL) == 1, "keys take numbers with an exponent");
	ok(slots_of("cgm:visit-rate=3:estimator=bayes:classes=1/2.5/9:lengths=20", NULL) == 1,
	   "the estimators' keys are taken in any order, whichever estimator reads them");
	ok(slots_of("drift", "history=nonsense:estimator=none") == 2,
	   "what defaults say for keys that a policy lacks is not looked at");
	ok(slots_of("curve-fitting", "history=9:history=4") == 4, "of two values of a key in the defaults the last one counts");
	ok(slots_of("drift", "exponent=0.6:estimator=sa") == 2,
	   "the estimators' keys may be defaults for policies that lack them");
}

#define ZEROS "000000000000000000000000000000000000000000000000000000000000"

static void test_mistakes(void)
{
	refused("nonsense", NULL, PRN_E_NOT_FOUND, "no policy 'nonsense': there is ");
	refused("nonsense", NULL, PRN_E_NOT_FOUND, all_names);
	refused("", NULL, PRN_E_NOT_FOUND, "no policy ''");
	refused("drif", NULL, PRN_E_NOT_FOUND, "no policy 'drif'");
	refused("drift:history=3", NULL, PRN_E_NOT_FOUND,
	        "policy 'drift' has no key 'history': it has alpha, beta, kappa, forgetting, risk, ");
	refused("drift", "hystory=3", PRN_E_NOT_FOUND, "no key 'hystory'");
	refused("curve-fitting", "history=0", PRN_E_ARGUMENT, "key 'history' takes a whole number from 1 to 32, not '0'");
	refused("curve-fitting:history=5", "history=0", PRN_E_ARGUMENT, "not '0'");
	refused("drift", ":", PRN_E_NOT_FOUND, "no key ''");
	refused("drift::alpha=1", NULL, PRN_E_NOT_FOUND, "no key ''");
	refused("cgm:history=0", NULL, PRN_E_NOT_FOUND, "no key 'history'");
	refused("bound-based:history=0", NULL, PRN_E_ARGUMENT, "key 'history' takes a whole number from 1 to 32, not '0'");
	refused("bound-based:history=33", NULL, PRN_E_ARGUMENT, "not '33'");
	refused("bound-based:history=2.5", NULL, PRN_E_ARGUMENT, "not '2.5'");
	refused("bound-based:history", NULL, PRN_E_ARGUMENT, "not 'yes'");
	refused("bound-based:risk=0.5", NULL, PRN_E_ARGUMENT, "key 'risk' takes a number from 1, or 'none'");
	refused("bound-based:summary=0", NULL, PRN_E_ARGUMENT, "a whole number from 1, or 'all'");
	refused("cgm:learning=-1", NULL, PRN_E_ARGUMENT, "a multiple of T such as '2T'");
	refused("cgm:learning=T", NULL, PRN_E_ARGUMENT, "not 'T'");
	refused("cgm:learning=0T", NULL, PRN_E_ARGUMENT, "not '0T'");
	refused("cgm:learning=1e-320", NULL, PRN_E_ARGUMENT, "not '1e-320'");
	refused("cgm:estimator=mean", NULL, PRN_E_ARGUMENT, "no estimator 'mean': there is naive, ratio, mle, last-modified-naive");
	refused("cgm:exponent=0", NULL, PRN_E_ARGUMENT, "key 'exponent' takes a number above 0, at most 1, not '0'");
	refused("drift:exponent=1", NULL, PRN_E_NOT_FOUND, "policy 'drift' has no key 'exponent'");
	refused("cgm:classes", NULL, PRN_E_ARGUMENT,
	        "key 'classes' takes numbers above 0 with '/' between them, at most 16, not 'yes'");
	refused("drift:alpha=0", NULL, PRN_E_ARGUMENT, "key 'alpha' takes a number above 0, not '0'");
	refused("drift:alpha=nan", NULL, PRN_E_ARGUMENT, "not 'nan'");
	refused("drift:alpha=inf", NULL, PRN_E_ARGUMENT, "not 'inf'");
	refused("drift:beta=", NULL, PRN_E_ARGUMENT, "not ''");
	refused("drift:forgetting=1.1", NULL, PRN_E_ARGUMENT, "a number above 0, at most 1");
	refused("drift:kappa=1x", NULL, PRN_E_ARGUMENT, "not '1x'");
	refused("fgt:epsilon=1", NULL, PRN_E_ARGUMENT, "key 'epsilon' takes a number above 0 and below 1, not '1'");
	refused("fgt:very-stale=0", NULL, PRN_E_ARGUMENT, "key 'very-stale' takes a number above 0, or 'optimum'");
	refused("fgt:estimator=mle", NULL, PRN_E_NOT_FOUND, "policy 'fgt' has no key 'estimator'");
	refused("nutch:preset=best", NULL, PRN_E_ARGUMENT, "key 'preset' takes 'xml' or 'code', not 'best'");
	refused("nutch:sync=1.5", NULL, PRN_E_ARGUMENT, "key 'sync' takes a number from 0 to 1, not '1.5'");
	refused("heritrix1:shrink=0.5", NULL, PRN_E_ARGUMENT, "key 'shrink' takes a number from 1, not '0.5'");
	refused("azar:seed=0", NULL, PRN_E_ARGUMENT, "key 'seed' takes a whole number from 1, not '0'");
	refused("uniform:skip-static=maybe", NULL, PRN_E_ARGUMENT, "'yes' or 'no', not 'maybe'");
	refused("drift:alpha=" ZEROS ZEROS ZEROS "1", NULL,
	        PRN_E_ARGUMENT, "not '0000");
	ok(prn_policy_open(&(struct prn_policy *){ 0 }, "nonsense", NULL, NULL) == PRN_E_NOT_FOUND,
	   "who does not ask for the text of an error gets its code");
}

int main(void)
{
	test_table();
	test_values();
	test_mistakes();
	return done();
}
