/* A program in C++ that uses libperennial, compiled and run by tests/headers.sh: two versions of a page, and a policy. */
#include <perennial/perennial.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace {

struct extractor_free {
	void operator()(prn_extractor *extractor) const { prn_extractor_free(extractor); }
};

struct policy_free {
	void operator()(prn_policy *policy) const { prn_policy_free(policy); }
};

prn_extractor *open_extractor()
{
	prn_extractor *extractor = nullptr;

	return prn_extractor_open(&extractor, PRN_SHINGLE_WORDS, PRN_SUMMARY_ALL) ? nullptr : extractor;
}

prn_summary summary(prn_extractor *extractor, const char *text)
{
	prn_summary result = {};

	if (prn_extractor_summary(extractor, text, std::strlen(text), "text/html", &result))
		std::puts("no summary");
	return result;
}

}

int main()
{
	std::unique_ptr<prn_extractor, extractor_free> before(open_extractor()), after(open_extractor());
	prn_policy *opened = nullptr;
	prn_error error = {};

	if (!before || !after || prn_policy_open(&opened, "curve-fitting:history=1", nullptr, &error))
		return 1;
	std::unique_ptr<prn_policy, policy_free> policy(opened);
	const prn_summary old_version = summary(before.get(), "<p>Boats leave the old pier at nine and noon.<p>Today: fog.");
	const prn_summary new_version = summary(after.get(), "<p>Boats leave the old pier at nine and noon.<p>Today: sun.");
	const double divergence[1] = { prn_summary_divergence(&old_version, &new_version) };
	std::vector<double> state(prn_policy_state_size(policy.get()) / sizeof(double));
	prn_decision decision = {};
	prn_visit visit = {};

	visit.weight = 1;
	visit.threshold = 0.25;
	visit.divergence = divergence;
	for (visit.time = 0; visit.time < 3; visit.time++)
		prn_policy_visit(policy.get(), state.data(), &visit, &decision);
	std::printf("perennial %s: %.2f apart, next visit in %.1f days\n", prn_version(), divergence[0], decision.period);
	std::printf("no-such-policy: %d\n", prn_policy_open(&opened, "no-such-policy", nullptr, &error));
	return 0;
}
