/* The options of measure and merge that say what is printed of a longevity, and how. */
#ifndef CLI_MEASURING_H
#define CLI_MEASURING_H

#include <stdbool.h>

#include "cli/extremes.h"
#include "history/groups.h"
#include "perennial/partial.h"
#include "report/longevity.h"
#include "term/option.h"

/* The views that can be asked for instead of the statistics.  The first two have rows of pages, and only measure has them. */
enum cli_view {
	CLI_VIEW_PAGES, CLI_VIEW_FRAGMENTS, CLI_VIEW_LIFETIMES, CLI_VIEW_SURVIVAL, CLI_VIEW_K, CLI_VIEW_SCALED, CLI_VIEW_INTERVALS,
	CLI_VIEW_BARS,
	CLI_VIEWS,
};

struct cli_measuring {
	bool views[CLI_VIEWS];
	enum cli_view view; /* the one that is set, or CLI_VIEWS */
	enum term_format format;
	struct prn_longevity_options options;
	struct report_corpora corpora;
	struct term_table *table; /* the table of a view whose rows are written page by page, or NULL */
	struct cli_extremes extremes;
	int argc;
	char **argv;
};

#define CLI_MEASURING_ROWS(m) \
	{ TERM_OPTION_FLAG, "lifetimes", 0, &(m)->views[CLI_VIEW_LIFETIMES], NULL, \
	  "how long fragments live: counts, and survival by Kaplan-Meier" }, \
	{ TERM_OPTION_FLAG, "survival", 0, &(m)->views[CLI_VIEW_SURVIVAL], NULL, \
	  "how long pages stay as they are: neither changed nor gone" }, \
	{ TERM_OPTION_FLAG, "k", 0, &(m)->views[CLI_VIEW_K], NULL, "how many changes of their page fragments live through" }, \
	{ TERM_OPTION_FLAG, "scaled", 0, &(m)->views[CLI_VIEW_SCALED], NULL, \
	  "lifetimes on churn and scroll pages against the model's" }, \
	{ TERM_OPTION_FLAG, "intervals", 0, &(m)->views[CLI_VIEW_INTERVALS], NULL, \
	  "times between changes against a Poisson process" }, \
	{ TERM_OPTION_FLAG, "bars", 0, &(m)->views[CLI_VIEW_BARS], NULL, \
	  "pages by mean change interval and by visible lifespan" }

#define CLI_DRAWS_MAX 100000

/* Finds the view that was asked for; returns false if there are several. */
bool cli_measuring_choose(struct cli_measuring *measuring);

/* Prints, and closes the table.  Returns 0 or a negative code with *error. */
int cli_measuring_print(struct cli_measuring *measuring, const struct prn_longevity *longevity, struct prn_error *error);
void cli_measuring_release(struct cli_measuring *measuring);

/* Returns the provenance of the numbers, for a line below them.  The caller frees it; NULL without memory. */
char *cli_measuring_note(const struct cli_measuring *measuring, const struct prn_longevity *longevity);

/*
 * Rows whose intervals say little, because they are of few hosts, or of few pages of one host.  _add takes the name of what
 * was measured, if it is such a row; _tell reports all of them in one line on stderr, and frees.
 */
#define CLI_SCARCE_NAMES 5 /* names that are listed; others are counted */
struct cli_scarce {
	const struct cli_measuring *measuring;
	char *names[CLI_SCARCE_NAMES];
	size_t count;
};
void cli_scarce_add(struct cli_scarce *scarce, const struct prn_longevity *longevity, size_t scope, const char *name);
void cli_scarce_print(struct cli_scarce *scarce);

/* Returns the view of the report that was asked for; there is none for pages and fragments. */
enum report_view cli_measuring_view(const struct cli_measuring *measuring);

/*
 * Measures each group of pages, then all together, and prints rows of the view; a person gets a few of the statistics instead
 * of all.  Groups come in the order of their first pages; a group of which no page has enough captures has no rows.
 *
 * Returns 0 or a negative code with *error.
 */
int cli_measuring_groups(const struct cli_measuring *measuring, const struct prn_pages *pages, enum prn_grouping by, struct prn_error *error);

/* Saves the measurements of the inputs to a file (partial.h), with all that measure prints.  Errors as prn_longevity_save */
int cli_measuring_save(const struct cli_measuring *measuring, const struct term_inputs *inputs, const struct prn_longevity *longevity,
                       const char *path, struct prn_error *error);

/*
 * Joins measurements that were saved, as options->resamples and the view need them.  Draws, seed, names of corpora and
 * extremes come from the parts.  Returns 0 or a negative code with *error.
 */
int cli_measuring_join(struct cli_measuring *measuring, const struct prn_partial *const *partials, size_t count,
                       struct prn_longevity **longevity, struct prn_error *error);

#endif
