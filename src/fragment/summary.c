#include "perennial/summary.h"

/*
 * Walks two ascending sets in step until one ends or limit values of the union were seen.  No
 * branch depends on which hash is the smaller: for unlike pages a predictor would be wrong every
 * other time.
 */
struct walk {
	size_t a, b; /* how far each was read */
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

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

double prn_summary_divergence(const struct prn_summary *a, const struct prn_summary *b)
{
	size_t limit = a->complete && b->complete ? SIZE_MAX : smaller(a->limit, b->limit);
	struct walk at = walk(a, b, limit);
	/* What only one of the two has beyond the end of the other is in the union as well. */
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
