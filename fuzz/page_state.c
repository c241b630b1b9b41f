/*
 * Reads page states from any bytes: the first byte chooses the policy (from the list below, then from all), the rest is the
 * state.  A state that is read can be written, is the same when it is read again, and can be visited.
 */
#include "perennial/page_state.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define M 8
#define BYTES 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const specifications[] = {
	"drift",   "curve-fitting:history=1", "bound-based:history=2",
	"cgm",     "cgm:estimator=bayes",     "cgm:estimator=sa",
	"uniform",
};

#define SPECIFICATIONS (sizeof specifications / sizeof *specifications)

static const char *choose(size_t number)
{
	size_t policies = 0;

	while (prn_policy_info(policies))
		policies++;
	number %= SPECIFICATIONS + policies;
	return number < SPECIFICATIONS ? specifications[number] : prn_policy_info(number - SPECIFICATIONS)->name;
}

static void check(struct prn_page_state *state)
{
	double divergence[PRN_POLICY_SLOTS] = { 0.5, 0, 1 };
	struct prn_decision decision;
	struct prn_visit now = { .weight = 1, .threshold = 0.5, .divergence = divergence };
	unsigned char bytes[BYTES], again[BYTES];
	size_t length = prn_page_state_encode(state, bytes, sizeof bytes);

	if (length > sizeof bytes || prn_page_state_decode(state, bytes, length, NULL) ||
	    prn_page_state_encode(state, again, sizeof again) != length || memcmp(bytes, again, length) != 0)
		abort();
	now.time = prn_page_days(state->attempted) + 1;
	prn_policy_visit(state->policy, state->policy_state, &now, &decision);
	if (!(decision.period > 0))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_page_state state;
	struct prn_policy *policy;
	struct prn_error error = { 0 };

	if (!size || prn_policy_open(&policy, choose(data[0]), NULL, NULL))
		return 0;
	if (!prn_page_state_init(&state, policy, M)) {
		if (!prn_page_state_decode(&state, data + 1, size - 1, &error))
			check(&state);
		else if (!error.text[0])
			abort();
		prn_page_state_release(&state);
	}
	prn_policy_free(policy);
	return 0;
}
