#include "history/versions.h"
#include "base/buffer.h"
#include "perennial/digest.h"
#include "perennial/summary.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A stripe of several runs, by what its runs are: page edits that take turns make thousands alike. */
struct prn_versions_pattern {
	uint64_t key;
	const struct prn_stripe *stripe;
};

void prn_versions_release(struct prn_versions *versions)
{
	free(versions->of);
	free(versions->counts);
	free(versions->patterns);
	free(versions->hashes);
	free(versions->sizes);
	prn_versions_init(versions);
}

/* a x b elements, or SIZE_MAX, which no array has room for. */
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

/* A run of captures as a half-open range of versions; empty outside the life. */
static struct prn_run in_versions(const struct prn_versions *versions, const struct prn_run *run)
{
	size_t first = versions->first, end = first + versions->captures;
	size_t from = run->from > first ? run->from : first;
	size_t to = run->to < end ? run->to : end;

	if (from >= to)
		return (struct prn_run){ 0, 0 };
	return (struct prn_run){ versions->of[from - first], versions->of[to - 1 - first] + 1 };
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
		struct prn_run row = in_versions(versions, &runs[i]);

		if (row.from == row.to)
			continue;
		for (uint32_t j = i; j < stripe->count; j++) {
			struct prn_run column = in_versions(versions, &runs[j]);

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

static bool same_runs(const struct prn_page *page, const struct prn_stripe *a, const struct prn_stripe *b)
{
	return a->count == b->count &&
	       !memcmp(&page->runs[a->first], &page->runs[b->first], a->count * sizeof *page->runs);
}

/* The stripes of several runs, those with the same runs taken together. */
static int add_patterns(struct prn_versions *versions, const struct prn_page *page)
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

		if (stripe->count < 2)
			continue;
		patterns[n].key =
			prn_digest_bytes(&page->runs[stripe->first], stripe->count * sizeof *page->runs).low;
		patterns[n++].stripe = stripe;
	}
	qsort(patterns, n, sizeof *patterns, pattern_order);
	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		while (end < n && same_runs(page, patterns[i].stripe, patterns[end].stripe))
			end++;
		add_stripe(versions, page, patterns[i].stripe, (uint32_t)(end - i));
	}
	return 0;
}

/* The running sums along both axes, in place. */
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

/* The m + 1 smallest hashes so far, kept as a max-heap: the extra one tells whether a summary is complete. */
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
static void gather(struct prn_versions *versions, const struct prn_page *page, size_t room)
{
	for (size_t i = 0; i < page->stripe_count; i++) {
		const struct prn_stripe *stripe = &page->stripes[i];

		for (uint32_t j = 0; j < stripe->count; j++) {
			struct prn_run run = in_versions(versions, &page->runs[stripe->first + j]);

			for (uint32_t v = run.from; v < run.to; v++)
				offer(&versions->hashes[v * room], &versions->sizes[v], room, stripe->hash);
		}
	}
}

static struct prn_summary summary_of(const struct prn_versions *versions, size_t version, size_t m, size_t room)
{
	size_t size = versions->sizes[version];

	return (struct prn_summary){ .hashes = &versions->hashes[version * room],
		                     .count = size < m ? size : m,
		                     .limit = m,
		                     .complete = size <= m };
}

static int make_room(struct prn_versions *versions, size_t room)
{
	size_t cells = area(versions->count, room);
	uint64_t *hashes = prn_array_grow(versions->hashes, &versions->hashes_capacity, cells, sizeof *hashes);
	uint32_t *sizes;

	if (!hashes)
		return PRN_E_MEMORY;
	versions->hashes = hashes;
	sizes = prn_array_grow(versions->sizes, &versions->sizes_capacity, versions->count, sizeof *sizes);
	if (!sizes)
		return PRN_E_MEMORY;
	versions->sizes = sizes;
	memset(sizes, 0, versions->count * sizeof *sizes);
	return 0;
}

int prn_versions_estimate(struct prn_versions *versions, const struct prn_page *page, size_t m, double *matrix)
{
	size_t count = versions->count, room = m < page->stripe_count ? m + 1 : page->stripe_count + 1;

	if (!m)
		return PRN_E_ARGUMENT;
	if (make_room(versions, room))
		return PRN_E_MEMORY;
	gather(versions, page, room);
	for (size_t v = 0; v < count; v++)
		qsort(&versions->hashes[v * room], versions->sizes[v], sizeof *versions->hashes, hash_order);
	for (size_t a = 0; a < count; a++)
		for (size_t b = a; b < count; b++) {
			struct prn_summary x = summary_of(versions, a, m, room);
			struct prn_summary y = summary_of(versions, b, m, room);

			matrix[a * count + b] = matrix[b * count + a] = prn_summary_divergence(&x, &y);
		}
	return 0;
}
