/*
 * Pages that are due, the most valuable first: only as far as they are asked for are they put in order.
 */
#ifndef DECIDE_CANDIDATES_H
#define DECIDE_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/digest.h"

struct prn_candidate {
	bool visited; /* before */
	bool unread;  /* what is known of it stood beside it in the queue: whether it is still due its record says */
	uint64_t host; /* of one that is unread: that it waits for; 0: for none */
	double value, cost; /* cost: of a budget */
	int64_t due;
	struct prn_digest key;
};

/* The most valuable first, then the one that has waited longest; the key breaks ties. */
int prn_candidate_compare(const void *a, const void *b);

struct prn_candidates {
	struct prn_candidate *items; /* [count], [capacity]: in the order in which they came */
	size_t count, capacity;
	uint32_t *order; /* private: of items, a heap with the best at its root, and then those that were taken from it, the last one first */
	size_t heaped;
	bool is_heap;
};

/* PRN_E_MEMORY */
int prn_candidates_init(struct prn_candidates *candidates, size_t capacity);
void prn_candidates_release(struct prn_candidates *candidates);

void prn_candidates_clear(struct prn_candidates *candidates);
void prn_candidates_add(struct prn_candidates *candidates, const struct prn_candidate *candidate);

/* The one in place i of their order, i < count; nothing is added any more. */
struct prn_candidate *prn_candidates_best(struct prn_candidates *candidates, size_t i);

#endif
