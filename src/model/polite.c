#include "perennial/allocate.h"
#include "perennial/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Pages in the order of their hosts, so that the pages of a host, and those of the free hosts, are contiguous arrays. */
struct division {
	enum prn_objective objective;
	const double *rates, *weights, *limits;
	const size_t *hosts;
	size_t n, host_count;
	size_t *starts, *order;                /* [host_count + 1], [n] */
	double *own_rates, *own_weights, *own; /* [n] scratch: the pages that share in the division; own: their frequencies */
	bool *at_limit;                        /* [host_count] */
	double *loads;                         /* [host_count] */
};

static void release(struct division *division)
{
	free(division->starts);
	free(division->order);
	free(division->own_rates);
	free(division->own_weights);
	free(division->own);
	free(division->at_limit);
	free(division->loads);
}

static int prepare(struct division *division)
{
	size_t n = division->n, hosts = division->host_count;

	division->starts = calloc(hosts + 2, sizeof *division->starts);
	division->order = calloc(n, sizeof *division->order);
	division->own_rates = calloc(n, sizeof *division->own_rates);
	division->own_weights = calloc(n, sizeof *division->own_weights);
	division->own = calloc(n, sizeof *division->own);
	division->at_limit = calloc(hosts, sizeof *division->at_limit);
	division->loads = calloc(hosts, sizeof *division->loads);
	if (!division->starts || !division->order || !division->own_rates || !division->own_weights || !division->own ||
	    !division->at_limit || !division->loads)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < n; i++)
		division->starts[division->hosts[i] + 2]++;
	for (size_t h = 0; h < hosts; h++)
		division->starts[h + 2] += division->starts[h + 1];
	for (size_t i = 0; i < n; i++)
		division->order[division->starts[division->hosts[i] + 1]++] = i;
	return 0;
}

static size_t gather(struct division *division, size_t host, size_t count)
{
	for (size_t k = division->starts[host]; k < division->starts[host + 1]; k++, count++) {
		size_t page = division->order[k];

		division->own_rates[count] = division->rates[page];
		division->own_weights[count] = division->weights ? division->weights[page] : 1;
	}
	return count;
}

/* Stores the frequencies found for a host's pages, from at on, and returns the sum of their refreshes. */
static double scatter(const struct division *division, size_t host, size_t at, double *frequencies)
{
	double load = 0;

	for (size_t k = division->starts[host]; k < division->starts[host + 1]; k++, at++) {
		frequencies[division->order[k]] = division->own[at];
		load += division->own[at];
	}
	return load;
}

/* Divides the rest among the free hosts, and finds those that would get too much.  *more: there are some. */
static int divide_among_free(struct division *division, double left, double *frequencies, double *multiplier, bool *more)
{
	size_t count = 0, at = 0;
	int code = 0;

	for (size_t h = 0; h < division->host_count; h++)
		if (!division->at_limit[h])
			count = gather(division, h, count);
	*multiplier = 0;
	*more = false;
	for (size_t i = 0; i < count; i++)
		division->own[i] = 0;
	if (count && left >= PRN_ALLOCATE_LEAST)
		code = prn_allocate(division->objective, division->own_rates, division->own_weights, count, left, division->own, multiplier);
	for (size_t h = 0; h < division->host_count && !code; h++) {
		if (division->at_limit[h])
			continue;
		division->loads[h] = scatter(division, h, at, frequencies);
		at += division->starts[h + 1] - division->starts[h];
		if (division->loads[h] > division->limits[h])
			division->at_limit[h] = *more = true;
	}
	return code;
}

/*
 * A host that would get too much has its limit whatever happens to the others: the rest that it leaves lowers
 * the multiplier, at which it would want even more.  So each round removes hosts, and none returns.
 */
static int divide(struct division *division, double budget, double *frequencies, double *multiplier)
{
	bool more = true;
	int code = 0;

	while (more && !code) {
		double left = budget;

		for (size_t h = 0; h < division->host_count; h++)
			left -= division->at_limit[h] ? division->limits[h] : 0;
		code = divide_among_free(division, left, frequencies, multiplier, &more);
	}
	for (size_t h = 0; h < division->host_count && !code; h++) {
		double own_multiplier;
		size_t count = division->at_limit[h] ? gather(division, h, 0) : 0;

		if (!count)
			continue;
		code = prn_allocate(division->objective, division->own_rates, division->own_weights, count, division->limits[h],
		                    division->own, &own_multiplier);
		if (!code)
			scatter(division, h, 0, frequencies);
	}
	return code;
}

static bool is_number(double number)
{
	return number >= PRN_ALLOCATE_LEAST && number <= PRN_ALLOCATE_MOST;
}

int prn_allocate_polite(enum prn_objective objective, const double *rates, const double *weights, const size_t *hosts, size_t n,
                        const double *limits, size_t host_count, double budget, double *frequencies, double *multiplier)
{
	struct division division = { .objective = objective, .rates = rates, .weights = weights, .limits = limits, .hosts = hosts, .n = n,
		                     .host_count = host_count };
	double *found, price = 0;
	int code = n && is_number(budget) ? 0 : PRN_E_ARGUMENT;

	for (size_t h = 0; h < host_count && !code; h++)
		if (!is_number(limits[h]) && !isinf(limits[h]))
			code = PRN_E_ARGUMENT;
	for (size_t i = 0; i < n && !code; i++)
		if (hosts[i] >= host_count || !(rates[i] == 0 || is_number(rates[i])) || (weights && !is_number(weights[i])))
			code = PRN_E_ARGUMENT;
	if (code)
		return code;
	found = calloc(n, sizeof *found);
	code = found ? prepare(&division) : PRN_E_MEMORY;
	if (!code)
		code = divide(&division, budget, found, &price);
	for (size_t i = 0; i < n && !code; i++)
		frequencies[i] = found[i];
	if (!code)
		*multiplier = price;
	release(&division);
	free(found);
	return code;
}
