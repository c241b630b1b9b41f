#include "model/lengths.h"

#include <math.h>
#include <string.h>

/* Clocks tick in seconds, and steps are rounded: lengths that differ by less than this, relatively, are one length. */
#define SAME_LENGTH 1e-5

/* Below every length that is added (estimator.h), also in single precision. */
#define LENGTH_MIN 1e-31

static struct prn_length join(struct prn_length a, struct prn_length b)
{
	double share = b.count / (a.count + b.count);

	return (struct prn_length){ a.length + share * (b.length - a.length), a.count + b.count };
}

/* The loss of joining two lengths: Ward's criterion on relative lengths. */
static double join_cost(struct prn_length a, struct prn_length b)
{
	double gap = (b.length - a.length) / a.length * ((b.length - a.length) / b.length);

	return a.count * b.count / (a.count + b.count) * gap;
}

/* Returns the first place whose length is not clearly below. */
static size_t find(const struct prn_length *lengths, size_t used, double length)
{
	size_t low = 0, high = used;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lengths[middle].length < length * (1 - SAME_LENGTH))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Joins the cheapest pair of neighbours, where added, which has no place yet, would stand at place. */
static void squeeze(struct prn_length *lengths, size_t used, struct prn_length added, size_t place)
{
	struct prn_length last = place < used ? lengths[used - 1] : added;
	size_t nearest = 0;

	/* All but the last move into their places; then the pairs are neighbours in memory, or the last two. */
	if (place < used) {
		memmove(&lengths[place + 1], &lengths[place], (used - 1 - place) * sizeof *lengths);
		lengths[place] = added;
	}
	for (size_t i = 1; i < used; i++)
		if (join_cost(lengths[i], i + 1 < used ? lengths[i + 1] : last) <
		    join_cost(lengths[nearest], nearest + 1 < used ? lengths[nearest + 1] : last))
			nearest = i;
	if (nearest + 1 == used) {
		lengths[nearest] = join(lengths[nearest], last);
		return;
	}
	lengths[nearest] = join(lengths[nearest], lengths[nearest + 1]);
	memmove(&lengths[nearest + 1], &lengths[nearest + 2], (used - nearest - 2) * sizeof *lengths);
	lengths[used - 1] = last;
}

void prn_lengths_add(struct prn_length *lengths, double *used, size_t capacity, double length)
{
	struct prn_length added = { length, 1 };
	size_t n = (size_t)*used, place = find(lengths, n, length);

	if (place < n && lengths[place].length <= length * (1 + SAME_LENGTH)) {
		lengths[place] = join(lengths[place], added);
	} else if (n == capacity) {
		squeeze(lengths, n, added, place);
	} else {
		memmove(&lengths[place + 1], &lengths[place], (n - place) * sizeof *lengths);
		lengths[place] = added;
		*used = (double)(n + 1);
	}
}

/* A count that is nearly 0 stays above 0, so that it can be a divisor. */
void prn_lengths_fade(struct prn_length *lengths, double used, double kept)
{
	for (size_t i = 0; i < (size_t)used; i++)
		lengths[i].count = fmax(lengths[i].count * kept, PRN_LENGTHS_LEAST);
}

bool prn_lengths_valid(const struct prn_length *lengths, double used, size_t capacity, double least)
{
	if (!(used >= 0 && used <= (double)capacity) || used != floor(used))
		return false;
	for (size_t i = 0; i < (size_t)used; i++)
		if (!(lengths[i].length >= (i ? lengths[i - 1].length : LENGTH_MIN)) ||
		    !(lengths[i].count >= least))
			return false;
	return true;
}
