/*
 * What is replayed at once: a page, or, where hints are heard, the pages of one host in one corpus, whose sources are
 * trusted by what came of all of them.
 */
#ifndef EVALUATE_UNITS_H
#define EVALUATE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/pages.h"

#define PRN_UNIT_PAGES 256 /* of a larger host so many are together: all of a unit are in memory */

struct prn_units {
	size_t *pages;  /* [pages->count] indices, unit by unit */
	size_t *starts; /* [count + 1] the first of each unit's */
	size_t count;
	size_t most; /* pages of any unit */
};

/* Each page by itself and in order; or by host, units in the order of their first pages.  PRN_E_MEMORY */
int prn_units_find(struct prn_units *units, const struct prn_pages *pages, bool by_host);
void prn_units_release(struct prn_units *units);

#endif
