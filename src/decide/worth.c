#include "decide/worth.h"

#include "decide/patience.h"
#include "policy/policy_internal.h"
#include "store/big_endian.h"

#include <math.h>
#include <string.h>

#define VISITED 1u /* the lowest bit */
#define ONLY_FAILED (-1)

/* A page's growth, or false if its value is not of this kind. */
static bool growth_of(const struct prn_page_state *state, double weight, double *growth)
{
	struct prn_curve curve;

	*growth = prn_patience_has_only_failed(state) ? ONLY_FAILED : weight;
	if (!state->visits)
		return true;
	if ((prn_hints_count(&state->hints) && prn_policy_heeds_hints(state->policy)) ||
	    !prn_policy_curve(state->policy, state->policy_state, &curve) || curve.form != PRN_CURVE_LINE)
		return false;
	*growth *= fmax(curve.slope, 0);
	return isfinite(*growth);
}

size_t prn_worth_make(const struct prn_page_state *state, double weight, int64_t since, unsigned char out[PRN_WORTH_BYTES])
{
	uint32_t maker = prn_policy_fingerprint(state->policy);
	uint64_t bits;
	double growth;

	if (!maker || !growth_of(state, weight, &growth))
		return 0;
	memcpy(&bits, &growth, sizeof bits);
	prn_big_put(&out, 4, (maker & ~VISITED) | (state->visits ? VISITED : 0));
	prn_big_put_time(&out, since);
	prn_big_put(&out, 8, bits);
	return PRN_WORTH_BYTES;
}

bool prn_worth_read(const struct prn_policy *policy, struct prn_bytes bytes, struct prn_worth *worth)
{
	uint32_t maker = prn_policy_fingerprint(policy), made_by;
	const unsigned char *at = bytes.data;
	uint64_t bits;

	if (bytes.length != PRN_WORTH_BYTES || !maker)
		return false;
	made_by = (uint32_t)prn_big_take(&at, 4);
	worth->visited = made_by & VISITED;
	worth->since = prn_big_take_time(&at);
	bits = prn_big_take(&at, 8);
	memcpy(&worth->growth, &bits, sizeof worth->growth);
	return (made_by | VISITED) == (maker | VISITED) && isfinite(worth->growth) && (worth->growth >= 0 || (!worth->visited && worth->growth == ONLY_FAILED));
}

double prn_worth_value(const struct prn_worth *worth, double threshold, double round_days, int64_t now)
{
	double days = fmax(prn_page_days(now) - prn_page_days(worth->since), 0);

	if (worth->growth < 0)
		return prn_patience_value(threshold, days, round_days);
	return worth->visited ? worth->growth * days * days / 2 : worth->growth * (threshold + days);
}
