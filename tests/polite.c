/*
 * A budget divided where hosts have limits: against the division without, by hand, and by trying whether anything can be moved to
 * make it better.
 */
#include "base/random.h"
#include "perennial/allocate.h"
#include "perennial/error.h"
#include "tap.h"

#include <stdlib.h>

#define MOST 40
#define HOSTS 6

/* What the objective makes of the frequencies; age and harmonic are to be small, so with a minus. */
static double value(enum prn_objective objective, const double *rates, const double *weights, const double *f, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		switch (objective) {
		case PRN_OBJECTIVE_FRESHNESS: sum += weights[i] * prn_freshness(PRN_ORDER_FIXED, rates[i], f[i]); break;
		case PRN_OBJECTIVE_AGE: sum -= weights[i] * prn_age(PRN_ORDER_FIXED, rates[i], f[i]); break;
		case PRN_OBJECTIVE_BINARY: sum += weights[i] * prn_freshness(PRN_ORDER_PURELY_RANDOM, rates[i], f[i]); break;
		/* KO: the expected harmonic number of changes missed. */
		case PRN_OBJECTIVE_HARMONIC: sum -= rates[i] > 0 ? weights[i] * log1p(rates[i] / f[i]) : 0; break;
		}
	return sum;
}

static void by_hand(void)
{
	/* Four pages that are alike: two of a host that may have 1, one of a host without a limit, and one that never changes. */
	const double rates[] = { 1, 1, 1, 0 }, limits[] = { 1, INFINITY };
	const size_t hosts[] = { 0, 0, 1, 1 };
	double f[4] = { 7, 7, 7, 7 }, multiplier = 7, whole[4];

	ok(!prn_allocate_polite(PRN_OBJECTIVE_FRESHNESS, rates, NULL, hosts, 4, limits, 2, 6, f, &multiplier), "a budget is divided");
	near(f[0], 0.5, 1e-9, "a host at its limit divides that among its pages");
	near(f[2], 5, 1e-9, "the rest goes to the others");
	ok(f[3] <= 0 && multiplier > 0, "a page that never changes has nothing");
	prn_allocate_polite(PRN_OBJECTIVE_FRESHNESS, rates, NULL, hosts, 4, limits, 2, 1.2, f, &multiplier);
	prn_allocate(PRN_OBJECTIVE_FRESHNESS, rates, NULL, 4, 1.2, whole, &multiplier);
	ok(fabs(f[0] - whole[0]) < 1e-12 && fabs(f[2] - whole[2]) < 1e-12, "where no limit is reached it is the division without");
	prn_allocate_polite(PRN_OBJECTIVE_FRESHNESS, rates, NULL, hosts, 2, limits, 1, 6, f, &multiplier);
	near(f[0] + f[1], 1, 1e-12, "where all hosts are at their limits the budget is not spent");
	ok(multiplier <= 0, "where all hosts are at their limits more of the budget would be worth nothing");
}

static void refusals(void)
{
	const double rates[] = { 1, 1 }, limits[] = { 1, 0 }, wrong[] = { -1, 1 };
	const size_t hosts[] = { 0, 1 };
	double f[2] = { 7, 7 }, multiplier = 7;

	ok(prn_allocate_polite(PRN_OBJECTIVE_AGE, rates, NULL, hosts, 2, limits, 2, 1, f, &multiplier) == PRN_E_ARGUMENT, "a limit of 0 is refused");
	ok(prn_allocate_polite(PRN_OBJECTIVE_AGE, rates, NULL, hosts, 2, limits, 1, 1, f, &multiplier) == PRN_E_ARGUMENT,
	   "a page of a host that there is not is refused");
	ok(prn_allocate_polite(PRN_OBJECTIVE_AGE, wrong, NULL, hosts, 1, limits, 1, 1, f, &multiplier) == PRN_E_ARGUMENT,
	   "a rate below 0 is refused");
	ok(f[0] >= 7 && multiplier >= 7, "where limits or rates are refused nothing is written");
}

struct drawn {
	size_t n, hosts[MOST];
	double rates[MOST], weights[MOST], limits[HOSTS], budget;
};

static struct drawn draw(struct prn_random *random)
{
	struct drawn drawn = { .n = 1 + prn_random_below(random, MOST) };

	for (size_t h = 0; h < HOSTS; h++)
		drawn.limits[h] = prn_random_below(random, 4) ? exp(6 * prn_random_unit(random) - 3) : INFINITY;
	for (size_t i = 0; i < drawn.n; i++) {
		drawn.hosts[i] = prn_random_below(random, HOSTS);
		drawn.rates[i] = prn_random_below(random, 8) ? exp(6 * prn_random_unit(random) - 3) : 0;
		drawn.weights[i] = exp(4 * prn_random_unit(random) - 2);
	}
	drawn.budget = exp(6 * prn_random_unit(random) - 1);
	return drawn;
}

/*
 * Whether moving a little from a page to another, as far as limits allow, makes it better by more than rounding does.  For freshness
 * that is more: the frequency of a page that is just worth a visit goes to 0 like 1/log, so that doubles have none below a fortieth of
 * its rate, and what it should have the others of its host share (src/model/allocate.c).
 */
static bool can_be_better(enum prn_objective objective, const struct drawn *d, const double *f, const double *loads)
{
	double best = value(objective, d->rates, d->weights, f, d->n), tried[MOST];
	double rounding = (objective == PRN_OBJECTIVE_FRESHNESS ? 3e-5 : 1e-9) * fabs(best);

	for (size_t from = 0; from < d->n; from++)
		for (size_t to = 0; to < d->n; to++) {
			double step = 1e-3 * f[from];
			bool fits = d->hosts[from] == d->hosts[to] || loads[d->hosts[to]] + step <= d->limits[d->hosts[to]];

			if (from == to || !(step > 0) || !fits)
				continue;
			for (size_t i = 0; i < d->n; i++)
				tried[i] = f[i] + (i == to ? step : 0) - (i == from ? step : 0);
			if (value(objective, d->rates, d->weights, tried, d->n) > best + rounding)
				return true;
		}
	return false;
}

static void drawn(enum prn_objective objective, const char *name)
{
	struct prn_random random;
	size_t spent = 0, within = 0, best = 0, limited = 0, times = 300;

	prn_random_seed(&random, 11, (uint64_t)objective);
	for (size_t t = 0; t < times; t++) {
		struct drawn d = draw(&random);
		double f[MOST], loads[HOSTS] = { 0 }, allowed = 0, sum = 0, multiplier;
		bool changes[HOSTS] = { false }, fits = true;

		if (prn_allocate_polite(objective, d.rates, d.weights, d.hosts, d.n, d.limits, HOSTS, d.budget, f, &multiplier))
			abort();
		for (size_t i = 0; i < d.n; i++) {
			loads[d.hosts[i]] += f[i];
			changes[d.hosts[i]] |= d.rates[i] > 0;
			sum += f[i];
		}
		for (size_t h = 0; h < HOSTS; h++) {
			allowed += changes[h] ? d.limits[h] : 0;
			fits &= loads[h] <= d.limits[h] * (1 + 1e-9);
			limited += loads[h] >= d.limits[h] * (1 - 1e-9);
		}
		within += fits;
		spent += fabs(sum - fmin(d.budget, allowed)) <= 1e-9 * d.budget;
		best += !can_be_better(objective, &d, f, loads);
	}
	ok(within == times, "%s: no host has more than its limit", name);
	ok(spent == times, "%s: the budget is spent as far as limits allow (%zu of %zu)", name, spent, times);
	ok(best == times, "%s: nothing can be moved to make it better (%zu of %zu)", name, best, times);
	ok(limited > times, "%s: %zu hosts were at their limits", name, limited);
}

int main(void)
{
	by_hand();
	refusals();
	drawn(PRN_OBJECTIVE_FRESHNESS, "freshness");
	drawn(PRN_OBJECTIVE_AGE, "age");
	drawn(PRN_OBJECTIVE_BINARY, "binary");
	drawn(PRN_OBJECTIVE_HARMONIC, "harmonic");
	return done();
}
