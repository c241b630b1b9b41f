/*
 * The units of a replay: a page, or, if hints are used, the pages of one host in one corpus, which share their
 * trust in sources of hints.
 */
#ifndef EVALUATE_UNITS_H
#define EVALUATE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/pages.h"

#define PRN_UNIT_PAGES 256 /* pages of a unit, at most: all of a unit are in memory, so larger hosts are divided */

struct prn_units {
	size_t *pages;  /* [pages->count] indices, unit by unit */
	size_t *starts; /* [count + 1] the first page of each unit */
	size_t count;
	size_t most; /* pages of the largest unit */
};

/* Makes a unit of each page, in order; or units by host, in the order of their first pages.  PRN_E_MEMORY */
int prn_units_find(struct prn_units *units, const struct prn_pages *pages, bool by_host);
void prn_units_release(struct prn_units *units);

#endif
