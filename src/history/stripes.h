/*
 * Turns versions into stripes: the fragment sets of a page, given in the order of its captures, become the runs
 * of each fragment.
 *
 * The caller fills the page's captures, and calls _version for each capture that brought content, in ascending
 * order. _finish gives the page its stripes and runs, and prepares for the next page.  Memory is that of one
 * page's runs, and is reused.
 */
#ifndef HISTORY_STRIPES_H
#define HISTORY_STRIPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "perennial/page.h"

/*
 * Runs that a page can have: forty bytes of memory each while it is made.  A page that has two thousand new fragments an hour has as
 * many in a year; two texts that take turns, which a file of some kB can tell of, have no end of them.
 */
#define PRN_STRIPES_RUNS ((size_t)1 << 24)

struct prn_stripes_present {
	uint64_t hash;
	uint32_t from;
};

struct prn_stripes_life {
	uint64_t hash;
	uint32_t from, to;
};

struct prn_stripes {
	struct prn_stripes_present *present, *next; /* the previous version, by hash; the one being made */
	size_t present_count, present_capacity, next_capacity;
	struct prn_stripes_life *lives, *sorted; /* runs that have ended */
	size_t life_count, life_capacity, sorted_capacity;
	uint32_t *places; /* scratch of the sorts */
	size_t place_capacity;
};

static inline void prn_stripes_init(struct prn_stripes *stripes)
{
	*stripes = (struct prn_stripes){ 0 };
}

void prn_stripes_release(struct prn_stripes *stripes);

/* Drops the page that was begun: the next version is the first of another. */
static inline void prn_stripes_drop(struct prn_stripes *stripes)
{
	stripes->life_count = stripes->present_count = 0;
}

/* The page's content from this capture on: hashes ascending, without repetition.  PRN_E_MEMORY, PRN_E_LIMIT (PRN_STRIPES_RUNS) */
int prn_stripes_version(struct prn_stripes *stripes, size_t capture, const uint64_t *hashes, size_t count);

/* On PRN_E_MEMORY and PRN_E_LIMIT the page has no stripes. */
int prn_stripes_finish(struct prn_stripes *stripes, struct prn_page *page);

/* Tells whether two stripes of the page with these runs have the same runs; stripes may share them. */
static inline bool prn_stripes_alike(const struct prn_run *runs, const struct prn_stripe *a, const struct prn_stripe *b)
{
	return a->count == b->count &&
	       (a->first == b->first || !memcmp(runs + a->first, runs + b->first, a->count * sizeof *runs));
}

#endif
