/*
 * Opens policies from any specification, and gives them any visits that their contract allows.  The first line is the
 * specification; then each visit has 3 bytes: the time since the last one, the dial, and the seed of the divergences.
 */
#include "perennial/policy.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct prn_policy *policy, const void *state, const struct prn_decision *decision)
{
	struct prn_curve curve;

	if (!(decision->period > 0) || decision->keep < -1 || decision->keep >= (int)prn_policy_slots(policy))
		abort();
	if (prn_policy_curve(policy, state, &curve) &&
	    !(curve.share >= 0 && curve.share <= 1 && curve.rate >= 0 && curve.slope >= 0))
		abort();
}

static void visits(const struct prn_policy *policy, const uint8_t *data, size_t size)
{
	void *state = calloc(1, prn_policy_state_size(policy));
	double time = 0;

	for (; state && size >= 3; data += 3, size -= 3) {
		double divergence[PRN_POLICY_SLOTS];
		struct prn_visit visit = { .time = time, .weight = 1, .threshold = exp2(data[1] / 4.0 - 32),
			                   .divergence = divergence,
			                   .since_modified = data[2] % 3 ? 0 : exp2(data[1] / 4.0 - 32) };
		struct prn_decision decision = { 0 };

		for (unsigned i = 0; i < PRN_POLICY_SLOTS; i++)
			divergence[i] = data[2] < 64 ? 0 : data[2] == 255 ? 1 : (data[2] * (i + 1) % 256) / 255.0;
		prn_policy_visit(policy, state, &visit, &decision);
		check(policy, state, &decision);
		/* 0: at the time that the policy says; otherwise 2^-16 to 2^48 later, since it must be later */
		time = fmax(time + (data[0] ? exp2(data[0] / 4.0 - 16) : fmin(decision.period, 1e9)), nextafter(time, INFINITY));
	}
	free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = memchr(data, '\n', size);
	size_t length = end ? (size_t)(end - data) : size;
	struct prn_policy *policy = NULL;
	struct prn_error error = { 0 };
	char text[512];

	if (length >= sizeof text)
		return 0;
	memcpy(text, data, length);
	text[length] = 0;
	if (prn_policy_open(&policy, text, NULL, &error)) {
		if (!error.text[0] || policy)
			abort();
		return 0;
	}
	if (end)
		visits(policy, end + 1, size - length - 1);
	prn_policy_free(policy);
	return 0;
}
