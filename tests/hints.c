/* Hints: the closed forms against a simulation of the process that they describe, and against doc/theory.md §15. */
#include "perennial/hints.h"

#include "base/random.h"
#include "perennial/policy_kind.h"
#include "tap.h"

#include <stdlib.h>

#define RUNS 40000

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct prn_hints cases[] = {
	{ .trust = 0.3, .rate = 0.2 }, { .trust = 0.8, .rate = 1 }, { .trust = 0.98, .rate = 0.5 },
	{ .trust = 1, .rate = 0.7 },   { .trust = 0.6, .rate = 5 },
};

/* From a visit on until x passes level: the time it took, and E∫(D*(level) - D*(x(t)))⁺ dt in the mean over runs. */
static void simulate(const struct prn_curve *curve, const struct prn_hints *hints, double level, double *time, double *area)
{
	double v = hints->trust / hints->rate, a = 1 - hints->trust, at_level = prn_curve_divergence(curve, level);
	struct prn_random random;

	*time = *area = 0;
	prn_random_seed(&random, 7, 1);
	for (int run = 0; run < RUNS; run++)
		for (double x = 0; x <= level; x += v) {
			double gap = prn_random_exponential(&random, 1 / hints->rate);
			double stay = a > 0 ? fmin(gap, (level - x) / a) : gap;

			*time += stay / RUNS;
			*area += (at_level * stay - (a > 0 ? (prn_curve_integral(curve, x + a * stay) -
			                                      prn_curve_integral(curve, x)) / a
			                                   : prn_curve_divergence(curve, x) * stay)) / RUNS;
			x += a * stay;
			if (stay < gap)
				break;
		}
}

/* 40 000 runs scatter by 0.5 % at most; the header says 0.5 % and 1 %. */
static void test_process(void)
{
	const struct prn_curve curves[] = { prn_curve_line(0.02), prn_curve_churn(1, 0.3), prn_curve_scroll(0.4, 0.5, 16) };

	for (size_t i = 0; i < COUNT(cases); i++)
		for (size_t j = 0; j < COUNT(curves); j++)
			for (double wanted = 0.02; wanted < 2; wanted *= 10) {
				double level = prn_hints_level(&curves[j], &cases[i], wanted), time, area;

				if (isinf(level))
					continue;
				simulate(&curves[j], &cases[i], level, &time, &area);
				near(area / wanted, 1, 0.013, "hints %zu, curve %zu: at the level for T/W = %g what is lost by going on is T/W",
				     i, j, wanted);
				near(prn_hints_utility(&curves[j], &cases[i], level) / wanted, 1, 0.01,
				     "hints %zu, curve %zu: the utility at the level for T/W = %g is T/W", i, j, wanted);
				near(prn_hints_mean_time(&cases[i], level) / time, 1, 0.01,
				     "hints %zu, curve %zu: M at the level for T/W = %g is the mean time to it", i, j, wanted);
			}
}

static void test_line(void)
{
	for (size_t i = 0; i < COUNT(cases); i++)
		for (double q = 0.01; q < 1e4; q *= 3) {
			double phi = cases[i].trust, eta = cases[i].rate, v = phi / eta, a = 1 - phi, x;
			struct prn_curve line = prn_curve_line(0.25);
			double one = a > 0 ? v / eta - a / (eta * eta) * (1 - exp(-eta * v / a)) : v / eta;

			x = prn_hints_level(&line, &cases[i], 0.25 * q);
			if (q <= one)
				near((a > 0 ? x / eta - a / (eta * eta) * (1 - exp(-eta * x / a)) : x / eta) / q, 1, 1e-9,
				     "hints %zu, a line: the level solves G(x) = %g while one hint suffices", i, q);
			else if (q > 4 * one)
				near(x / ((-phi * v + sqrt(phi * v * phi * v - 4 * (v * v * (phi * phi / 2 - phi / 3) - 2 * q))) / 2),
				     1, 0.03, "hints %zu, a line: the level is near the root of doc/theory.md §15, Q = %g", i, q);
		}
}

static void test_none(void)
{
	const struct prn_curve curves[] = { prn_curve_line(0.02), prn_curve_churn(1, 0.3), prn_curve_scroll(0.4, 0.5, 16) };
	const struct prn_hints none[] = { { .trust = 0 }, { .trust = 0, .rate = 3, .count = 5 }, { .trust = 0.5, .rate = 0 } };
	struct prn_hints faint = { .trust = 1e-7, .rate = 0.1 }, flood = { .trust = 0.9, .rate = 1e7 };

	for (size_t j = 0; j < COUNT(curves); j++) {
		double period;

		prn_curve_period(&curves[j], 2, 0.3, &period);
		for (size_t i = 0; i < COUNT(none); i++)
			ok(!(prn_hints_level(&curves[j], &none[i], 0.15) < period) &&
			   !(prn_hints_level(&curves[j], &none[i], 0.15) > period),
			   "curve %zu: without trust or rate (%zu) the level is the period of U = T/W", j, i);
		for (double x = 0; x < 100; x = 2 * x + 0.1)
			near(prn_hints_utility(&curves[j], &none[0], x) - prn_curve_utility(&curves[j], x), 0, 0,
			     "curve %zu: without hints the utility at %g is that of the curve", j, x);
		near(prn_hints_level(&curves[j], &faint, 0.15) / period, 1, 2e-3,
		     "curve %zu: with next to no trust the level is the period of U = T/W", j);
		near(prn_hints_level(&curves[j], &flood, 0.15) / period, 1, 2e-3,
		     "curve %zu: with hints all the time the level is the period of U = T/W", j);
	}
	for (size_t i = 0; i < COUNT(none); i++)
		ok(!prn_hints_count(&none[i]), "hints without trust or rate (%zu) do not count", i);
	ok(prn_hints_count(&faint), "hints count where there are trust and a rate");
}

static void test_monotone(void)
{
	struct prn_curve line = prn_curve_line(0.1), churn = prn_curve_churn(0.5, 2);
	bool grows = true, below = true, beyond = true;

	for (size_t i = 0; i < COUNT(cases); i++) {
		double last[2] = { 0, 0 };

		for (double wanted = 1e-4; wanted < 100; wanted *= 1.3) {
			double level[2] = { prn_hints_level(&line, &cases[i], wanted), prn_hints_level(&churn, &cases[i], wanted) };
			double period;

			for (int j = 0; j < 2; j++) {
				prn_curve_period(j ? &churn : &line, 1, wanted, &period);
				grows &= level[j] >= last[j] && level[j] > 0;
				below &= level[j] <= period;
				last[j] = level[j];
			}
		}
		for (double x = 0.01; x < 1000; x *= 1.1)
			beyond &= prn_hints_mean_time(&cases[i], x) >= x &&
			          prn_hints_mean_area(&cases[i], x) >= x * x / 2 * (1 - 1e-9);
	}
	ok(grows, "the level grows with T/W");
	ok(below, "the level is at most the period without hints");
	ok(beyond, "the mean time to an effective time is at least that time, and its area at least x²/2");
	ok(isinf(prn_hints_level(&churn, &cases[1], 10)), "where nothing that hints could save is worth a visit the level is never");
}

static void test_timer(void)
{
	const struct prn_curve scroll = prn_curve_scroll(0.4, 0.5, 16);
	struct prn_hints hints = { .trust = 0.8, .rate = 0.4, .count = 3 }, whole = { .trust = 1, .rate = 2, .count = 1 };

	near(prn_hints_mean_time(&hints, 16.01 * 2) / prn_hints_mean_time(&hints, 15.99 * 2), 1, 0.004,
	     "the mean time goes on where its asymptote takes over");
	near(prn_hints_mean_area(&hints, 16.01 * 2) / prn_hints_mean_area(&hints, 15.99 * 2), 1, 0.004,
	     "the mean area goes on where its asymptote takes over");
	near(prn_hints_elapsed(&hints, 10), 0.2 * 10 + 2 * 3, 1e-12, "x is (1 - φ) t + (φ/η) n");
	near(prn_hints_elapsed(&hints, prn_hints_timer(&hints, 9)), 9, 1e-12, "at the timer's end x is at its level");
	ok(prn_hints_timer(&hints, 5.9) <= 0, "where hints have passed the level the timer is at its end");
	ok(isinf(prn_hints_timer(&whole, 0.6)), "what only hints can bring has no timer");
	ok(prn_hints_timer(&whole, 0.4) <= 0, "what only hints can bring is there when they are");
	near(prn_hints_utility(&scroll, &hints, 1e9) / prn_hints_utility(&scroll, &hints, 1e6), 1, 1e-9, "what hints can save on a scroll curve has an end");
	near(prn_hints_utility(&scroll, &hints, 0), 0, 0, "nothing is worth a visit before any time has passed");
	ok(isinf(prn_hints_timer(&hints, INFINITY)), "a level that is never reached has no timer");
}

static void test_bounds(void)
{
	struct prn_curve line = prn_curve_line(0.02);
	struct prn_bounds bounds = { .risk = 1.5 };
	struct prn_visit visit = { .weight = 2, .threshold = 4, .hints = { .trust = 0.8, .rate = 0.25, .count = 0 } };
	double level = prn_hints_level(&line, &visit.hints, 2);
	struct prn_decision decision;

	prn_bounds_decide_curve(NULL, &line, 1, &visit, &decision);
	near(decision.period, fmin(level / 0.2, 4 * sqrt(200)), 1e-9,
	     "without a hint so far the period is the timer's, and at most four times that without hints");
	near(decision.expected, prn_hints_mean_time(&visit.hints, level), 1e-9, "what a visit costs is told by the mean time to it, hints to come included");
	visit.hints.count = 2;
	prn_bounds_decide_curve(NULL, &line, 1, &visit, &decision);
	near(decision.period, (level - 2 * 0.8 / 0.25) / 0.2, 1e-9, "each hint takes its worth off the period");
	near(decision.expected, prn_hints_mean_time(&visit.hints, level), 1e-9, "hints that have come leave what visits of the page cost");
	visit.hints.count = 0;
	prn_bounds_decide_curve(&bounds, &line, 1, &visit, &decision);
	ok(decision.reason == PRN_REASON_RISK, "the bound of risk stands above hints");
	near(decision.period, 3, 1e-9, "the bound of risk is the period where it is shorter than the timer");
	near(decision.expected, 3, 1e-9, "the bound of risk bounds what is expected");
}

/* Ten visits of a page that moves on, then a decision with and without hints. */
static void hear(const char *name)
{
	union { double align; char bytes[8192]; } state = { 0 };
	struct prn_policy *policy;
	struct prn_decision plain, quiet, told;
	double divergence[PRN_POLICY_SLOTS];
	struct prn_visit visit = { .weight = 1, .threshold = 0.06, .divergence = divergence };

	if (prn_policy_open(&policy, name, NULL, NULL) || prn_policy_state_size(policy) > sizeof state)
		abort();
	for (int i = 0; i < 10; i++) {
		for (int j = 0; j < PRN_POLICY_SLOTS; j++)
			divergence[j] = i % 4 ? 0.04 * i : 0;
		visit.time = 2 * i;
		prn_policy_visit(policy, &state, &visit, &plain);
	}
	visit.hints = (struct prn_hints){ .trust = 0.9, .rate = 0.12 };
	prn_policy_decide(policy, &state, &visit, &quiet);
	visit.hints.count = 1;
	prn_policy_decide(policy, &state, &visit, &told);
	ok(quiet.period > plain.period, "%s: a page of which a trusted source says nothing is visited later", name);
	ok(told.period < plain.period, "%s: a page of which a trusted source has spoken is visited earlier", name);
	prn_policy_free(policy);
}

/* Visits that hints brought before their time, against the sum that they are. */
static void test_ahead(void)
{
	struct prn_hints hints = { .trust = 0.9, .rate = 1 };
	struct prn_random random;
	double most = 0, earned = 0, over = 0;

	near(prn_hints_ahead(0, true, 0, 2), 1, 0, "a visit that earned nothing is one ahead");
	near(prn_hints_ahead(1.5, true, 1, 2), 2, 1e-12, "half of what earns a visit takes back half of one");
	near(prn_hints_ahead(1.5, false, 1, 2), 1, 1e-12, "a visit that nobody asked for is not held against the page");
	near(prn_hints_ahead(0.5, true, 9, 2), 0, 0, "who comes late has no visits to spare for it");
	near(prn_hints_ahead(2.75, true, 0, INFINITY), PRN_HINTS_AHEAD_MOST, 0, "no page is ahead by more than the most");
	near(prn_hints_ahead(2, true, 1, 0), 0, 0, "where nothing is counted no page is ahead");
	near(prn_hints_earliest(&hints, 2), 0, 0, "a page that is not ahead may be visited at once");
	hints.ahead = 2;
	near(prn_hints_earliest(&hints, INFINITY), 0, 0, "a page that is ahead by less than the most may be visited at once, even if nothing earns it a visit");
	hints.ahead = 2.5;
	near(prn_hints_earliest(&hints, 2), 1, 1e-12, "a page that is ahead waits for what its next visit lacks");
	hints.ahead = PRN_HINTS_AHEAD_MOST;
	near(prn_hints_earliest(&hints, 2), 2, 1e-12, "a page that is ahead by the most waits for a whole visit");
	hints.ahead = 0;
	prn_random_seed(&random, 5, 1);
	for (int i = 0; i < 10000; i++) {
		double earning = 0.1 + prn_random_unit(&random), interval = prn_hints_earliest(&hints, earning);

		interval += i % 500 < 400 ? 0 : 2 * prn_random_unit(&random);
		hints.ahead = prn_hints_ahead(hints.ahead, true, interval, earning);
		earned = fmin(earned + interval / earning - 1, 0);
		most = fmax(most, -earned);
		over = fmax(over, hints.ahead);
	}
	near(most, PRN_HINTS_AHEAD_MOST, 1e-9,
	     "who is visited as soon as may be has had as many visits as it earned, and the most that it may be ahead");
	ok(over <= PRN_HINTS_AHEAD_MOST, "who is visited as soon as may be is never ahead by more than the most: %g", over);
}

int main(void)
{
	test_bounds();
	hear("drift");
	hear("cgm");
	hear("curve-fitting:learning=none");
	test_process();
	test_line();
	test_none();
	test_monotone();
	test_timer();
	test_ahead();
	return done();
}
