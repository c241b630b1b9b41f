/*
 * Keeps others from a store while something is made beside it, however long that takes: a thread renews the hold before it ends.
 */
#ifndef STORE_HOLDING_H
#define STORE_HOLDING_H

#include "store/store_internal.h"

struct prn_holding;

/*
 * Holds a store that is open for writing, and renews the hold every every_s seconds.  The store is freed after the holding.
 *
 * PRN_E_LIMIT	somebody else holds it
 * PRN_E_MEMORY, errors of prn_store_hold; then nothing is held
 */
int prn_holding_begin(struct prn_holding **out, const struct prn_store *store, double every_s, struct prn_error *error);

/* Renews the hold now.  PRN_E_LIMIT: somebody else has held the store since; every later call says the same.  Errors of prn_store_hold */
int prn_holding_check(struct prn_holding *holding, struct prn_error *error);

/* Stops renewing the hold, which ends when the store is freed.  NULL is fine. */
void prn_holding_end(struct prn_holding *holding);

#endif
