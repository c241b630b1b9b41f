#include "decide/candidates.h"

#include "perennial/due.h"
#include "perennial/error.h"

#include <stdlib.h>

int prn_candidate_compare(const void *a, const void *b)
{
	const struct prn_candidate *x = a, *y = b;

	if (x->value > y->value || x->value < y->value)
		return x->value > y->value ? -1 : 1;
	if (x->due != y->due)
		return x->due < y->due ? -1 : 1;
	return prn_digest_compare(&x->key, &y->key);
}

int prn_due_compare(const void *a, const void *b)
{
	const struct prn_due *x = a, *y = b;
	uintptr_t first = (uintptr_t)x->url, second = (uintptr_t)y->url;

	if (x->value > y->value || x->value < y->value)
		return x->value > y->value ? -1 : 1;
	return first < second ? -1 : first > second;
}

int prn_candidates_init(struct prn_candidates *candidates, size_t capacity)
{
	*candidates = (struct prn_candidates){ .capacity = capacity };
	candidates->items = malloc(capacity * sizeof *candidates->items);
	candidates->order = malloc(capacity * sizeof *candidates->order);
	return candidates->items && candidates->order ? 0 : PRN_E_MEMORY;
}

void prn_candidates_release(struct prn_candidates *candidates)
{
	free(candidates->items);
	free(candidates->order);
	*candidates = (struct prn_candidates){ 0 };
}

void prn_candidates_clear(struct prn_candidates *candidates)
{
	candidates->count = 0;
	candidates->is_heap = false;
}

void prn_candidates_add(struct prn_candidates *candidates, const struct prn_candidate *candidate)
{
	candidates->order[candidates->count] = (uint32_t)candidates->count;
	candidates->items[candidates->count++] = *candidate;
}

static bool is_before(const struct prn_candidates *candidates, uint32_t a, uint32_t b)
{
	return prn_candidate_compare(&candidates->items[a], &candidates->items[b]) < 0;
}

/* Moves the item at a place of the heap down to where it belongs. */
static void sink(struct prn_candidates *candidates, size_t at)
{
	uint32_t *order = candidates->order, sinking = order[at];

	for (size_t child = 2 * at + 1; child < candidates->heaped; child = 2 * at + 1) {
		if (child + 1 < candidates->heaped && is_before(candidates, order[child + 1], order[child]))
			child++;
		if (!is_before(candidates, order[child], sinking))
			break;
		order[at] = order[child];
		at = child;
	}
	order[at] = sinking;
}

struct prn_candidate *prn_candidates_best(struct prn_candidates *candidates, size_t i)
{
	if (!candidates->is_heap) {
		candidates->is_heap = true;
		candidates->heaped = candidates->count;
		for (size_t at = candidates->count / 2; at--;)
			sink(candidates, at);
	}
	while (candidates->count - candidates->heaped <= i) {
		uint32_t best = candidates->order[0];

		candidates->order[0] = candidates->order[--candidates->heaped];
		sink(candidates, 0);
		candidates->order[candidates->heaped] = best;
	}
	return &candidates->items[candidates->order[candidates->count - 1 - i]];
}
