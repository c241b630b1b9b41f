/* Freshness, age and allocation: Cho's tables, simulation, and the optimality conditions by finite differences. */
#include "base/random.h"
#include "perennial/allocate.h"
#include "perennial/error.h"
#include "tap.h"

#include <stdlib.h>

/* doc/theory.md §11 (Cho table 5.2): F and A at r = 1, f = 1. */
static void published(void)
{
	static const double want[][2] = { { 0.6321, 0.1321 }, { 0.6004, 0.1838 }, { 0.5, 0.5 } };
	static const char *const names[] = { "fixed", "random", "purely random" };

	for (int order = 0; order < 3; order++) {
		near(prn_freshness((enum prn_order)order, 1, 1), want[order][0], 5e-5,
		     "%s order has the freshness of doc/theory.md §11 at r = 1", names[order]);
		near(prn_age((enum prn_order)order, 1, 1), want[order][1], 5e-5,
		     "%s order has the age of doc/theory.md §11 at r = 1", names[order]);
	}
}

/* The next refresh after interval number i began, by order. */
static double refresh_after(struct prn_random *random, enum prn_order order, double now, long i, double frequency)
{
	if (order == PRN_ORDER_FIXED)
		return (double)(i + 1) / frequency;
	if (order == PRN_ORDER_RANDOM)
		return ((double)(i + 1) + prn_random_unit(random)) / frequency;
	return now + prn_random_exponential(random, 1 / frequency);
}

/* One page: between two refreshes it goes out of date at the first change, which is exponential. */
static void simulate(enum prn_order order, double rate, double frequency, uint64_t seed)
{
	const long refreshes = 200000;
	double now = 0, fresh = 0, age = 0;
	struct prn_random random;

	prn_random_seed(&random, seed, 0);
	for (long i = 0; i < refreshes; i++) {
		double next = refresh_after(&random, order, now, i, frequency), gap = next - now;
		double change = prn_random_exponential(&random, 1 / rate), stale = gap > change ? gap - change : 0;

		fresh += gap - stale;
		age += stale * stale / 2;
		now = next;
	}
	/* Four standard errors: gaps and their squares have a coefficient of variation of at most about 5. */
	near(fresh / now, prn_freshness(order, rate, frequency), 4 * 1.5 / sqrt((double)refreshes),
	     "order %d, rate %g, frequency %g: the freshness is as simulated", order, rate, frequency);
	near(age / now * frequency, prn_age(order, rate, frequency) * frequency, 4 * 5 / sqrt((double)refreshes),
	     "order %d, rate %g, frequency %g: the age is as simulated", order, rate, frequency);
}

/* Where a closed form hands over to its series both must agree, and nothing may jump. */
static void continuous(void)
{
	bool smooth = true, ordered = true;

	for (int order = 0; order < 3; order++)
		for (double r = 1e-6; r < 1e4; r *= 1.001) {
			enum prn_order o = (enum prn_order)order;
			double here = prn_age(o, r, 1), next = prn_age(o, r * 1.001, 1);

			smooth &= next >= here && next <= here * 1.0011;
			smooth &= prn_freshness(o, r * 1.001, 1) <= prn_freshness(o, r, 1);
			ordered &= prn_freshness(PRN_ORDER_FIXED, r, 1) >= prn_freshness(o, r, 1) - 1e-12 &&
			           prn_age(PRN_ORDER_FIXED, r, 1) <= prn_age(o, r, 1) * (1 + 1e-12);
		}
	ok(smooth, "age rises and freshness falls with the rate, without jumps, from 1e-6 to 1e4");
	ok(ordered, "fixed order is never worse than the two random ones (Cho §5.3)");
	ok(prn_freshness(PRN_ORDER_RANDOM, 0, 0) == 1 && prn_age(PRN_ORDER_RANDOM, 0, 0) == 0, "a page that never changes is fresh");
	ok(prn_freshness(PRN_ORDER_FIXED, 1, 0) == 0 && isinf(prn_age(PRN_ORDER_FIXED, 1, 0)),
	   "a page that changes and is never refreshed is not fresh");
}

/* doc/theory.md §11 (Cho table 5.5): rates 1 … 5 a day, five refreshes a day. */
static void table_5_5(void)
{
	static const double rates[] = { 1, 2, 3, 4, 5 };
	static const double freshness[] = { 1.1499, 1.3584, 1.3538, 1.1379, 0 };
	static const double age[] = { .8349, .9679, 1.0335, 1.0706, 1.0931 };
	double got[5], multiplier;

	ok(!prn_allocate(PRN_OBJECTIVE_FRESHNESS, rates, NULL, 5, 5, got, &multiplier),
	   "five pages are allocated refreshes for freshness");
	for (int i = 0; i < 5; i++)
		near(got[i], freshness[i], 5e-5, "for freshness a rate of %g gets %.4f", rates[i], freshness[i]);
	ok(!prn_allocate(PRN_OBJECTIVE_AGE, rates, NULL, 5, 5, got, &multiplier),
	   "five pages are allocated refreshes for age");
	for (int i = 0; i < 5; i++)
		near(got[i], age[i], 5e-5, "for age a rate of %g gets %.4f", rates[i], age[i]);
}

/* What each objective sums for one page; to be made small. */
static double loss(enum prn_objective objective, double rate, double weight, double f)
{
	switch (objective) {
	case PRN_OBJECTIVE_FRESHNESS:
		return -weight * prn_freshness(PRN_ORDER_FIXED, rate, f);
	case PRN_OBJECTIVE_AGE:
		return weight * prn_age(PRN_ORDER_FIXED, rate, f);
	case PRN_OBJECTIVE_BINARY:
		return -weight * prn_freshness(PRN_ORDER_PURELY_RANDOM, rate, f);
	case PRN_OBJECTIVE_HARMONIC:
		break;
	}
	/* KO: Σ over missed changes 1/1 + 1/2 + …, at visits of a Poisson process: w log((λ + f)/f). */
	return weight * log1p(rate / f);
}

/* Random populations: the budget is spent, and no page would use a little of it better than another. */
static void optimal(enum prn_objective objective, const char *name)
{
	enum { N = 200 };
	double rates[N], weights[N], got[N], multiplier = 0, sum = 0, worst = 0, most = 0, single = 0;
	struct prn_random random;

	prn_random_seed(&random, 7, (uint64_t)objective);
	for (int i = 0; i < N; i++) {
		rates[i] = pow(10, 6 * prn_random_unit(&random) - 4);
		weights[i] = pow(10, 2 * prn_random_unit(&random) - 1);
	}
	ok(!prn_allocate(objective, rates, weights, N, 40, got, &multiplier),
	   "%s: 200 pages over six decades of rate are allocated refreshes", name);
	for (int i = 0; i < N; i++) {
		double h = 1e-4 * got[i], marginal;

		sum += got[i];
		if (got[i] <= 0) {
			most = fmax(most, weights[i] / rates[i]);
			continue;
		}
		marginal = (loss(objective, rates[i], weights[i], got[i] - h) -
		            loss(objective, rates[i], weights[i], got[i] + h)) / (2 * h);
		worst = fmax(worst, fabs(marginal / multiplier - 1));
	}
	near(sum, 40, 40e-9, "%s: the budget is spent", name);
	for (int i = 0; i < N; i++)
		single = fmax(single, fabs(prn_allocate_one(objective, rates[i], weights[i], multiplier) - got[i]));
	/* The multiplier is solved to 1e-10 of the budget. */
	near(single, 0, 40e-9, "%s: a page that is told μ finds its own frequency", name);
	/* Central differences of step 1e-4: relative error 1e-8 of truncation, 1e-12/1e-4 of rounding in the loss. */
	ok(worst < 1e-5, "%s: marginal values are equal (worst relative difference %.2g)", name, worst);
	ok(most <= multiplier, "%s: pages left out would bring less than μ", name);
}

static void edges(void)
{
	static const double none[] = { 0, 0 }, one[] = { 3 }, mixed[] = { 0, 1e-60, 1e60, 2 }, bad[] = { 1, NAN };
	double got[4] = { 9, 9, 9, 9 }, multiplier = 9;
	bool finite = true;

	ok(prn_allocate(PRN_OBJECTIVE_FRESHNESS, one, NULL, 0, 1, got, &multiplier) == PRN_E_ARGUMENT,
	   "an allocation to no pages is refused");
	ok(prn_allocate(PRN_OBJECTIVE_FRESHNESS, one, NULL, 1, 0, got, &multiplier) == PRN_E_ARGUMENT,
	   "an allocation of no budget is refused");
	ok(prn_allocate(PRN_OBJECTIVE_AGE, bad, NULL, 2, 1, got, &multiplier) == PRN_E_ARGUMENT, "a rate that is not a number is refused");
	ok(prn_allocate(PRN_OBJECTIVE_BINARY, one, none, 1, 1, got, &multiplier) == PRN_E_ARGUMENT, "a weight of 0 is refused");
	ok(prn_allocate(PRN_OBJECTIVE_AGE, one, bad + 1, 1, 1, got, &multiplier) == PRN_E_ARGUMENT,
	   "a weight that is not a number is refused");
	ok(got[0] == 9 && multiplier == 9, "an allocation that is refused writes nothing");
	ok(!prn_allocate(PRN_OBJECTIVE_AGE, none, NULL, 2, 1, got, &multiplier), "a budget is allocated to pages that never change");
	ok(got[0] == 0 && got[1] == 0, "pages that never change get nothing");
	ok(multiplier == 0, "a budget for pages that never change would bring nothing more");
	for (int objective = 0; objective < 4; objective++) {
		finite &= !prn_allocate((enum prn_objective)objective, one, NULL, 1, 7, got, &multiplier) && fabs(got[0] - 7) < 1e-8;
		finite &= !prn_allocate((enum prn_objective)objective, mixed, NULL, 4, 1, got, &multiplier);
		for (int i = 0; i < 4; i++)
			finite &= isfinite(got[i]) && got[i] >= 0 && got[i] < 1 + 1e-8;
	}
	ok(finite, "one page gets all the budget, and refreshes of rates 120 decades apart are finite");
}

/* A budget that is small beside every rate: all of it goes where a visit is worth most, which is where changes are fewest. */
static void small_budgets(void)
{
	static const double rates[] = { 100, 200, 300 }, equal[] = { 50, 50, 900 }, tiny[] = { 1e-300, 1 };
	double got[3], multiplier;
	bool spent = true;

	for (double budget = 0.1; budget < 6; budget += 0.1) {
		spent &= !prn_allocate(PRN_OBJECTIVE_FRESHNESS, rates, NULL, 3, budget, got, &multiplier);
		spent &= fabs(got[0] + got[1] + got[2] - budget) < 1e-8 && got[0] > 0.999 * budget;
	}
	ok(spent, "a budget that is small beside every rate is spent, on the page that changes least");
	ok(!prn_allocate(PRN_OBJECTIVE_FRESHNESS, equal, NULL, 3, 1, got, &multiplier), "a small budget is allocated");
	near(got[0], 0.5, 1e-9, "the first of two pages alike has half of a small budget");
	near(got[1], 0.5, 1e-9, "the second of two pages alike has half of a small budget");
	ok(got[2] == 0, "a page that changes far more often has none of a small budget");
	ok(!prn_allocate(PRN_OBJECTIVE_BINARY, equal, NULL, 3, 1e-12, got, &multiplier),
	   "a tiny budget of visits at random times is allocated");
	near(got[0], 0.5e-12, 1e-21, "the first of two pages alike has half of a tiny budget of visits at random times");
	near(got[1], 0.5e-12, 1e-21, "the second of two pages alike has half of a tiny budget of visits at random times");
	ok(got[2] == 0, "a page that changes far more often has none of a tiny budget of visits at random times");
	ok(prn_allocate(PRN_OBJECTIVE_FRESHNESS, tiny, NULL, 2, 1, got, &multiplier) == PRN_E_ARGUMENT,
	   "a rate whose square is no number is refused");
}

/* A page in a shadowed collection: fetched at any moment of a crawl, shown from its end until the next one ends. */
/* Numbers from all of what the header takes. */
static double wide(struct prn_random *random)
{
	return pow(10, 200 * prn_random_unit(random) - 100);
}

static void wide_ranges(void)
{
	static const char *const names[] = { "freshness", "age", "binary", "harmonic" };

	for (int objective = 0; objective < 4; objective++) {
		struct prn_random random;
		bool numbers = true, spent = true;

		prn_random_seed(&random, 8, (uint64_t)objective);
		for (int round = 0; round < 3000; round++) {
			size_t n = 1 + prn_random_below(&random, 4);
			double rates[4], weights[4], frequencies[4], multiplier, budget = wide(&random), sum = 0;

			for (size_t i = 0; i < n; i++) {
				rates[i] = wide(&random);
				weights[i] = round % 2 ? wide(&random) : 1;
			}
			if (prn_allocate((enum prn_objective)objective, rates, weights, n, budget, frequencies, &multiplier))
				abort();
			for (size_t i = 0; i < n; i++) {
				numbers &= isfinite(frequencies[i]) && frequencies[i] >= 0;
				sum += frequencies[i];
			}
			spent &= fabs(sum / budget - 1) <= 1e-9;
		}
		ok(numbers, "frequencies for %s are numbers, whatever the rates, the weights and the budget", names[objective]);
		ok(spent, "the whole budget is spent for %s, whatever the rates, the weights and the budget", names[objective]);
	}
}

/* What the marginal values are like far from 1 change between two visits: w λ/2f², w λ/3f³, w/2f². */
static void far_ends(void)
{
	static const struct {
		enum prn_objective objective;
		double scale, power, of_rate;
		const char *claim;
	} ends[] = {
		{ PRN_OBJECTIVE_FRESHNESS, 1e-90, 0.5, 1, "for freshness, pages that hardly change are visited as the roots of w λ" },
		{ PRN_OBJECTIVE_AGE, 1e-90, 1.0 / 3, 1, "for age, pages that hardly change are visited as the cube roots of w λ" },
		{ PRN_OBJECTIVE_AGE, 1e60, 0.5, 0, "for age, pages that always change are visited as the roots of w" },
	};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const double rates[] = { ends[i].scale, 30 * ends[i].scale }, weights[] = { 7, 1 };
		double frequencies[2], multiplier;

		if (prn_allocate(ends[i].objective, rates, weights, 2, 1, frequencies, &multiplier))
			abort();
		near(frequencies[1] / frequencies[0], pow(pow(30, ends[i].of_rate) / 7, ends[i].power), 1e-9, "%s", ends[i].claim);
	}
}

static void shadow_simulated(double rate, double frequency, double share, uint64_t seed)
{
	const long crawls = 200000;
	double fresh = 0, age = 0, gap = 1 / frequency;
	struct prn_random random;

	prn_random_seed(&random, seed, 7);
	for (long i = 0; i < crawls; i++) {
		double wait = share * gap * prn_random_unit(&random), change = prn_random_exponential(&random, 1 / rate);
		double stale_from = fmax(change, wait), stale = fmax(wait + gap - stale_from, 0);

		fresh += gap - stale;
		/* From when it is shown, or went out of date if that is later, to its end: how long ago it changed. */
		age += stale * ((stale_from + wait + gap) / 2 - change);
	}
	near(fresh / (double)crawls / gap, prn_shadow_freshness(rate, frequency, share), 4 * 0.5 / sqrt((double)crawls),
	     "shadow, rate %g, frequency %g, share %g: the freshness is as simulated", rate, frequency, share);
	near(age / (double)crawls / gap, prn_shadow_age(rate, frequency, share), 4 * 1.5 * gap / sqrt((double)crawls),
	     "shadow, rate %g, frequency %g, share %g: the age is as simulated", rate, frequency, share);
}

/* Cho table 7.1: pages that change every four months, crawled once a month, in batches of a week. */
static void collections(void)
{
	near(prn_freshness(PRN_ORDER_FIXED, 0.25, 1), 0.88, 5e-3, "in place .88 of copies are up to date (Cho table 7.1)");
	near(prn_shadow_freshness(0.25, 1, 0.25), 0.86, 5e-3, "shadowed, in batches, .86 (Cho table 7.1)");
	/* The table has .77; its formula gives .783. */
	near(prn_shadow_freshness(0.25, 1, 1), pow((1 - exp(-0.25)) / 0.25, 2), 1e-12, "shadowed and steady, F²: .783");
	shadow_simulated(0.25, 1, 1, 1);
	shadow_simulated(3, 0.5, 0.25, 2);
	shadow_simulated(0.01, 2, 0.6, 3);
	near(prn_shadow_age(1e-9, 1, 0.5), 1e-9 * (1.0 / 6 + 0.5 * 0.5 / 6 + 0.25 * 0.5), 1e-15,
	     "the age of a page that hardly changes does not cancel: λ E[(a + t)²]/2");
	ok(prn_shadow_freshness(0, 0, 1) == 1, "the copy of a page that never changes is up to date, though it is never crawled");
	ok(prn_shadow_freshness(1, 0, 1) == 0, "the copy of a page that changes and is never crawled is out of date");
	ok(prn_shadow_age(0, 0, 1) == 0, "the copy of a page that never changes has no age");
	ok(isinf(prn_shadow_age(1, 0, 1)), "the copy of a page that changes and is never crawled ages for ever");
}

/* The other two goals lead back to the budget that they take. */
static void goals(void)
{
	static const double rates[] = { 0, 0.1, 0.5, 1, 2, 3, 9 }, weights[] = { 1, 2, 1, 0.5, 3, 1, 1 };
	double target[7], priced[7], given[7], multiplier, budget, again, worst = 0, sum = 0, all = 0, spent = 0;

	for (int objective = 0; objective < 4; objective++) {
		enum prn_order order = objective < 2 ? PRN_ORDER_FIXED : PRN_ORDER_PURELY_RANDOM;

		ok(!prn_allocate_target((enum prn_objective)objective, order, rates, weights, 7, 0.8, target, &multiplier, &budget),
		   "objective %d: a freshness of .8 is aimed at", objective);
		sum = all = worst = spent = 0;
		for (int i = 0; i < 7; i++) {
			sum += weights[i] * prn_freshness(order, rates[i], target[i]);
			all += weights[i];
			spent += target[i];
		}
		near(sum / all, 0.8, 1e-9, "objective %d: the freshness that was aimed at is reached", objective);
		near(spent, budget, 1e-9 * budget, "objective %d: what is spent on a freshness is the budget that is told", objective);
		if (prn_allocate((enum prn_objective)objective, rates, weights, 7, budget, given, &again) ||
		    prn_allocate_price((enum prn_objective)objective, rates, weights, 7, multiplier, priced))
			abort();
		for (int i = 0; i < 7; i++)
			worst = fmax(worst, fmax(fabs(given[i] - target[i]), fabs(priced[i] - target[i])));
		near(worst, 0, 1e-6,
		     "objective %d: the budget that is told, and its multiplier as a price, give the same division", objective);
	}
	/* FGT: Δ = 24 h, a crawl costs an hour of staleness: r = .3208. */
	ok(!prn_allocate_price(PRN_OBJECTIVE_FRESHNESS, (double[]){ 1.0 / 24 }, NULL, 1, 1, priced), "one page is given visits at a price");
	near(1 / priced[0] / 24, 0.3208, 5e-5, "at a price of an hour a page of 24 h is crawled after .3208 of that (FGT)");
	ok(!prn_allocate_target(PRN_OBJECTIVE_FRESHNESS, PRN_ORDER_FIXED, (double[]){ 0, 1 }, NULL, 2, 0.4, target, &multiplier,
	                        &budget), "a freshness that there is already may be aimed at");
	ok(budget <= 0 && multiplier <= 0, "what is as fresh as is aimed at takes nothing");
	ok(prn_allocate_target(PRN_OBJECTIVE_AGE, PRN_ORDER_FIXED, rates, NULL, 7, 1, target, &multiplier, &budget) == PRN_E_ARGUMENT,
	   "a freshness of 1 is refused");
	ok(prn_allocate_price(PRN_OBJECTIVE_AGE, rates, NULL, 7, 0, target) == PRN_E_ARGUMENT, "a price of 0 is refused");
}

/* Goals at which a page begins to be refreshed: between two multipliers, next to each other, there is none that has it. */
static void goals_between(void)
{
	static const struct {
		size_t n;
		double rates[4], weights[4];
	} cases[] = { { 2, { 1, 2 }, { 1, 1 } },
		      { 4, { 1, 2, 3, 0.1 }, { 1, 1, 1000, 0.01 } },
		      { 1, { 3 }, { 1000 } },
		      { 4, { 1e-3, 1, 1e3, 1e6 }, { 1, 1, 1, 1 } } };
	double worst = 0, dearer = 0, target[4], best[4], multiplier, budget, again;

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
		for (int step = 1; step < 400; step++) {
			double freshness = step / 400.0, sum = 0, all = 0, more = 0;

			if (prn_allocate_target(PRN_OBJECTIVE_FRESHNESS, PRN_ORDER_FIXED, cases[c].rates, cases[c].weights, cases[c].n, freshness,
			                        target, &multiplier, &budget))
				abort();
			for (size_t i = 0; i < cases[c].n; i++) {
				sum += cases[c].weights[i] * prn_freshness(PRN_ORDER_FIXED, cases[c].rates[i], target[i]);
				all += cases[c].weights[i];
			}
			worst = fmax(worst, fabs(sum / all - freshness));
			if (prn_allocate(PRN_OBJECTIVE_FRESHNESS, cases[c].rates, cases[c].weights, cases[c].n, budget, best, &again))
				abort();
			for (size_t i = 0; i < cases[c].n; i++)
				more += cases[c].weights[i] * prn_freshness(PRN_ORDER_FIXED, cases[c].rates[i], best[i]);
			dearer = fmax(dearer, more / all - freshness);
		}
	near(worst, 0, 1e-8, "each goal is met, also where a page begins to be refreshed");
	near(dearer, 0, 1e-8, "by a budget of which nothing better can be made");
}

int main(void)
{
	published();
	small_budgets();
	wide_ranges();
	far_ends();
	for (int order = 0; order < 3; order++) {
		simulate((enum prn_order)order, 1, 1, 11);
		simulate((enum prn_order)order, 0.1, 2, 12);
		simulate((enum prn_order)order, 5, 0.5, 13);
	}
	continuous();
	table_5_5();
	optimal(PRN_OBJECTIVE_FRESHNESS, "freshness");
	optimal(PRN_OBJECTIVE_AGE, "age");
	optimal(PRN_OBJECTIVE_BINARY, "binary");
	optimal(PRN_OBJECTIVE_HARMONIC, "harmonic");
	edges();
	collections();
	goals();
	goals_between();
	return done();
}
