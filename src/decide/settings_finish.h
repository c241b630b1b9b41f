/*
 * Goes on with a change of a store's settings (perennial/settings_change.h) that was begun.
 */
#ifndef DECIDE_SETTINGS_FINISH_H
#define DECIDE_SETTINGS_FINISH_H

#include "decide/decider_internal.h"
#include "perennial/settings_change.h"

/* What is under way: settings as they are to be. */
struct prn_settings_target {
	unsigned words;
	double threshold; /* 0: as it is */
	char *specification;
	uint64_t number;
};

/* A decider of no store, with the policy that is to be.  Errors as prn_policy_open; PRN_E_MEMORY */
int prn_settings_make_to(struct prn_decider **out, const struct prn_decider *from, const struct prn_settings_target *target,
                         struct prn_error *error);

/*
 * Of a decider just opened whose settings are being changed: opened for writing, goes on with that to its end; the decider is
 * then to be opened again.  changed may be NULL.  PRN_E_BUSY: opened for reading.  Errors of views and commits
 */
int prn_settings_change_finish(struct prn_decider *decider, struct prn_settings_changed *changed, struct prn_error *error);

#endif
