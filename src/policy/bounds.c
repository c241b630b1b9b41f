/* The shared end of the learners: a curve's period, under bounds. */
#include "perennial/policy_kind.h"

#include <float.h>
#include <math.h>

/* OP tie l to T; below this many clock units a tied l would spend the budget on new pages alone (doc/theory.md §5). */
#define TIED_LEARNING_MIN 0.3

static double learning_bound(const struct prn_bounds *bounds, uint32_t visits, const struct prn_visit *visit)
{
	double unit = bounds->learning;

	if (!(unit > 0))
		return INFINITY;
	if (bounds->learning_tied)
		unit = fmax(TIED_LEARNING_MIN, unit * visit->threshold / visit->weight);
	return unit * (visits ? visits : 1);
}

static double risk_bound(const struct prn_bounds *bounds, const struct prn_visit *visit)
{
	return bounds->risk > 0 ? bounds->risk * visit->threshold / visit->weight : INFINITY;
}

void prn_bounds_decide(const struct prn_bounds *bounds, double period, uint32_t visits, const struct prn_visit *visit,
                       struct prn_decision *decision)
{
	double learning = bounds ? learning_bound(bounds, visits, visit) : INFINITY;
	double risk = bounds ? risk_bound(bounds, visit) : INFINITY;

	decision->period = fmax(period, DBL_MIN);
	decision->reason = isinf(period) ? PRN_REASON_NEVER : PRN_REASON_RULE;
	if (learning < decision->period) {
		decision->period = learning;
		decision->reason = PRN_REASON_LEARNING;
	}
	if (risk < decision->period) {
		decision->period = fmax(risk, DBL_MIN);
		decision->reason = PRN_REASON_RISK;
	}
	decision->expected = decision->period;
}

void prn_bounds_decide_curve(const struct prn_bounds *bounds, const struct prn_curve *curve, uint32_t visits,
                             const struct prn_visit *visit, struct prn_decision *decision)
{
	double period = 1;

	if (curve)
		prn_curve_period(curve, visit->weight, visit->threshold, &period);
	prn_bounds_decide(bounds, period, visits, visit, decision);
}
