#include "longevity/poisson.h"
#include "base/buffer.h"
#include "base/quantile.h"
#include "base/random.h"
#include "longevity/change_rate.h"
#include "perennial/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH PRN_CHANGE_TIMES
#define CONFIDENCE 0.95

/*
 * A draw with the wrong number of changes is thrown away.  The right number comes about once in
 * sqrt(2π · variance) draws, so this many will not be needed; if they are, the observed history stands in, which
 * can only raise the p-value.
 */
#define TRIES 2000

int prn_poisson_init(struct prn_poisson *poisson, size_t draws)
{
	*poisson = (struct prn_poisson){ .draws = draws };
	if (draws < SIZE_MAX / (WIDTH * sizeof *poisson->counts) - 1)
		poisson->counts = calloc(draws + 1, WIDTH * sizeof *poisson->counts);
	return poisson->counts ? 0 : PRN_E_MEMORY;
}

void prn_poisson_release(struct prn_poisson *poisson)
{
	free(poisson->counts);
	free(poisson->chances);
	free(poisson->flags);
	*poisson = (struct prn_poisson){ 0 };
}

static const uint64_t *row_of(const struct prn_poisson *poisson, size_t row)
{
	return &poisson->counts[row * WIDTH];
}

/* Times on a grid fall on the edges of bins: rounding must not put equal ones into different bins. */
static size_t bin_of(double ratio)
{
	double bin = floor(ratio * PRN_POISSON_BINS_PER_MEAN + 1e-9);

	return bin >= PRN_POISSON_BINS ? PRN_POISSON_BINS : (size_t)bin;
}

/* Counts the times between changes, divided by their mean. */
static void count_times(uint64_t *row, const double *waits, const bool *changed, size_t count)
{
	double since = 0, sum = 0;
	size_t changes = 0, first = 0;

	for (size_t i = 0; i < count; i++) {
		if (changes)
			since += waits[i];
		if (!changed[i])
			continue;
		if (!changes++)
			first = i;
		sum += since;
		since = 0;
	}
	since = 0;
	for (size_t i = first + 1; i < count; i++) {
		since += waits[i];
		if (!changed[i])
			continue;
		row[bin_of(since / sum * (double)(changes - 1))]++;
		since = 0;
	}
}

static void set_chances(double *chances, const double *waits, const bool *changed, size_t count)
{
	double rate = prn_change_rate(waits, changed, count);

	for (size_t i = 0; i < count; i++)
		chances[i] = -expm1(-rate * waits[i]);
}

/* Draws a history; false if it does not have so many changes. */
static bool draw(struct prn_random *random, const double *chances, size_t count, size_t changes, bool *flags)
{
	size_t left = changes;

	for (size_t i = 0; i < count; i++) {
		flags[i] = prn_random_unit(random) < chances[i];
		if (flags[i] && !left--)
			return false;
		if (left > count - i - 1)
			return false;
	}
	return true;
}

static void draw_times(struct prn_poisson *page, struct prn_random *random, const double *waits, size_t count,
                       size_t changes, size_t row)
{
	uint64_t *counts = &page->counts[row * WIDTH];

	for (int try = 0; try < TRIES; try++)
		if (draw(random, page->chances, count, changes, page->flags)) {
			count_times(counts, waits, page->flags, count);
			return;
		}
	memcpy(counts, page->counts, WIDTH * sizeof *counts);
}

static int make_room(struct prn_poisson *page, size_t count)
{
	double *chances = prn_array_grow(page->chances, &page->chance_capacity, count, sizeof *chances);
	bool *flags;

	if (!chances)
		return PRN_E_MEMORY;
	page->chances = chances;
	flags = prn_array_grow(page->flags, &page->flag_capacity, count, sizeof *flags);
	if (!flags)
		return PRN_E_MEMORY;
	page->flags = flags;
	return 0;
}

int prn_poisson_read(struct prn_poisson *page, const double *waits, const bool *changed, size_t count, uint64_t seed,
                     uint64_t stream)
{
	struct prn_random random;
	size_t changes = 0;

	memset(page->counts, 0, (page->draws + 1) * WIDTH * sizeof *page->counts);
	page->total = 0;
	for (size_t i = 0; i < count; i++)
		changes += changed[i];
	if (changes < PRN_POISSON_CHANGES || changes == count)
		return 0;
	if (make_room(page, count))
		return PRN_E_MEMORY;
	page->total = changes - 1;
	set_chances(page->chances, waits, changed, count);
	count_times(page->counts, waits, changed, count);
	prn_random_seed(&random, seed, stream);
	for (size_t row = 1; row <= page->draws; row++)
		draw_times(page, &random, waits, count, changes, row);
	return 1;
}

void prn_poisson_add(struct prn_poisson *sum, const struct prn_poisson *page)
{
	for (size_t i = 0; i < (sum->draws + 1) * WIDTH; i++)
		sum->counts[i] += page->counts[i];
	sum->total += page->total;
}

int prn_poisson_write(const struct prn_poisson *poisson, struct prn_buffer *out)
{
	int code = prn_buffer_append_varint(out, poisson->total);

	for (size_t i = 0; i < (poisson->draws + 1) * WIDTH && !code; i++)
		code = prn_buffer_append_varint(out, poisson->counts[i]);
	return code;
}

/* Each row has as many as all: then none is too large for what is computed of them. */
int prn_poisson_add_written(struct prn_poisson *sum, struct prn_cursor *in)
{
	uint64_t total;

	if (prn_cursor_varint(in, &total) || total > UINT64_MAX >> 32)
		return PRN_E_INPUT;
	for (size_t row = 0; row <= sum->draws; row++) {
		uint64_t left = total;

		for (size_t i = 0; i < WIDTH; i++) {
			uint64_t count;

			if (prn_cursor_varint(in, &count) || count > left)
				return PRN_E_INPUT;
			left -= count;
			sum->counts[row * WIDTH + i] += count;
		}
		if (left)
			return PRN_E_INPUT;
	}
	sum->total += total;
	return 0;
}

/* Returns the largest distance between a row's distribution and the mean one, in counts times the number of rows. */
static uint64_t distance(const struct prn_poisson *poisson, size_t row, const uint64_t *sums)
{
	const uint64_t *counts = row_of(poisson, row);
	uint64_t below = 0, largest = 0;

	for (size_t i = 0; i < WIDTH; i++) {
		uint64_t apart;

		below += counts[i] * (poisson->draws + 1);
		apart = below > sums[i] ? below - sums[i] : sums[i] - below;
		largest = apart > largest ? apart : largest;
	}
	return largest;
}

double prn_poisson_p(const struct prn_poisson *poisson)
{
	uint64_t sums[WIDTH] = { 0 }, observed;
	size_t as_far = 0;

	if (!poisson->total)
		return NAN;
	for (size_t row = 0; row <= poisson->draws; row++)
		for (size_t i = 0; i < WIDTH; i++)
			sums[i] += row_of(poisson, row)[i];
	for (size_t i = 1; i < WIDTH; i++)
		sums[i] += sums[i - 1];
	observed = distance(poisson, 0, sums);
	for (size_t row = 0; row <= poisson->draws; row++)
		as_far += distance(poisson, row, sums) >= observed;
	return (double)as_far / (double)(poisson->draws + 1);
}

static void set_bin(const struct prn_poisson *poisson, size_t bin, double *shares, struct prn_change_times *out)
{
	double sum = 0, total = (double)poisson->total;

	for (size_t row = 1; row <= poisson->draws; row++) {
		shares[row - 1] = (double)row_of(poisson, row)[bin] / total;
		sum += shares[row - 1];
	}
	*out = (struct prn_change_times){
		.from = (double)bin / PRN_POISSON_BINS_PER_MEAN,
		.to = bin < PRN_POISSON_BINS ? (double)(bin + 1) / PRN_POISSON_BINS_PER_MEAN : INFINITY,
		.seen = poisson->counts[bin],
		.share = (double)poisson->counts[bin] / total,
		.expected = sum / (double)poisson->draws,
		.low = NAN,
		.high = NAN,
	};
	out->exponential = exp(-out->from) - exp(-out->to);
	prn_quantile_middle(shares, poisson->draws, CONFIDENCE, &out->low, &out->high);
}

int prn_poisson_bins(const struct prn_poisson *poisson, struct prn_change_times bins[PRN_CHANGE_TIMES])
{
	double *shares = calloc(poisson->draws + 1, sizeof *shares);

	if (!shares)
		return PRN_E_MEMORY;
	for (size_t bin = 0; bin < WIDTH; bin++)
		set_bin(poisson, bin, shares, &bins[bin]);
	free(shares);
	return 0;
}
