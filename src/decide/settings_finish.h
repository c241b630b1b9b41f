/* Finishes a change of a store's settings (perennial/settings_change.h) that was begun, by this process or another. */
#ifndef DECIDE_SETTINGS_FINISH_H
#define DECIDE_SETTINGS_FINISH_H

#include "decide/decider_internal.h"
#include "perennial/settings_change.h"

/* The settings that a change under way will set. */
struct prn_settings_target {
	unsigned words;
	double threshold; /* 0: unchanged */
	char *specification;
	uint64_t number;
};

/* Makes a decider without a store, with the new policy.  Errors as prn_policy_open; PRN_E_MEMORY */
int prn_settings_make_to(struct prn_decider **out, const struct prn_decider *from, const struct prn_settings_target *target,
                         struct prn_error *error);

/*
 * If the settings of a decider that was just opened are being changed, and it is opened for writing, finishes the change; the
 * decider must then be opened again.  changed may be NULL.  PRN_E_BUSY: it is opened for reading.  Errors of views and commits
 */
int prn_settings_change_finish(struct prn_decider *decider, struct prn_settings_changed *changed, struct prn_error *error);

#endif
