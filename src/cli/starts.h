/*
 * An evaluation as `perennial evaluate` runs it: from several starts of the histories, and for groups of pages apart.
 */
#ifndef CLI_STARTS_H
#define CLI_STARTS_H

#include <stdbool.h>

#include "history/groups.h"
#include "perennial/evaluation.h"
#include "perennial/sweep.h"
#include "report/comparison.h"

struct cli_starts {
	const struct prn_pages *pages;
	const struct prn_sweeps *sweeps;
	enum prn_clock clock;
	size_t threads;
	const size_t *offsets; /* [offset_count] captures of each page's life that are left out at its start */
	size_t offset_count;   /* >= 1 */
	bool grouped;
	enum prn_grouping by;
	const char *const *corpora; /* [pages->corpora] what rows of a corpus are called */
};

/*
 * Evaluates and prints.  report->by is the name of the grouping, or NULL.  A group of which no page has PRN_LIFE_CAPTURES
 * captures has no rows; a start after which no page of any group has them is an error.
 *
 * Returns 0 or a negative code with *error.
 */
int cli_starts_print(const struct cli_starts *starts, const struct report_comparison *report, struct prn_error *error);

#endif
