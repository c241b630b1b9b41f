/*
 * AV §6, experiment 2: visits are allocated among pages by the estimates of their rates so far.  How fresh are the copies
 * under the true rates, compared with an allocation by these?
 */
#include "report/papers.h"

#include "base/random.h"
#include "perennial/allocate.h"
#include "perennial/estimator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGES 100
#define BUDGET 100 /* visits per unit of time that are allocated */
#define LEARNING_RATE 3 /* visits to each page per unit of time, at Poisson times, from which rates are learned */

struct page {
	double rate, weight;
	struct prn_random random;
	void *state;
};

/* Draws pages with rates from .1 to 5.1 and weights from .1 to 1.1, the same for every estimator. */
static void draw_pages(struct page pages[PAGES], uint64_t seed, size_t set, char *states, size_t state_bytes)
{
	struct prn_random random;

	prn_random_seed(&random, seed, set);
	memset(states, 0, PAGES * state_bytes);
	for (size_t i = 0; i < PAGES; i++) {
		pages[i] = (struct page){ .rate = 0.1 + 5 * prn_random_unit(&random), .weight = 0.1 + prn_random_unit(&random),
			                  .state = states + i * state_bytes };
		prn_random_seed(&pages[i].random, seed + 1, set * PAGES + i);
	}
}

static void visit(struct page *page, const struct prn_estimator *estimator)
{
	double interval = prn_random_exponential(&page->random, 1.0 / LEARNING_RATE);
	double change = prn_random_exponential(&page->random, 1 / page->rate);

	prn_estimator_add(estimator, page->state, &(struct prn_estimator_visit){ interval, change < interval, 0 });
}

/*
 * Returns the mean freshness under the true rates, if visits are allocated in the best way for the given rates; NaN if they
 * cannot be.
 */
static double freshness(const struct page pages[PAGES], const double rates[PAGES])
{
	double frequencies[PAGES], weights[PAGES], multiplier, sum = 0, total = 0;

	for (size_t i = 0; i < PAGES; i++)
		weights[i] = pages[i].weight;
	if (prn_allocate(PRN_OBJECTIVE_BINARY, rates, weights, PAGES, BUDGET, frequencies, &multiplier))
		return NAN;
	for (size_t i = 0; i < PAGES; i++) {
		total += weights[i];
		sum += weights[i] * prn_freshness(PRN_ORDER_PURELY_RANDOM, pages[i].rate, frequencies[i]);
	}
	return sum / total;
}

/* Finds for one set of pages the freshness by estimated rates divided by that by true rates, after each number of visits. */
static int learn(const struct prn_estimator *estimator, struct page pages[PAGES], const uint64_t *visits, size_t count,
                 double *share)
{
	double rates[PAGES], best;
	uint64_t made = 0;

	for (size_t i = 0; i < PAGES; i++)
		rates[i] = pages[i].rate;
	best = freshness(pages, rates);
	for (size_t k = 0; k < count; k++) {
		for (; made < visits[k]; made++)
			for (size_t i = 0; i < PAGES; i++)
				visit(&pages[i], estimator);
		for (size_t i = 0; i < PAGES; i++)
			rates[i] = prn_estimator_rate(estimator, pages[i].state);
		share[k] = freshness(pages, rates) / best;
		if (!isfinite(share[k]))
			return PRN_E_INPUT;
	}
	return 0;
}

int report_papers_freshness(const char *method, size_t sets, uint64_t seed, const uint64_t *visits, size_t count,
                            struct report_paper_freshness *freshnesses, struct prn_error *error)
{
	struct page pages[PAGES];
	struct prn_estimator estimator;
	double *shares = calloc(count, sizeof *shares);
	char *states = NULL;
	size_t state_bytes = 0;
	int code = shares ? prn_estimator_init(&estimator, method, error) : prn_error_memory(error);

	for (size_t k = 0; k < count; k++)
		freshnesses[k] = (struct report_paper_freshness){ 0 };
	if (!code) {
		state_bytes = prn_estimator_state_size(&estimator);
		states = calloc(PAGES, state_bytes);
		code = states ? 0 : prn_error_memory(error);
	}
	for (size_t set = 0; set < sets && !code; set++) {
		draw_pages(pages, seed, set, states, state_bytes);
		code = learn(&estimator, pages, visits, count, shares);
		if (code)
			prn_error_set(error, code, "%s: what it makes of a page cannot be divided by", method);
		for (size_t k = 0; k < count && !code; k++) {
			freshnesses[k].mean += shares[k] / (double)sets;
			freshnesses[k].error += shares[k] * shares[k] / (double)sets;
		}
	}
	for (size_t k = 0; k < count; k++)
		freshnesses[k].error = sets > 1 ? sqrt(fmax(freshnesses[k].error - freshnesses[k].mean * freshnesses[k].mean, 0) /
		                                       (double)(sets - 1)) : NAN;
	free(states);
	free(shares);
	return code;
}
