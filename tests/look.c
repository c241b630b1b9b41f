/* The price of a look: that the period it makes is the best one, found by brute force. */
#include "perennial/look.h"

#include "perennial/policy_kind.h"
#include "tap.h"

/* The mean of divergence and cost per unit of time that visits t apart make (doc/theory.md §15). */
static double loss(const struct prn_curve *curve, const struct prn_look *look, double threshold, double t)
{
	double share = look->cost + (1 - look->cost) * (1 - exp(-look->rate * t));

	return (prn_curve_integral(curve, t) + threshold * share) / t;
}

static const struct prn_bounds bounds = { .priced = true };

static void test_best(void)
{
	const struct prn_curve curves[] = { prn_curve_line(0.01), prn_curve_churn(1, 0.05), prn_curve_scroll(0.5, 0.2, 8) };
	const struct prn_look look[] = { { 0.1, 0.3 }, { 0.5, 0.01 }, { 0.02, 5 }, { 0.1, 0.05 } };

	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 4; j++) {
			struct prn_visit visit = { .weight = 2, .threshold = 0.4, .look = look[j] };
			struct prn_decision decision;
			double best = INFINITY;

			prn_bounds_decide_curve(&bounds, &curves[i], 1, &visit, &decision);
			for (double t = 0.01; t < 200; t *= 1.002)
				best = fmin(best, loss(&curves[i], &look[j], 0.2, t));
			near(loss(&curves[i], &look[j], 0.2, decision.period) / best, 1, 1e-4,
			     "curve %zu, look %zu: no other period has less divergence and cost", i, j);
		}
}

static void test_price(void)
{
	struct prn_look look = { 0.1, 0.5 };
	struct prn_looks looks = { 0, 0, 0 };

	near(prn_look_price(&look, 0), 0.1, 1e-12, "a look at once costs what an unchanged answer does");
	near(prn_look_price(&look, 2), 0.1 + 0.9 * (1 - 2 * exp(-1)), 1e-12, "the price is c + (1 - c)(1 - e^-x (1 + x))");
	near(prn_look_price(&look, INFINITY), 1, 0, "a look after for ever costs a fetch");
	near(prn_look_price(&(struct prn_look){ 0, 0 }, 3), 1, 0, "where no price is told a look costs a fetch");
	near(prn_look_price(&(struct prn_look){ 0.1, 0 }, 3), 1, 0, "where no rate is known a look costs a fetch");
	near(prn_look_cost(&look, 2), 0.1 + 0.9 * (1 - exp(-1)), 1e-12, "a visit costs c + (1 - c)(1 - e^-x)");
	near(prn_look_cost(&look, INFINITY), 1, 0, "a visit after for ever costs a fetch");
	near(prn_look_cost(&(struct prn_look){ 0, 2 }, 1), 1, 0, "where no price is told a visit costs a fetch");
	near(prn_looks_rate(&looks), 0, 0, "of a page never looked at no rate is known");
	for (int i = 0; i < 200; i++)
		prn_looks_add(&looks, 2, i % 2 == 0);
	/* ΣB = 4.74 of n = 10, faded */
	near(prn_looks_rate(&looks), -log(1 - (looks.fetched + .3) / 11) / 2, 1e-9, "the rate is that of doc/theory.md §15");
	near(looks.visits, 10, 1e-6, "ten looks are remembered");
	for (int i = 0; i < 200; i++)
		prn_looks_add(&looks, 2, true);
	ok(isfinite(prn_looks_rate(&looks)), "a page that always has other bytes has a finite rate");
}

static void test_hints(void)
{
	struct prn_curve line = prn_curve_line(0.01);
	struct prn_visit visit = { .weight = 1, .threshold = 0.4, .hints = { .trust = 0.5, .rate = 0.2 }, .look = { 0.1, 0.1 } };
	struct prn_decision cheap, priced;
	double period, price;

	prn_bounds_decide_curve(&bounds, &line, 1, &visit, &cheap);
	visit.hints.trust = 0;
	prn_bounds_decide_curve(&bounds, &line, 1, &visit, &priced);
	period = priced.period;
	price = prn_look_price(&visit.look, period);
	visit.hints.trust = 0.5;
	visit.look.cost = 0;
	visit.threshold *= price;
	prn_bounds_decide_curve(&bounds, &line, 1, &visit, &priced);
	near(cheap.period / priced.period, 1, 1e-3, "with hints a look has the price of the period without them");
}

static void test_none(void)
{
	struct prn_curve churn = prn_curve_churn(1, 1);
	struct prn_visit visit = { .weight = 1, .threshold = 3, .look = { 0.05, 0.5 } };
	struct prn_decision decision;

	prn_bounds_decide_curve(&bounds, &churn, 1, &visit, &decision);
	ok(isinf(decision.period) || decision.period > 0, "a page that is hardly worth a look has a period or none");
	visit.look.cost = 0.05;
	prn_bounds_decide_curve(NULL, &churn, 1, &visit, &decision);
	ok(isinf(decision.period), "what a look costs is not heeded unless that is asked for");
	visit.look.cost = 0.9;
	prn_bounds_decide_curve(&bounds, &churn, 1, &visit, &decision);
	ok(isinf(decision.period) && decision.reason == PRN_REASON_NEVER, "what is worth no fetch and hardly less a look is never visited");
}

int main(void)
{
	test_best();
	test_price();
	test_hints();
	test_none();
	return done();
}
