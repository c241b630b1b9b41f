/*
 * Cho table 6.1: a crawler that has visited each page five times at one interval then visits it as often as it seems to
 * change.  How many changes does it find, compared with as many visits at that interval?
 */
#include "report/papers.h"

#include "base/random.h"
#include "perennial/estimator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEARNING 5 /* visits at the interval, which is the unit of time, before it adjusts */
#define VISITS 17  /* visits at the interval, for comparison: four months of weeks */

/* The rates, each of the same number of pages: from seven changes per interval to one in fifty. */
static const double rates[] = { 7, 2.6, 0.5, 0.12, 0.02 };

struct page {
	double rate, estimate;
	struct prn_random random;
	unsigned learned; /* changes found by the first visits */
};

static unsigned finds(struct page *page, double interval)
{
	return prn_random_unit(&page->random) < -expm1(-page->rate * interval);
}

static unsigned finds_of(struct page *page, double visits)
{
	unsigned whole = (unsigned)visits, found = 0;

	whole += prn_random_unit(&page->random) < visits - whole;
	for (unsigned i = 0; i < whole; i++)
		found += finds(page, (VISITS - LEARNING) / (double)whole);
	return found;
}

static double learn(struct page *page, const struct prn_estimator *estimator, void *state, size_t state_bytes)
{
	memset(state, 0, state_bytes);
	for (int i = 0; i < LEARNING; i++) {
		unsigned found = finds(page, 1);

		page->learned += found;
		prn_estimator_add(estimator, state, &(struct prn_estimator_visit){ 1, found > 0, 0 });
	}
	page->estimate = prn_estimator_rate(estimator, state);
	return page->estimate;
}

/* Writes the ratio of two means over pages, and its standard error.  PRN_E_MEMORY */
static int compare(struct page *pages, size_t count, double total, double *ratio, double *error)
{
	double *adjusted = malloc(2 * count * sizeof *adjusted), *even = adjusted ? adjusted + count : NULL, sums[2] = { 0 }, squares = 0;

	if (!adjusted)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < count; i++) {
		struct page twin = pages[i];

		even[i] = twin.learned + finds_of(&twin, VISITS - LEARNING);
		adjusted[i] = pages[i].learned + finds_of(&pages[i], (VISITS - LEARNING) * pages[i].estimate * (double)count / total);
		sums[0] += adjusted[i];
		sums[1] += even[i];
	}
	*ratio = sums[0] / sums[1];
	for (size_t i = 0; i < count; i++)
		squares += (adjusted[i] - *ratio * even[i]) * (adjusted[i] - *ratio * even[i]);
	*error = sqrt(squares) / sums[1];
	free(adjusted);
	return 0;
}

int report_papers_crawl(const char *method, size_t count, uint64_t seed, double *ratio, double *error_of, struct prn_error *error)
{
	struct page *pages = calloc(count, sizeof *pages);
	struct prn_estimator estimator;
	void *state = NULL;
	double total = 0;
	int code = pages ? prn_estimator_init(&estimator, method, error) : prn_error_memory(error);

	if (!code && !(state = malloc(prn_estimator_state_size(&estimator))))
		code = prn_error_memory(error);
	for (size_t i = 0; i < count && !code; i++) {
		pages[i].rate = rates[i % (sizeof rates / sizeof *rates)];
		prn_random_seed(&pages[i].random, seed, i);
		total += learn(&pages[i], &estimator, state, prn_estimator_state_size(&estimator));
	}
	if (!code && compare(pages, count, total, ratio, error_of))
		code = prn_error_memory(error);
	free(state);
	free(pages);
	return code;
}
