/*
 * Migrates stores that an older program wrote (store/schema.h): pages move to the keys that their URLs have now, with their
 * leases, suspects and hosts.
 *
 * Where two pages become one, the record with more visits stays; of two with as many visits, the later one.  A page whose URL
 * is no longer valid is removed.  Changes are committed by the twenty thousand, and each commit leaves a whole store: if the
 * process ends before all pages are moved, the next one goes on.
 */
#ifndef DECIDE_MIGRATE_H
#define DECIDE_MIGRATE_H

#include "decide/decider_internal.h"

/*
 * Migrates the store of a decider that is opened for writing, with nothing staged.  Errors of views and commits;
 * PRN_E_DAMAGED, PRN_E_MEMORY
 */
int prn_decider_migrate(struct prn_decider *decider, struct prn_error *error);

#endif
