/*
 * The policies that `perennial evaluate` puts side by side, and the settings of each one's sweep.
 */
#ifndef REPORT_LINEUP_H
#define REPORT_LINEUP_H

#include <stddef.h>

#include "perennial/comparison.h"

struct cli_lineup {
	size_t count;   /* policies */
	size_t corpora; /* each policy is opened once for every corpus: their priors may differ */
	const char *const *specifications; /* [count] as given; borrowed */
	struct prn_contender **contenders; /* [count][corpora] */
	struct prn_sweep *sweeps;          /* [count]; settings are borrowed */
};

/*
 * Opens specifications [count] for each of corpora >= 1; defaults [corpora] are those of prn_policy_open, each
 * may be NULL.  Returns 0 or the code of prn_contender_open, with nothing to release.
 */
int cli_lineup_open(struct cli_lineup *lineup, const char *const *specifications, size_t count,
                    const char *const *defaults, size_t corpora, struct prn_error *error);
void cli_lineup_release(struct cli_lineup *lineup);

/* The first policy with this specification, or else with this name; PRN_NO_REFERENCE if there is none. */
size_t cli_lineup_find(const struct cli_lineup *lineup, const char *policy);

/* Settings of a sweep. */
struct cli_settings {
	struct prn_setting *settings; /* owned */
	const char **texts;           /* as given, or NULL: made here; strings are borrowed */
	size_t count;
};

/*
 * Lists of settings: one for each dial, then budgets, which, if there are any, are for every policy whatever
 * its dial.
 */
#define CLI_BUDGETS PRN_DIALS
#define CLI_SETTINGS (PRN_DIALS + 1)

/* Adds a setting; out of memory aborts. */
void cli_settings_add(struct cli_settings *settings, double value, bool in_seconds, const char *text);
void cli_settings_release(struct cli_settings *settings);

/*
 * Settings for a dial, evenly spaced in logarithm, twelve to a factor of ten, over all that the pages may
 * want: thresholds from a cost near 1 to one near 0.02, periods from one capture to 64, scales from where the
 * longest wait of any policy is one capture to where the shortest is 64.  All are scaled by the least and
 * largest mean capture interval (1 in steps), thresholds also by the weights.  lives [count] are of the pages
 * under test.
 */
void cli_settings_choose(struct cli_settings *settings, enum prn_dial dial, const struct prn_life *lives, size_t count);

/*
 * Gives every policy the settings of its dial, settings [CLI_SETTINGS], which are chosen from the lives of
 * the pages where a policy wants them and there are none; or else the budgets.  They are borrowed for as long
 * as the lineup is used.
 */
int cli_lineup_sweep(struct cli_lineup *lineup, struct cli_settings *settings, const struct prn_pages *pages,
                     enum prn_clock clock, size_t threads, struct prn_error *error);

/* Those of settings [CLI_SETTINGS] that policy i has. */
const struct cli_settings *cli_lineup_settings(const struct cli_lineup *lineup, size_t i,
                                               const struct cli_settings *settings);

#endif
