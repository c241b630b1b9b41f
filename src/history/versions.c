#include "history/versions.h"
#include "base/buffer.h"
#include "base/random.h"
#include "history/stripes.h"
#include "perennial/digest.h"
#include "perennial/summary.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void prn_sketches_release(struct prn_sketches *sketches)
{
	free(sketches->hashes);
	free(sketches->sizes);
	*sketches = (struct prn_sketches){ 0 };
}

void prn_versions_release(struct prn_versions *versions)
{
	free(versions->of);
	free(versions->counts);
	free(versions->patterns);
	free(versions->marks);
	prn_sketches_release(&versions->sketches);
	prn_versions_init(versions);
}

/* Returns a x b, or SIZE_MAX, which no array has room for. */
static size_t area(size_t a, size_t b)
{
	return b && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

int prn_versions_find(struct prn_versions *versions, const struct prn_page *page, size_t first, size_t last)
{
	size_t captures = last - first + 1;
	uint32_t *of = prn_array_grow(versions->of, &versions->of_capacity, captures, sizeof *of), version = 0;

	if (!of)
		return PRN_E_MEMORY;
	versions->of = of;
	memset(of, 0, captures * sizeof *of);
	for (size_t i = 0; i < page->run_count; i++) {
		const struct prn_run *run = &page->runs[i];

		if (run->from > first && run->from <= last)
			of[run->from - first] = 1;
		if (run->to > first && run->to <= last)
			of[run->to - first] = 1;
	}
	for (size_t i = 0; i < captures; i++)
		of[i] = version += of[i];
	versions->first = first;
	versions->captures = captures;
	versions->count = (size_t)version + 1;
	return 0;
}

/*
 * counts holds second differences: a rectangle of version pairs is four additions at its corners, and two
 * running sums at the end turn them into the sizes of all intersections.  Of each pair of runs only the
 * rectangle above the diagonal is added, so only pairs a <= b are right.
 */
static void add_rectangle(uint32_t *counts, size_t width, struct prn_run row, struct prn_run column, uint32_t n)
{
	counts[row.from * width + column.from] += n;
	counts[row.from * width + column.to] -= n;
	counts[row.to * width + column.from] -= n;
	counts[row.to * width + column.to] += n;
}

static void add_stripe(struct prn_versions *versions, const struct prn_page *page, const struct prn_stripe *stripe,
                       uint32_t n)
{
	const struct prn_run *runs = &page->runs[stripe->first];

	for (uint32_t i = 0; i < stripe->count; i++) {
		struct prn_run row = prn_versions_run(versions, &runs[i]);

		if (row.from == row.to)
			continue;
		for (uint32_t j = i; j < stripe->count; j++) {
			struct prn_run column = prn_versions_run(versions, &runs[j]);

			if (column.from != column.to)
				add_rectangle(versions->counts, versions->count + 1, row, column, n);
		}
	}
}

static int pattern_order(const void *a, const void *b)
{
	const struct prn_versions_pattern *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

int prn_versions_patterns(struct prn_versions *versions, const struct prn_page *page, size_t least)
{
	struct prn_versions_pattern *patterns =
		prn_array_grow(versions->patterns, &versions->patterns_capacity, page->stripe_count + 1,
	                       sizeof *patterns);
	size_t n = 0;

	if (!patterns)
		return PRN_E_MEMORY;
	versions->patterns = patterns;
	for (size_t i = 0; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];

		if (stripe->count < least)
			continue;
		patterns[n].key =
			prn_digest_bytes(&page->runs[stripe->first], stripe->count * sizeof *page->runs).low;
		patterns[n++].stripe = stripe;
	}
	qsort(patterns, n, sizeof *patterns, pattern_order);
	versions->pattern_count = n;
	return 0;
}

size_t prn_versions_alike(const struct prn_versions *versions, const struct prn_page *page, size_t i)
{
	const struct prn_versions_pattern *patterns = versions->patterns;
	size_t end = i + 1;

	while (end < versions->pattern_count && prn_stripes_alike(page->runs, patterns[i].stripe, patterns[end].stripe))
		end++;
	return end;
}

/* Adds the stripes of several runs; those with the same runs are added together. */
static int add_patterns(struct prn_versions *versions, const struct prn_page *page)
{
	if (prn_versions_patterns(versions, page, 2))
		return PRN_E_MEMORY;
	for (size_t i = 0, end; i < versions->pattern_count; i = end) {
		end = prn_versions_alike(versions, page, i);
		add_stripe(versions, page, versions->patterns[i].stripe, (uint32_t)(end - i));
	}
	return 0;
}

/* Computes the running sums along both axes, in place. */
static void sum_up(uint32_t *counts, size_t width)
{
	for (size_t row = 0; row < width; row++)
		for (size_t column = 1; column < width; column++)
			counts[row * width + column] += counts[row * width + column - 1];
	for (size_t row = 1; row < width; row++)
		for (size_t column = 0; column < width; column++)
			counts[row * width + column] += counts[(row - 1) * width + column];
}

int prn_versions_exact(struct prn_versions *versions, const struct prn_page *page, double *matrix)
{
	size_t count = versions->count, width = count + 1, cells = area(width, width);
	uint32_t *counts = prn_array_grow(versions->counts, &versions->counts_capacity, cells, sizeof *counts);
	int code;

	if (!counts)
		return PRN_E_MEMORY;
	versions->counts = counts;
	memset(counts, 0, cells * sizeof *counts);
	for (size_t i = 0; i < page->stripe_count; i++)
		if (page->stripes[i].count == 1)
			add_stripe(versions, page, &page->stripes[i], 1);
	code = add_patterns(versions, page);
	if (code)
		return code;
	sum_up(counts, width);
	for (size_t a = 0; a < count; a++)
		for (size_t b = a; b < count; b++) {
			double both = counts[a * width + b];
			double either = (double)counts[a * width + a] + counts[b * width + b] - both;

			matrix[a * count + b] = matrix[b * count + a] = either > 0 ? 1 - both / either : 0;
		}
	return 0;
}

static int hash_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Keeps the m + 1 smallest hashes in a max-heap: the extra one shows whether a summary is complete. */
static void offer(uint64_t *heap, uint32_t *size, size_t room, uint64_t hash)
{
	size_t at;

	if (*size < room) {
		at = (*size)++;
		for (size_t up; at && heap[up = (at - 1) / 2] < hash; at = up)
			heap[at] = heap[up];
		heap[at] = hash;
		return;
	}
	if (hash >= heap[0])
		return;
	at = 0;
	for (size_t down; (down = 2 * at + 1) < room; at = down) {
		if (down + 1 < room && heap[down + 1] > heap[down])
			down++;
		if (heap[down] <= hash)
			break;
		heap[at] = heap[down];
	}
	heap[at] = hash;
}

/* Fills the heap of every version from the stripes that are present in it. */
static void gather(const struct prn_versions *versions, const struct prn_page *page, struct prn_sketches *sketches)
{
	size_t room = sketches->room;

	for (size_t i = 0; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];

		for (uint32_t j = 0; j < stripe->count; j++) {
			struct prn_run run = prn_versions_run(versions, &page->runs[stripe->first + j]);

			for (uint32_t v = run.from; v < run.to; v++)
				offer(&sketches->hashes[v * room], &sketches->sizes[v], room, stripe->hash);
		}
	}
}

/* Returns the number of fragments of the largest version; sizes [versions + 1] is overwritten. */
static size_t largest_version(const struct prn_versions *versions, const struct prn_page *page, uint32_t *sizes)
{
	uint32_t size = 0, largest = 0;

	memset(sizes, 0, (versions->count + 1) * sizeof *sizes);
	for (size_t i = 0; i < page->stripe_count; i++)
		for (uint32_t j = 0; j < page->stripes[i].count; j++) {
			struct prn_run run = prn_versions_run(versions, &page->runs[page->stripes[i].first + j]);

			sizes[run.from]++;
			sizes[run.to]--;
		}
	for (size_t v = 0; v < versions->count; v++) {
		size += sizes[v];
		if (size > largest)
			largest = size;
	}
	return largest;
}

/* No version needs more room than it has fragments. */
static int make_room(const struct prn_versions *versions, const struct prn_page *page, size_t m, struct prn_sketches *sketches)
{
	uint32_t *sizes = prn_array_grow(sketches->sizes, &sketches->sizes_capacity, versions->count + 1, sizeof *sizes);
	uint64_t *hashes;
	size_t largest;

	if (!sizes)
		return PRN_E_MEMORY;
	sketches->sizes = sizes;
	largest = largest_version(versions, page, sizes);
	sketches->m = m;
	sketches->room = (m < largest ? m : largest) + 1;
	hashes = prn_array_grow(sketches->hashes, &sketches->hashes_capacity, area(versions->count, sketches->room), sizeof *hashes);
	if (!hashes)
		return PRN_E_MEMORY;
	sketches->hashes = hashes;
	memset(sizes, 0, versions->count * sizeof *sizes);
	return 0;
}

int prn_versions_sketch(const struct prn_versions *versions, const struct prn_page *page, size_t m, struct prn_sketches *sketches)
{
	if (!m)
		return PRN_E_ARGUMENT;
	if (make_room(versions, page, m, sketches))
		return PRN_E_MEMORY;
	gather(versions, page, sketches);
	for (size_t v = 0; v < versions->count; v++)
		qsort(&sketches->hashes[v * sketches->room], sketches->sizes[v], sizeof *sketches->hashes, hash_order);
	return 0;
}

static struct prn_summary summary_of(const struct prn_sketches *sketches, size_t version)
{
	size_t size = sketches->sizes[version], m = sketches->m;

	return (struct prn_summary){ .hashes = &sketches->hashes[version * sketches->room],
		                     .count = size < m ? size : m,
		                     .limit = m,
		                     .complete = size <= m };
}

double prn_sketches_divergence(const struct prn_sketches *sketches, size_t a, size_t b)
{
	struct prn_summary x = summary_of(sketches, a), y = summary_of(sketches, b);

	return prn_summary_divergence(&x, &y);
}

int prn_versions_estimate(struct prn_versions *versions, const struct prn_page *page, size_t m, double *matrix)
{
	size_t count = versions->count;
	int code = prn_versions_sketch(versions, page, m, &versions->sketches);

	if (code)
		return code;
	for (size_t a = 0; a < count; a++)
		for (size_t b = a; b < count; b++)
			matrix[a * count + b] = matrix[b * count + a] = prn_sketches_divergence(&versions->sketches, a, b);
	return 0;
}

/*
 * Represents the content of each version by a number: a fragment is added to the sum where it appears and
 * subtracted where it disappears.
 */
static void mark_contents(const struct prn_versions *versions, const struct prn_page *page, uint64_t *marks)
{
	uint64_t content = 0;

	memset(marks, 0, (versions->count + 1) * sizeof *marks);
	for (size_t i = 0; i < page->stripe_count; i++) {
		uint64_t seed = page->stripes[i].hash, number = prn_random_mix(&seed);

		for (uint32_t j = 0; j < page->stripes[i].count; j++) {
			struct prn_run run = prn_versions_run(versions, &page->runs[page->stripes[i].first + j]);

			marks[run.from] += number;
			marks[run.to] -= number;
		}
	}
	for (size_t v = 0; v < versions->count; v++)
		marks[v] = content += marks[v];
}

int prn_versions_returns(struct prn_versions *versions, const struct prn_page *page, size_t *returns)
{
	size_t count = versions->count;
	uint64_t *marks = prn_array_grow(versions->marks, &versions->marks_capacity, count + 1, sizeof *marks);

	if (!marks)
		return PRN_E_MEMORY;
	versions->marks = marks;
	mark_contents(versions, page, marks);
	qsort(marks, count, sizeof *marks, hash_order);
	*returns = 0;
	for (size_t i = 1; i < count; i++)
		*returns += marks[i] == marks[i - 1];
	return 0;
}
