/*
 * Sweeps: policies side by side, each at many settings of its dial, which is what trades cost against staleness.
 */
#ifndef PERENNIAL_SWEEP_H
#define PERENNIAL_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/contender.h"
#include "perennial/error.h"
#include "perennial/life.h"
#include "perennial/pages.h"
#include "perennial/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One policy over several settings: a curve of cost against staleness.  Plain pointers: it owns nothing. */
struct prn_sweep {
	/*
	 * [pages->corpora] the contender for each corpus (they may differ in their prior); same dial and
	 * specification
	 */
	const struct prn_contender *const *contenders;
	const struct prn_setting *settings; /* [setting_count] */
	size_t setting_count;
	/*
	 * Settings are budgets, visits per page and clock unit: all pages go through their lives together,
	 * each from its acquisition, and the dial that spends the budget is solved from what has been learned
	 * of all of them after 1, 2, 4, 8, … of the shortest mean capture interval of any page: by
	 * prn_policy_price, or else from what prn_policy_decide says of every page.
	 */
	bool budgets;
};

/* The sweeps of several policies, with the contenders and settings that they are made of. */
struct prn_sweeps;

/*
 * Opens the policies of specifications [count] as contenders, once for each of corpora >= 1.  defaults [corpora] are
 * the corpora's own, as prn_policy_open takes them; any of them, or defaults itself, may be NULL.  The sweeps have no
 * settings yet.
 *
 * PRN_E_MEMORY, and the errors of prn_contender_open
 */
int prn_sweeps_open(struct prn_sweeps **out, const char *const *specifications, size_t count,
                    const char *const *defaults, size_t corpora, struct prn_error *error);
void prn_sweeps_free(struct prn_sweeps *sweeps);

size_t prn_sweeps_count(const struct prn_sweeps *sweeps);

/*
 * The sweeps [prn_sweeps_count], in the order of the specifications, as prn_evaluation_run takes them.  Valid until
 * settings are set or chosen, or the sweeps are freed.
 */
const struct prn_sweep *prn_sweeps_all(const struct prn_sweeps *sweeps);

/* The specification of sweep i, as it was given; valid until the sweeps are freed. */
const char *prn_sweeps_specification(const struct prn_sweeps *sweeps, size_t i);

#define PRN_NO_SWEEP SIZE_MAX

/* The first sweep of this specification, or else of the policy of this name; PRN_NO_SWEEP if there is none. */
size_t prn_sweeps_find(const struct prn_sweeps *sweeps, const char *policy);

/*
 * Gives settings [count], which are copied, to every policy with this dial, in the place of those it had.
 * prn_evaluation_run says what settings it takes.  PRN_E_MEMORY
 */
int prn_sweeps_set(struct prn_sweeps *sweeps, enum prn_dial dial, const struct prn_setting *settings, size_t count,
                   struct prn_error *error);

/* Gives budgets [count] to every policy whatever its dial; with none, the settings of the dials hold.  PRN_E_MEMORY */
int prn_sweeps_set_budgets(struct prn_sweeps *sweeps, const double *budgets, size_t count, struct prn_error *error);

/*
 * Chooses settings for the policies that have none, neither of their dial nor budgets, as prn_settings_choose does from
 * the lives of the pages under test.  Reads the pages only if there is such a policy, on so
 * many threads; 0: all processors.
 *
 * PRN_E_MEMORY, and the errors of pages->read
 */
int prn_sweeps_choose(struct prn_sweeps *sweeps, const struct prn_pages *pages, enum prn_clock clock, size_t threads,
                      struct prn_error *error);

#define PRN_SETTINGS 96 /* no more are chosen: they stand further apart where they would be */

/*
 * Writes settings for a dial and returns how many.  They are evenly spaced in logarithm, twelve to a factor of ten, over
 * all that the pages may want: thresholds from a cost near 1 to one near 0.02, periods from one capture to 64, scales
 * from where the longest wait of any policy is one capture to where the shortest is 64.  All are scaled by the least
 * and largest mean capture interval (1 in steps), thresholds also by the weights.  lives [count] are of the pages under
 * test; those left out do not count.
 */
size_t prn_settings_choose(enum prn_dial dial, const struct prn_life *lives, size_t count,
                           struct prn_setting settings[PRN_SETTINGS]);

#ifdef __cplusplus
}
#endif

#endif
