/*
 * Exact divergences of a page's versions, computed row by row on request, for pages with so many versions that
 * a matrix of all pairs is too large.  Memory is proportional to versions and runs; the time of a row to its
 * length, the fragments of its version, and the runs that begin shortly before it.
 *
 * A replay asks for the versions of the copy and of a policy's slots, from each of them on: rows grow as far as
 * they are requested, and the last PRN_ROWS are kept.
 */
#ifndef HISTORY_ROWS_H
#define HISTORY_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "history/versions.h"

#define PRN_ROWS 64 /* more than the slots of a policy, so that these do not evict each other */

struct prn_row {
	uint32_t version;
	size_t length; /* versions from its own on for which it is computed; 0: the row is unused */
	uint64_t used; /* when it was last requested */
	double *divergence;
};

struct prn_rows {
	size_t count; /* versions */
	struct prn_rows_run {
		uint32_t from, to; /* versions */
		uint32_t stripes;  /* number of stripes that have it */
		uint32_t more;     /* 1: the next is a later run of the same stripes */
	} *runs;
	size_t run_count;
	uint32_t *order;    /* [run_count] in order of from */
	uint32_t *starts;   /* [count + 1] where the runs from a version on begin in order */
	uint32_t *standing; /* by blocks of versions: the runs that began before and continue there */
	size_t *blocks;     /* where a block's runs begin in standing, and where the last ones end */
	uint32_t *sizes;    /* [count] fragments of a version */
	uint32_t *steps;    /* [count + 1] scratch */
	uint8_t *held;      /* [count] 1 + the row of a version; 0: none */
	double *cells;      /* memory of the rows */
	struct prn_row rows[PRN_ROWS];
	uint64_t clock;     /* of the requests for rows */
	size_t runs_capacity, order_capacity, starts_capacity, standing_capacity, blocks_capacity, sizes_capacity, steps_capacity,
		held_capacity, cells_capacity;
};

static inline void prn_rows_init(struct prn_rows *rows)
{
	*rows = (struct prn_rows){ 0 };
}

void prn_rows_release(struct prn_rows *rows);

/* Begins a page whose versions have been found.  PRN_E_MEMORY */
int prn_rows_read(struct prn_rows *rows, struct prn_versions *versions, const struct prn_page *page);

/*
 * Returns the divergences of version `of` from itself, the next, … and version to >= of.  Valid until another
 * row is requested.
 */
const double *prn_rows_get(struct prn_rows *rows, uint32_t of, uint32_t to);

#endif
