/* The last step of all learners: limits the period that comes from a curve. */
#include "perennial/policy_kind.h"

#include <float.h>
#include <math.h>

/* OP tie l to T.  Below this many clock units a tied l would spend the budget on new pages alone (doc/theory.md §5). */
#define TIED_LEARNING_MIN 0.3

/*
 * The accuracy at which the search for the price of a look ends, and the steps after which it gives up: prices
 * in between hardly matter.
 */
#define PRICE_NEAR 1e-4
#define PRICE_STEPS 100

static double learning_bound(const struct prn_bounds *bounds, uint32_t visits, const struct prn_visit *visit)
{
	double unit = bounds->learning;

	if (!(unit > 0))
		return INFINITY;
	if (bounds->learning_tied)
		unit = fmax(TIED_LEARNING_MIN, unit * visit->threshold / visit->weight);
	return unit * (visits ? visits : 1);
}

void prn_bounds_decide(const struct prn_bounds *bounds, double period, uint32_t visits, const struct prn_visit *visit,
                       struct prn_decision *decision)
{
	double learning = bounds ? learning_bound(bounds, visits, visit) : INFINITY;
	double risk = bounds && bounds->risk > 0 ? bounds->risk * visit->threshold / visit->weight : INFINITY;

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

/*
 * T/W at the price of a look, and the period of it.  From the lowest price upwards each period leads to a
 * higher price, and the iteration ends at the first pair that agrees.  On a line there is no other; on any
 * curve it is where the mean of divergence and cost, over the time between visits, has its first minimum.
 */
static double priced(const struct prn_curve *curve, const struct prn_visit *visit, double *period)
{
	double full = visit->threshold / visit->weight, price = prn_look_price(&visit->look, 0), before;

	for (int i = 0; i < PRICE_STEPS && price < 1; i++) {
		prn_curve_period(curve, 1, price * full, period);
		before = price;
		price = prn_look_price(&visit->look, *period);
		if (price - before <= PRICE_NEAR * price)
			return price * full;
	}
	prn_curve_period(curve, visit->weight, visit->threshold, period);
	return full;
}

void prn_bounds_decide_curve(const struct prn_bounds *bounds, const struct prn_curve *curve, uint32_t visits,
                             const struct prn_visit *visit, struct prn_decision *decision)
{
	const struct prn_hints *hints = &visit->hints;
	struct prn_decision most;
	double period = 1, wanted, level, mean, timer;

	if (!curve) {
		prn_bounds_decide(bounds, period, visits, visit, decision);
		return;
	}
	wanted = visit->threshold / visit->weight;
	if (bounds && bounds->priced)
		wanted = priced(curve, visit, &period);
	else
		prn_curve_period(curve, visit->weight, visit->threshold, &period);
	prn_bounds_decide(bounds, period, visits, visit, decision);
	if (!prn_hints_count(hints) || (bounds && bounds->deaf))
		return;
	level = prn_hints_level(curve, hints, wanted);
	mean = isinf(level) ? level : prn_hints_mean_time(hints, level);
	timer = fmax(prn_hints_timer(hints, level), prn_hints_earliest(hints, fmin(mean, decision->period)));
	timer = fmin(timer, PRN_HINTS_SILENCE_MOST * period);
	prn_bounds_decide(bounds, timer, visits, visit, decision);
	prn_bounds_decide(bounds, PRN_HINTS_SILENCE_MOST * period, visits, visit, &most);
	decision->expected = fmin(mean, most.period);
}
