#include "history/stripes.h"

#include "base/buffer.h"
#include "perennial/error.h"

#include <stdlib.h>
#include <string.h>

void prn_stripes_release(struct prn_stripes *stripes)
{
	free(stripes->present);
	free(stripes->next);
	free(stripes->lives);
	free(stripes->sorted);
	free(stripes->places);
	prn_stripes_init(stripes);
}

/* Makes room for a version of count fragments, and for all fragments of the previous one to end. */
static int make_room(struct prn_stripes *stripes, size_t count)
{
	struct prn_stripes_present *next =
		prn_array_grow(stripes->next, &stripes->next_capacity, count, sizeof *next);
	struct prn_stripes_life *lives;

	if (!next)
		return PRN_E_MEMORY;
	stripes->next = next;
	if (stripes->life_count + stripes->present_count > PRN_STRIPES_RUNS)
		return PRN_E_LIMIT;
	lives = prn_array_grow(stripes->lives, &stripes->life_capacity, stripes->life_count + stripes->present_count,
	                       sizeof *lives);
	if (!lives)
		return PRN_E_MEMORY;
	stripes->lives = lives;
	return 0;
}

static void end_life(struct prn_stripes *stripes, const struct prn_stripes_present *fragment, size_t capture)
{
	stripes->lives[stripes->life_count++] =
		(struct prn_stripes_life){ fragment->hash, fragment->from, (uint32_t)capture };
}

int prn_stripes_version(struct prn_stripes *stripes, size_t capture, const uint64_t *hashes, size_t count)
{
	struct prn_stripes_present *old = stripes->present, *next;
	size_t i = 0, capacity = stripes->present_capacity;
	int code = make_room(stripes, count);

	if (code)
		return code;
	next = stripes->next;
	for (size_t j = 0; j < count; j++) {
		while (i < stripes->present_count && old[i].hash < hashes[j])
			end_life(stripes, &old[i++], capture);
		next[j] = (struct prn_stripes_present){ hashes[j], (uint32_t)capture };
		if (i < stripes->present_count && old[i].hash == hashes[j])
			next[j].from = old[i++].from;
	}
	while (i < stripes->present_count)
		end_life(stripes, &old[i++], capture);
	stripes->present = next;
	stripes->present_count = count;
	stripes->present_capacity = stripes->next_capacity;
	stripes->next = old;
	stripes->next_capacity = capacity;
	return 0;
}

static int compare_lives(const void *a, const void *b)
{
	const struct prn_stripes_life *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* Buckets are short, as hashes are uniform, except for a fragment that came and went often. */
static void sort_bucket(struct prn_stripes_life *lives, size_t count)
{
	if (count > 32) {
		qsort(lives, count, sizeof *lives, compare_lives);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		struct prn_stripes_life life = lives[i];
		size_t j = i;

		for (; j && compare_lives(&life, &lives[j - 1]) < 0; j--)
			lives[j] = lives[j - 1];
		lives[j] = life;
	}
}

static int reserve_places(struct prn_stripes *stripes, size_t count)
{
	uint32_t *places = prn_array_grow(stripes->places, &stripes->place_capacity, count, sizeof *places);

	if (!places)
		return PRN_E_MEMORY;
	stripes->places = memset(places, 0, count * sizeof *places);
	return 0;
}

/* Sorts by hash, then time: one pass by the top bits of the hash, then within each bucket. */
static int sort_lives(struct prn_stripes *stripes)
{
	size_t count = stripes->life_count, at = 0;
	unsigned bits = 1;
	struct prn_stripes_life *sorted;

	while (bits < 28 && ((size_t)4 << bits) < count)
		bits++;
	sorted = prn_array_grow(stripes->sorted, &stripes->sorted_capacity, count, sizeof *sorted);
	if (!sorted)
		return PRN_E_MEMORY;
	stripes->sorted = sorted;
	if (reserve_places(stripes, ((size_t)1 << bits) + 1))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < count; i++)
		stripes->places[(stripes->lives[i].hash >> (64 - bits)) + 1]++;
	for (size_t i = 0; i < (size_t)1 << bits; i++)
		stripes->places[i + 1] += stripes->places[i];
	for (size_t i = 0; i < count; i++)
		sorted[stripes->places[stripes->lives[i].hash >> (64 - bits)]++] = stripes->lives[i];
	/* Each place has moved to the end of its bucket. */
	for (size_t i = 0; i < (size_t)1 << bits; i++) {
		sort_bucket(sorted + at, stripes->places[i] - at);
		at = stripes->places[i];
	}
	return 0;
}

static int reserve_page(const struct prn_stripes *stripes, struct prn_page *page)
{
	struct prn_run *runs = prn_array_grow(page->runs, &page->run_capacity, stripes->life_count, sizeof *runs);
	struct prn_stripe *list;

	if (!runs)
		return PRN_E_MEMORY;
	page->runs = runs;
	list = prn_array_grow(page->stripes, &page->stripe_capacity, stripes->life_count, sizeof *list);
	if (!list)
		return PRN_E_MEMORY;
	page->stripes = list;
	return 0;
}

/* The lives of one hash become one stripe; places counts the stripes that start at each capture. */
static void gather(struct prn_stripes *stripes, struct prn_page *page)
{
	const struct prn_stripes_life *life = stripes->sorted, *end = life + stripes->life_count;

	for (; life < end; life++) {
		struct prn_stripe *stripe = page->stripe_count ? &page->stripes[page->stripe_count - 1] : NULL;

		page->runs[page->run_count++] = (struct prn_run){ life->from, life->to };
		if (stripe && stripe->hash == life->hash) {
			stripe->count++;
			continue;
		}
		page->stripes[page->stripe_count++] =
			(struct prn_stripe){ life->hash, (uint32_t)page->run_count - 1, 1 };
		stripes->places[life->from + 1]++;
	}
}

/*
 * Puts stripes, which are ordered by hash, in the order of their start; the freed half of the scratch holds
 * them in the meantime.
 */
static void order_by_start(struct prn_stripes *stripes, struct prn_page *page)
{
	struct prn_stripe *copy = (void *)stripes->sorted;

	_Static_assert(sizeof(struct prn_stripe) <= sizeof(struct prn_stripes_life), "stripes fit where lives were");
	memcpy(copy, page->stripes, page->stripe_count * sizeof *copy);
	for (size_t i = 0; i < page->capture_count; i++)
		stripes->places[i + 1] += stripes->places[i];
	for (size_t i = 0; i < page->stripe_count; i++)
		page->stripes[stripes->places[page->runs[copy[i].first].from]++] = copy[i];
}

int prn_stripes_finish(struct prn_stripes *stripes, struct prn_page *page)
{
	int code;

	page->stripe_count = page->run_count = 0;
	/* Nothing follows the last version: fragments present there stay to the end. */
	code = prn_stripes_version(stripes, page->capture_count, NULL, 0);
	if (!code && stripes->life_count) {
		code = sort_lives(stripes);
		if (!code)
			code = reserve_page(stripes, page);
		if (!code)
			code = reserve_places(stripes, page->capture_count + 1);
		if (!code) {
			gather(stripes, page);
			order_by_start(stripes, page);
		}
	}
	prn_stripes_drop(stripes);
	return code;
}
