/*
 * Exact divergences of a page's versions, a row at a time and made when it is asked for: of pages of so many versions that all
 * pairs of them have no room.  Memory goes with versions and runs; a row's time with its length, the fragments of its version and
 * what begins in the versions shortly before it.
 *
 * A replay asks for the versions that the copy and a policy's slots have, from each of them on: rows grow as far as they are
 * asked for, and the latest PRN_ROWS are kept.
 */
#ifndef HISTORY_ROWS_H
#define HISTORY_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "history/versions.h"

#define PRN_ROWS 64 /* more than a policy has slots: they do not drive each other out */

struct prn_row {
	uint32_t version;
	size_t length; /* of versions from its own on that it is made for; 0: of none */
	uint64_t used; /* when it was asked for last */
	double *divergence;
};

struct prn_rows {
	size_t count; /* versions */
	struct prn_rows_run {
		uint32_t from, to; /* versions */
		uint32_t stripes;  /* how many have it */
		uint32_t more;     /* 1: the next is a later run of the same stripes */
	} *runs;
	size_t run_count;
	uint32_t *order;    /* [run_count] in order of from */
	uint32_t *starts;   /* [count + 1] where in order the runs from a version on begin */
	uint32_t *standing; /* by blocks of versions: the runs that go on there and began before */
	size_t *blocks;     /* where in standing a block's begin, and where the last ends */
	uint32_t *sizes;    /* [count] fragments of a version */
	uint32_t *steps;    /* [count + 1] scratch */
	uint8_t *held;      /* [count] 1 + which row is of a version; 0: none */
	double *cells;      /* of the rows */
	struct prn_row rows[PRN_ROWS];
	uint64_t clock;
	size_t runs_capacity, order_capacity, starts_capacity, standing_capacity, blocks_capacity, sizes_capacity, steps_capacity,
		held_capacity, cells_capacity;
};

static inline void prn_rows_init(struct prn_rows *rows)
{
	*rows = (struct prn_rows){ 0 };
}

void prn_rows_release(struct prn_rows *rows);

/* Takes up a page, whose versions have been found.  PRN_E_MEMORY */
int prn_rows_read(struct prn_rows *rows, struct prn_versions *versions, const struct prn_page *page);

/* The divergences of version `of` from itself, the next, … and version to >= of.  Valid until another row is asked for. */
const double *prn_rows_get(struct prn_rows *rows, uint32_t of, uint32_t to);

#endif
