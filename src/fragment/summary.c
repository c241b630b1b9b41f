#include "perennial/summary.h"

#define LANES 4
#define LANES_LEAST 128 /* fragments a set must have for lanes to pay off */

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * The result of merging two ascending sets until one ends or limit values of the union were seen.  No branch
 * depends on which hash is smaller: for unlike pages it would be mispredicted every other time.
 */
struct walk {
	size_t a, b; /* how much of each was read */
	size_t both; /* values in both */
};

static struct walk walk(const struct prn_summary *a, const struct prn_summary *b, size_t limit)
{
	struct walk at = { 0, 0, 0 };

	for (; at.a < a->count && at.b < b->count && limit; limit--) {
		uint64_t x = a->hashes[at.a], y = b->hashes[at.b];

		at.a += x <= y;
		at.b += y <= x;
		at.both += x == y;
	}
	return at;
}

/* One range of values of two ascending sets: from a up to a_end, and from b up to b_end. */
struct lane {
	size_t a, a_end, b, b_end;
};

/* The sets are read by indexes: a compiler may turn pointers that are moved on a condition into branches. */
static inline size_t step(const uint64_t *a, const uint64_t *b, struct lane *lane)
{
	uint64_t x = a[lane->a], y = b[lane->b];

	lane->a += x <= y;
	lane->b += y <= x;
	return x == y;
}

/* Returns the number of steps that can be taken without checking for the end of the lane. */
static size_t sure_steps(const struct lane *lane)
{
	return smaller(lane->a_end - lane->a, lane->b_end - lane->b);
}

/*
 * Returns the index of the first of the ascending hashes, from `from` on, that is not below least; count if
 * there is none.
 */
static size_t find_least(const uint64_t *hashes, size_t from, size_t count, uint64_t least)
{
	while (from < count) {
		size_t middle = from + (count - from) / 2;

		if (hashes[middle] < least)
			from = middle + 1;
		else
			count = middle;
	}
	return from;
}

static void divide(const struct prn_summary *a, const struct prn_summary *b, struct lane lanes[LANES])
{
	for (size_t i = 0; i < LANES; i++) {
		struct lane *lane = &lanes[i];

		lane->a = i ? lane[-1].a_end : 0;
		lane->b = i ? lane[-1].b_end : 0;
		lane->a_end = a->count * (i + 1) / LANES;
		lane->b_end = i + 1 < LANES ? find_least(b->hashes, lane->b, b->count, a->hashes[lane->a_end]) : b->count;
	}
}

/*
 * Counts the values that two large sets have in common.  A step must wait for the one before it, but not for
 * steps of other lanes, so four ranges are merged side by side.  Hashes are spread evenly, so the lanes end at
 * about the same time; the rest of each is then merged alone.
 */
static size_t count_both(const struct prn_summary *a, const struct prn_summary *b)
{
	const uint64_t *x = a->hashes, *y = b->hashes;
	struct lane lanes[LANES];
	size_t both = 0, sure;

	divide(a, b, lanes);
	do {
		struct lane one = lanes[0], two = lanes[1], three = lanes[2], four = lanes[3];

		sure = smaller(smaller(sure_steps(&one), sure_steps(&two)), smaller(sure_steps(&three), sure_steps(&four)));
		for (size_t n = sure; n; n--) {
			both += step(x, y, &one) + step(x, y, &two);
			both += step(x, y, &three) + step(x, y, &four);
		}
		lanes[0] = one, lanes[1] = two, lanes[2] = three, lanes[3] = four;
	} while (sure);
	for (size_t i = 0; i < LANES; i++)
		while (sure_steps(&lanes[i]))
			both += step(x, y, &lanes[i]);
	return both;
}

double prn_summary_divergence(const struct prn_summary *a, const struct prn_summary *b)
{
	size_t limit = a->complete && b->complete ? SIZE_MAX : smaller(a->limit, b->limit);
	struct walk at;

	/* The union is within the limit, so how much of each was read does not matter. */
	if (a->count >= LANES_LEAST && b->count >= LANES_LEAST && a->count + b->count <= limit) {
		size_t both = count_both(a, b), of = a->count + b->count - both;

		return (double)(of - both) / (double)of;
	}
	at = walk(a, b, limit);
	/* Values of one set beyond the end of the other belong to the union as well. */
	size_t seen = at.a + at.b - at.both, rest = a->count - at.a + b->count - at.b;
	size_t of = smaller(limit, seen + rest);

	return of ? (double)(of - at.both) / (double)of : 0;
}

struct prn_summary prn_summary_smallest(const struct prn_summary *summary, size_t m)
{
	struct prn_summary smallest = *summary;

	smallest.limit = m;
	smallest.count = smaller(summary->count, m);
	smallest.complete = summary->complete && smallest.count == summary->count;
	return smallest;
}
