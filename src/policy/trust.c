#include "perennial/trust.h"

#include "perennial/error.h"
#include "perennial/packing.h"

#include <math.h>
#include <string.h>

/* A host's habits change: a visit counts half after 350 more. */
#define FORGETTING 0.998

/* The prior of a page or a host of which little has been seen. */
#define CHANGES_PRIOR 0.3
#define CHANGES_PRIOR_TIME 3
#define HINTS_PRIOR 0.1
#define HINTS_PRIOR_TIME 1

/* Even when no change is expected, one may be seen. */
#define EXPECTED_MIN 0.001

/*
 * Degrees that are less likely than the best by a factor of e to this are not distinguished: they count 0 in
 * the mean, and recover soon.
 */
#define FIT_MIN (-30)

/*
 * The prior probability, as a power of e relative to the other degrees, of a source that says nothing.  On
 * seven real corpora hints at random or without end cost 2 to 3 % of staleness at 0, under 1 % at 4; of the
 * gain from good hints, 4 loses one part in twenty.
 */
#define DOUBT 4

static const double degrees[PRN_TRUST_DEGREES] = { 0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.85, 0.93, 0.98 };

/* η after n more hints in some time: that of the page as far as it is known, else of the host. */
static double hint_rate(const struct prn_trust *trust, const struct prn_page_hints *counts, const struct prn_watched *watched,
                        double n, double time)
{
	double host = (trust->hints + n + HINTS_PRIOR) / (trust->time + time + HINTS_PRIOR_TIME);

	return (counts->before + n + 1) / (watched->time + time + 1 / host);
}

void prn_trust_visit(struct prn_trust *trust, struct prn_page_hints *counts, const struct prn_watched *watched, double interval,
                     bool changed)
{
	/*
	 * The rate of hints is hardly known at first: if it seemed low, few hints would count for many changes.
	 * So a change confirms the source by a rate with these hints, and the absence of one refutes it by a
	 * rate without.
	 */
	double rate = hint_rate(trust, counts, watched, changed ? counts->since : 0, changed ? interval : 0);
	double changes = (watched->changes + CHANGES_PRIOR) / (watched->time + CHANGES_PRIOR_TIME), best = -INFINITY;

	if (!(trust->hints > 0) && !(counts->since > 0))
		return;
	for (int i = 0; i < PRN_TRUST_DEGREES; i++) {
		double elapsed = (1 - degrees[i]) * interval + degrees[i] * counts->since / rate;
		double expected = fmax(changes * elapsed, EXPECTED_MIN);

		trust->fit[i] = FORGETTING * trust->fit[i] + (changed ? log(-expm1(-expected)) : -expected);
		best = fmax(best, trust->fit[i]);
	}
	/* Only differences count, so the best fit is kept at 0. */
	for (int i = 0; i < PRN_TRUST_DEGREES; i++)
		trust->fit[i] = fmax(trust->fit[i] - best, FIT_MIN);
	trust->hints += counts->since;
	trust->time += interval;
	trust->hinted = FORGETTING * trust->hinted + (counts->since > 0);
	trust->changed = FORGETTING * trust->changed + changed;
	trust->both = FORGETTING * trust->both + (counts->since > 0 && changed);
	trust->visits = FORGETTING * trust->visits + 1;
	counts->before += counts->since;
	counts->since = 0;
}

void prn_watched_visit(struct prn_watched *watched, double interval, bool changed)
{
	watched->time += interval;
	watched->changes += changed;
}

double prn_trust_degree(const struct prn_trust *trust)
{
	double sum = 0, mean = 0;

	if (!(trust->hints > 0))
		return 0;
	for (int i = 0; i < PRN_TRUST_DEGREES; i++) {
		double likelihood = exp(trust->fit[i] + (i ? 0 : DOUBT));

		sum += likelihood;
		mean += degrees[i] * likelihood;
	}
	return mean / sum;
}

void prn_trust_hints(const struct prn_trust *trust, const struct prn_page_hints *counts, const struct prn_watched *watched,
                     struct prn_hints *hints)
{
	hints->trust = prn_trust_degree(trust);
	hints->rate = hint_rate(trust, counts, watched, 0, 0);
	hints->count = counts->since;
	hints->ahead = 0;
}

double prn_trust_precision(const struct prn_trust *trust)
{
	return trust->hinted > 0 ? fmin(trust->both / trust->hinted, 1) : NAN;
}

double prn_trust_recall(const struct prn_trust *trust)
{
	return trust->changed > 0 ? fmin(trust->both / trust->changed, 1) : NAN;
}

double prn_trust_hinted(const struct prn_trust *trust)
{
	return trust->visits > 0 ? fmin(trust->hinted / trust->visits, 1) : NAN;
}

static void pack(struct prn_trust *trust, struct prn_packing *packing)
{
	double best = -INFINITY;

	prn_packing_number(packing, &trust->hints);
	prn_packing_number(packing, &trust->time);
	prn_packing_number(packing, &trust->hinted);
	prn_packing_number(packing, &trust->changed);
	prn_packing_number(packing, &trust->both);
	for (int i = 0; i < PRN_TRUST_DEGREES; i++) {
		double worse = -trust->fit[i];

		prn_packing_number(packing, &worse);
		trust->fit[i] = -worse;
		best = fmax(best, trust->fit[i]);
	}
	if (packing->in && packing->at == packing->length)
		trust->visits = trust->hinted + trust->changed - trust->both;
	else
		prn_packing_number(packing, &trust->visits);
	prn_packing_require(packing, trust->hints > 0 && trust->time > 0 && best >= 0);
	prn_packing_require(packing, trust->visits >= trust->hinted && trust->visits >= trust->changed);
	prn_packing_require(packing, trust->both <= trust->hinted && trust->both <= trust->changed);
}

size_t prn_trust_pack(const struct prn_trust *trust, void *out, size_t capacity)
{
	struct prn_packing packing = { .out = out, .length = capacity };
	struct prn_trust copy = *trust;

	if (trust->hints > 0)
		pack(&copy, &packing);
	return packing.at;
}

int prn_trust_unpack(struct prn_trust *trust, const void *bytes, size_t length)
{
	struct prn_packing packing = { .in = bytes, .length = length };

	memset(trust, 0, sizeof *trust);
	if (length)
		pack(trust, &packing);
	if (!packing.failed && packing.at == length)
		return 0;
	memset(trust, 0, sizeof *trust);
	return PRN_E_INPUT;
}
