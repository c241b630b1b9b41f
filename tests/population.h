/*
 * A population of pages that change as Poisson processes, crawled by one policy under a budget: as a crawler
 * would, the setting of the policy's dial is solved anew at every unit of time from what the policy has
 * learned of all pages.
 */
#ifndef TESTS_POPULATION_H
#define TESTS_POPULATION_H

#include "base/random.h"
#include "perennial/policy.h"

#include <math.h>
#include <stdlib.h>

#define POPULATION 400

struct population_page {
	struct prn_random random; /* of its changes */
	double visited, next;     /* times; first 0 */
	double first_change;      /* after the last visit */
	void *state;
};

/* What a stretch of time brought, per unit of time; the last two summed over pages by weight. */
struct population_sums {
	double visits, fresh, penalty;
};

struct population {
	struct prn_policy *policy;
	double rates[POPULATION], weights[POPULATION];
	struct population_page pages[POPULATION];
	double budget, dial;
};

/* Rates over two decades around 0.5, weights from 1 to 3. */
static inline void population_open(struct population *population, const char *specification, double budget)
{
	struct prn_random random;

	*population = (struct population){ .budget = budget, .dial = 1 };
	if (prn_policy_open(&population->policy, specification, NULL, NULL))
		abort();
	prn_random_seed(&random, 21, 0);
	for (size_t i = 0; i < POPULATION; i++) {
		struct population_page *page = &population->pages[i];

		population->rates[i] = 0.05 * pow(100, prn_random_unit(&random));
		population->weights[i] = 1 + 2 * prn_random_unit(&random);
		prn_random_seed(&page->random, 22, i);
		page->state = calloc(1, prn_policy_state_size(population->policy));
		if (!page->state)
			abort();
	}
}

static inline void population_close(struct population *population)
{
	for (size_t i = 0; i < POPULATION; i++)
		free(population->pages[i].state);
	prn_policy_free(population->policy);
}

/* KO: 1/1 + 1/2 + … for the changes missed, over the time since the first; the others are drawn here. */
static inline double population_penalty(struct population_page *page, double rate, double until)
{
	double now = page->first_change, each = 1, level = 0, sum = 0;

	while (now < until) {
		double next = fmin(until, now + prn_random_exponential(&page->random, 1 / rate));

		level += 1 / each++;
		sum += level * (next - now);
		now = next;
	}
	return sum;
}

static inline void population_visit(struct population *population, size_t i, struct population_sums *sums)
{
	struct population_page *page = &population->pages[i];
	double seen = page->first_change < page->next, fresh = fmin(page->first_change, page->next) - page->visited;
	struct prn_visit visit = { .time = page->next, .weight = population->weights[i], .threshold = population->dial,
		                   .divergence = &seen, .page = i };
	struct prn_decision decision;

	if (page->next > 0) {
		sums->visits++;
		sums->fresh += population->weights[i] * fresh;
		sums->penalty += population->weights[i] * population_penalty(page, population->rates[i], page->next);
	}
	prn_policy_visit(population->policy, page->state, &visit, &decision);
	page->visited = page->next;
	page->next += decision.period;
	page->first_change = page->visited + prn_random_exponential(&page->random, 1 / population->rates[i]);
}

static inline void population_solve(struct population *population)
{
	double rates[POPULATION] = { 0 };
	struct prn_curve curve;

	for (size_t i = 0; i < POPULATION; i++)
		if (prn_policy_curve(population->policy, population->pages[i].state, &curve))
			rates[i] = curve.rate;
	/* Before a page is known to change there is nothing to divide by. */
	prn_policy_price(population->policy, rates, population->weights, POPULATION, population->budget,
	                 &population->dial);
}

/* Crawls from time `from` to `to`, whole numbers, and returns means over that time. */
static inline struct population_sums population_crawl(struct population *population, int from, int to)
{
	struct population_sums sums = { 0, 0, 0 };

	for (int time = from; time < to; time++) {
		for (size_t i = 0; i < POPULATION; i++)
			while (population->pages[i].next < time + 1)
				population_visit(population, i, &sums);
		population_solve(population);
	}
	sums.visits /= to - from;
	sums.fresh /= to - from;
	sums.penalty /= to - from;
	return sums;
}

#endif
