/* The evaluations of `perennial evaluate`: from several starts of the histories, and for each group of pages. */
#ifndef CLI_STARTS_H
#define CLI_STARTS_H

#include <stdbool.h>

#include "history/groups.h"
#include "perennial/evaluation.h"
#include "perennial/partial.h"
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
	const char *const *corpora; /* [pages->corpora] names of corpora in rows */
};

/*
 * Evaluates and prints.  report->by is the name of the grouping, or NULL.  A group of which no page has PRN_LIFE_CAPTURES
 * captures has no rows; it is an error if no page of any group has them from some start.
 *
 * Returns 0 or a negative code with *error.
 */
int cli_starts_print(const struct cli_starts *starts, const struct report_comparison *report, struct prn_error *error);

/* Prints an evaluation, and warns of what limits it; name is the command's.  Returns 0 or a negative code with *error. */
int cli_evaluation_print(const char *name, const struct report_comparison *report, const struct prn_evaluation *evaluation,
                         const struct prn_sweeps *sweeps, struct prn_error *error);

/*
 * Evaluates, and saves the result to a file (partial.h) for cli_starts_check_parts and prn_evaluation_of_partials.  Pages are
 * not grouped.  Returns 0 or a negative code with *error.
 */
int cli_starts_save(const struct cli_starts *starts, const char *path, const char *settings, struct prn_error *error);

/*
 * Checks that from each of offsets [count] a page of some part was evaluated.
 *
 * PRN_E_NOT_FOUND	none was; the text says from which
 * PRN_E_INPUT		a part does not say
 * PRN_E_MEMORY
 */
int cli_starts_check_parts(const size_t *offsets, size_t count, const struct prn_partial *const *partials, size_t partial_count,
                           struct prn_error *error);

#endif
