/*
 * Simulated policies against the closed forms of freshness and age, written out again here (Cho table 5.2; OP §3.3), and
 * against a second simulation that goes by small steps.
 */
#include "base/random.h"
#include "perennial/simulation.h"
#include "tap.h"

#include <stdlib.h>

struct setup {
	struct prn_simulation simulation;
	struct prn_simulated_rule rule;
	struct prn_policy *policy;
};

static struct setup set_up(const char *process, double rate, const char *policy, double dial)
{
	struct setup setup = { .simulation = { .rate = rate, .pages = 400, .seed = 5, .threads = 2 },
		               .rule = { .dial = dial, .from = 100, .until = 1100, .very_stale = 1 } };

	if (prn_process_init(&setup.simulation.process, process, NULL) ||
	    (policy && prn_policy_open(&setup.policy, policy, NULL, NULL)))
		abort();
	setup.rule.policy = setup.policy;
	return setup;
}

static struct prn_simulated_policy run(const struct setup *setup)
{
	struct prn_simulated_policy simulated;

	if (prn_simulate_policy(&setup->simulation, &setup->rule, &simulated, NULL))
		abort();
	return simulated;
}

/* Every page at one interval I: with r = λI, the share of time and the mean age of fixed order. */
static void uniform(double rate, double interval)
{
	struct setup setup = set_up("poisson", rate, "uniform", interval);
	struct prn_simulated_policy got = run(&setup);
	double r = rate * interval, fresh = (1 - exp(-r)) / r, s = setup.rule.very_stale / interval;

	near(got.cost, 1 / interval, 1e-3, "uniform, r = %g: there is a visit each interval", r);
	near(got.holistic, 1 - fresh, 4 * got.holistic_error,
	     "uniform, r = %g: a copy is out of date for %.4f of the time (Cho table 5.2)", r, 1 - fresh);
	near(got.staleness, got.holistic, 1e-12, "a page of one region is as stale as it is out of date");
	/* The age's spread over pages is about that of the share of time, times the interval. */
	near(got.age, interval * (0.5 - 1 / r + (1 - exp(-r)) / (r * r)), 4 * got.holistic_error * interval,
	     "the mean age of a copy at uniform visits is that of Cho table 5.2");
	near(got.very_stale, s < 1 ? 1 - s - (1 - exp(-r * (1 - s))) / r : 0, 4 * got.holistic_error,
	     "a copy is stale for longer than s where the page changed s before");
	near(got.found, (1 - exp(-r)) / r, 4 * got.holistic_error,
	     "uniform visits find changes, one a visit at most");
	prn_policy_free(setup.policy);
}

/* Who knows the rates divides 1 visit a page as Cho table 5.5 does: of five rates the fastest gets nothing. */
static void known(void)
{
	static const double want[] = { 1.1499, 1.3584, 1.3538, 1.1379, 0 };
	struct setup setup = set_up("mixture:factors=1/2/3/4/5:shares=1/1/1/1/1", 1, NULL, 0.1);
	struct prn_simulated_policy at, one;
	double dial, freshness = 0;

	setup.simulation.pages = 1000;
	setup.rule.until = 150;
	ok(!prn_simulate_policy_at(&setup.simulation, &setup.rule, 1, &dial, &at, NULL), "a cost is found");
	near(at.cost, 1, 2e-3, "a cost is found to two thousandths");
	/* 1000 pages are not 200 of each rate: the multiplier moves by a few thousandths. */
	near(dial, 0.2164, 0.015, "the multiplier is that of prn_allocate for rates 1 to 5");
	for (int i = 0; i < 5; i++)
		freshness += want[i] > 0 ? want[i] / (i + 1) * (1 - exp(-(i + 1) / want[i])) / 5 : 0;
	near(at.holistic, 1 - freshness, 4 * at.holistic_error, "freshness is that of Cho table 5.5");

	/* Poisson visits of frequency f: 1/(1 + r). */
	setup = set_up("poisson", 1, NULL, 1 / 4.0);
	setup.rule.objective = PRN_OBJECTIVE_BINARY;
	one = run(&setup);
	near(one.cost, sqrt(1 / 0.25) - 1, 0.01,
	     "for binary freshness pages are visited at random times with f = √(λ/η) - λ (AZ)");
	near(one.holistic, 0.5, 4 * one.holistic_error, "at random times with frequency f freshness is f/(f + λ)");
	setup.rule.objective = PRN_OBJECTIVE_AGE;
	setup.rule.dial = 2 * 2 / 2.0 - (1 - exp(-2) * 3);
	one = run(&setup);
	near(one.cost, 0.5, 2e-3, "for age a page of rate 1 is visited at t = 2 where the multiplier is t²/2 - (1 - e^-t (1 + t))");
	setup.rule.objective = PRN_OBJECTIVE_FRESHNESS;
	setup.rule.dial = 1.0001;
	one = run(&setup);
	near(one.cost, 0, 0, "for freshness a page is never visited where w/λ is below the multiplier");
	ok(one.holistic > 0.99 && one.age > 400, "the copy of a page that is never visited is as old as it gets");
}

/* Content in two regions: x of it has changed, D = 2x/(1+x). */
static void regions(void)
{
	struct setup setup = set_up("two-speed:share=0.2:fast=30", 0.1, "uniform", 2);
	struct prn_simulated_policy got = run(&setup);
	double both = 0, d[4] = { 0, 2 * 0.2 / 1.2, 2 * 0.8 / 1.8, 1 };
	const int steps = 10000;

	/* The mean over the interval of D by which of the regions changed. */
	for (int i = 0; i < steps; i++) {
		double t = 2 * (i + 0.5) / steps, fast = 1 - exp(-3 * t), slow = 1 - exp(-0.1 * t);

		both += (fast * (1 - slow) * d[1] + (1 - fast) * slow * d[2] + fast * slow * d[3]) / steps;
	}
	near(got.staleness, both, 4 * got.staleness_error, "what is stale of two regions is 2x/(1+x) of what changed: %.4f", both);
	near(got.holistic, 1 - (1 - exp(-6.2)) / 6.2, 4 * got.holistic_error,
	     "a page of two regions is out of date where either changed");
	prn_policy_free(setup.policy);
}

/* At one cost, on pages of three rates: who knows the rates, who learns them, and who does not care. */
static void learners(void)
{
	static const char *const names[] = { NULL, "cgm", "uniform", NULL, "age" };
	static const char *const beside[] = { "who knows the rates and minds freshness", "who learns them and minds freshness", "uniform visits" };
	double holistic[5], age[5], dial;

	for (int i = 0; i < 5; i++) {
		struct setup setup = set_up("mixture:factors=0.1/1/10:shares=1/1/1", 0.1, names[i], 1);
		struct prn_simulated_policy at;

		setup.rule.objective = i < 3 ? PRN_OBJECTIVE_FRESHNESS : PRN_OBJECTIVE_AGE;
		setup.simulation.pages = 150;
		setup.rule.from = 500;
		setup.rule.until = 1500;
		ok(!prn_simulate_policy_at(&setup.simulation, &setup.rule, 0.2, &dial, &at, NULL), "%s is set to a cost",
		   names[i] ? names[i] : "who knows the rates");
		near(at.cost, 0.2, 4e-4,
		     "%s has the cost that it was set to", names[i] ? names[i] : "who knows the rates");
		holistic[i] = at.holistic;
		age[i] = at.age;
		prn_policy_free(setup.policy);
	}
	printf("# out of date at .2 visits: known %.4f cgm %.4f uniform %.4f\n", holistic[0], holistic[1], holistic[2]);
	ok(holistic[0] < holistic[1] && holistic[1] < holistic[2],
	   "copies of who learns the rates are fresher than at uniform visits, and those of who knows them fresher still");
	printf("# age: known for freshness %.3f cgm %.3f uniform %.3f known for age %.3f age %.3f\n", age[0], age[1], age[2], age[3],
	       age[4]);
	ok(age[3] < age[4], "who minds age and knows the rates has less of it than who learns them");
	for (int i = 2; i >= 0; i--)
		ok(age[4] < age[i], "who minds age has less of it than %s (Cho §5.5.4)", beside[i]);
}

/*
 * The whole of it again for one policy, by small steps of time instead of from change to change: a policy that learns, so
 * that what it is told counts.
 */
static void by_steps(void)
{
	const double step = 1e-3, rate = 0.3, dial = 0.5, until = 60;
	struct setup setup = set_up("gamma:shape=2", rate, "cgm:learning=1", dial);
	double visits = 0, stale = 0, age = 0;
	struct prn_simulated_policy got;
	const int pages = 50;

	setup.simulation.pages = (size_t)pages;
	setup.rule.from = 0;
	setup.rule.until = until;
	got = run(&setup);
	for (int number = 0; number < pages; number++) {
		double state[512] = { 0 }, divergence[PRN_POLICY_SLOTS] = { 0 }, next, changed = -1, went = -1;
		struct prn_visit visit = { .weight = 1, .threshold = dial, .divergence = divergence, .page = (uint64_t)number };
		struct prn_decision decision;
		struct prn_process_page page;

		prn_process_begin(&setup.simulation.process, rate, setup.simulation.seed, (uint64_t)number, &page);
		prn_policy_visit(setup.policy, state, &visit, &decision);
		next = decision.period;
		for (double t = step / 2; t < until; t += step) {
			if (next < t) {
				visits++;
				divergence[0] = went >= 0;
				visit.time = next;
				visit.since_modified = changed >= 0 ? next - changed : 0;
				prn_policy_visit(setup.policy, state, &visit, &decision);
				next += decision.period;
				went = -1;
			}
			while (prn_process_next(&page) < t) {
				changed = prn_process_next(&page);
				went = went < 0 ? changed : went;
				prn_process_change(&setup.simulation.process, &page);
			}
			stale += went >= 0 ? step : 0;
			age += went >= 0 ? step * (t - went) : 0;
		}
	}
	/* Visits and changes fall a step away from where they are. */
	near(got.cost, visits / pages / until, 2e-3, "a simulation by small steps has the same visits");
	near(got.staleness, stale / pages / until, 2e-3, "a simulation by small steps has the same staleness");
	near(got.age, age / pages / until, 1e-2, "a simulation by small steps has the same age");
	prn_policy_free(setup.policy);
}

static void threads_and_refusals(void)
{
	struct setup setup = set_up("poisson", 0.5, "drift", 0.3);
	struct prn_simulated_policy one, three;
	struct prn_simulated_rule bad;
	double dial = 7;

	setup.simulation.threads = 1;
	one = run(&setup);
	setup.simulation.threads = 3;
	three = run(&setup);
	ok(!memcmp(&one, &three, sizeof one), "any number of threads gives the same digits");
	bad = setup.rule;
	bad.from = bad.until;
	ok(prn_simulate_policy(&setup.simulation, &bad, &one, NULL) == PRN_E_ARGUMENT, "no time to look at is refused");
	bad = setup.rule;
	bad.dial = 0;
	ok(prn_simulate_policy(&setup.simulation, &bad, &one, NULL) == PRN_E_ARGUMENT, "a dial of 0 is refused");
	bad = setup.rule;
	bad.until = 1e9;
	ok(prn_simulate_policy(&setup.simulation, &bad, &one, NULL) == PRN_E_ARGUMENT, "more changes than can be simulated are refused");
	ok(prn_simulate_policy_at(&setup.simulation, &setup.rule, -1, &dial, &one, NULL) == PRN_E_ARGUMENT && dial == 7,
	   "a cost below 0 is refused, and writes nothing");
	prn_policy_free(setup.policy);
	setup = set_up("poisson", 1, NULL, 1);
	ok(prn_simulate_policy_at(&setup.simulation, &setup.rule, 1e9, &dial, &one, NULL) == PRN_E_NOT_FOUND,
	   "a cost that no setting has is not found");
}

int main(void)
{
	uniform(1, 1);
	uniform(0.3, 4);
	uniform(2, 0.5);
	known();
	regions();
	learners();
	by_steps();
	threads_and_refusals();
	return done();
}
