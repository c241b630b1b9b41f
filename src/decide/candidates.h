/*
 * Pages that are due, the most valuable first.  They are sorted only as far as they are asked for.
 */
#ifndef DECIDE_CANDIDATES_H
#define DECIDE_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/store.h"

struct prn_candidate {
	bool is_new;          /* it was never fetched, in whichever lane it stands */
	bool owed; /* it was visited before, and its policy has it due now: of such pages a higher threshold would have fewer */
	bool is_deferred;     /* it comes after known pages of its host that are due as well */
	enum prn_lane queued; /* where unread: the lane in which it stands */
	bool unread;  /* only its queue entry was read, and only its record shows whether it is still due */
	uint64_t host; /* where unread: the host that it waits for; 0: none */
	double value, cost; /* cost: of a budget */
	int64_t due;
	struct prn_digest key;
};

/* The most valuable first, then the one that has waited longest; the key breaks ties. */
int prn_candidate_compare(const void *a, const void *b);

/* Orders items of a list (due.h) while it is made, when their URLs are still offsets: the most valuable first, then the one added first. */
int prn_due_compare(const void *a, const void *b);

struct prn_candidates {
	struct prn_candidate *items; /* [count], [capacity]: in the order in which they came */
	size_t count, capacity;
	uint32_t *order; /* private: places in items: a heap with the best at its root, then those that were taken from it, the last one first */
	size_t heaped;
	bool is_heap;
};

/* PRN_E_MEMORY */
int prn_candidates_init(struct prn_candidates *candidates, size_t capacity);
void prn_candidates_release(struct prn_candidates *candidates);

void prn_candidates_clear(struct prn_candidates *candidates);
void prn_candidates_add(struct prn_candidates *candidates, const struct prn_candidate *candidate);

/* The candidate at place i of the order, i < count.  Nothing may be added after the first call. */
struct prn_candidate *prn_candidates_best(struct prn_candidates *candidates, size_t i);

#endif
