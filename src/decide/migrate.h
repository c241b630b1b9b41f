/*
 * Stores that an older program wrote (store/schema.h): pages come under the keys that their URLs have now, with their
 * leases, suspects and hosts.
 *
 * Where two pages become one, what is known of the one with more visits stays, of the later one of as many.  A page
 * whose URL is none any more goes.  Changes are committed by the twenty thousand, and each commit leaves a whole store:
 * when the process ends before all are moved, the next one goes on.
 */
#ifndef DECIDE_MIGRATE_H
#define DECIDE_MIGRATE_H

#include "decide/decider_internal.h"

/* For a decider opened for writing, with nothing staged.  Errors of views and commits; PRN_E_DAMAGED, PRN_E_MEMORY */
int prn_decider_migrate(struct prn_decider *decider, struct prn_error *error);

#endif
