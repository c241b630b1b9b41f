/* The hash sort against qsort, on values it was made for and on values it was not. */
#include "base/random.h"
#include "base/sort.h"
#include "tap.h"

#include <stdlib.h>

#define MOST 20000

static int order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t even(struct prn_random *random, size_t i)
{
	(void)i;
	return prn_random_bits(random);
}

static uint64_t below_threshold(struct prn_random *random, size_t i)
{
	(void)i;
	return prn_random_bits(random) >> 20;
}

static uint64_t few_values(struct prn_random *random, size_t i)
{
	(void)i;
	return prn_random_bits(random) % 7 << 60;
}

static uint64_t one_value(struct prn_random *random, size_t i)
{
	(void)random, (void)i;
	return 42;
}

/*
 * Each value doubles the one before: wherever buckets are cut, half of the values fall into the
 * first.
 */
static uint64_t powers(struct prn_random *random, size_t i)
{
	return ((uint64_t)1 << (i % 64)) + prn_random_below(random, 3);
}

static uint64_t descending(struct prn_random *random, size_t i)
{
	(void)random;
	return UINT64_MAX - i;
}

static const struct {
	const char *name;
	uint64_t (*value)(struct prn_random *random, size_t i);
} kinds[] = {
	{ "evenly spread values", even },     { "values below a threshold", below_threshold },
	{ "seven values", few_values },       { "one value", one_value },
	{ "powers of two and near", powers }, { "descending values", descending },
};

int main(void)
{
	static const size_t counts[] = { 0, 1, 2, 24, 25, 63, 64, 65, 576, 2048, 2049, MOST };
	static uint64_t values[MOST], sorted[MOST], scratch[MOST];
	struct prn_random random;

	prn_random_seed(&random, 1, 0);
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		bool all = true, distinct = true;

		for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
			size_t n = counts[c], kept = 0, got;

			for (size_t i = 0; i < n; i++)
				values[i] = sorted[i] = kinds[kind].value(&random, i);
			qsort(sorted, n, sizeof *sorted, order);
			prn_sort_hashes(values, scratch, n);
			all &= !memcmp(values, sorted, n * sizeof *values);
			for (size_t i = 0; i < n; i++)
				if (!i || sorted[i] != sorted[kept - 1])
					sorted[kept++] = sorted[i];
			for (size_t i = n; i > 1; i--) {
				size_t other = prn_random_below(&random, i);
				uint64_t value = values[i - 1];

				values[i - 1] = values[other];
				values[other] = value;
			}
			got = prn_sort_distinct(values, scratch, n);
			distinct &= got == kept && !memcmp(values, sorted, kept * sizeof *values);
		}
		ok(all, "%s are sorted as by qsort", kinds[kind].name);
		ok(distinct, "%s: each different one is kept once", kinds[kind].name);
	}
	return done();
}
