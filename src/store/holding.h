/*
 * Keeps others from a store for as long as something is made beside it, however long that takes: a thread of its own asks again
 * before what was asked for ends.
 */
#ifndef STORE_HOLDING_H
#define STORE_HOLDING_H

#include "store/store_internal.h"

struct prn_holding;

/*
 * Holds a store that is open for writing, and asks again every so many seconds.  The store is freed after the holding.
 *
 * PRN_E_LIMIT	somebody else holds it
 * PRN_E_MEMORY, errors of prn_store_hold; then nothing is held
 */
int prn_holding_begin(struct prn_holding **out, const struct prn_store *store, double every_s, struct prn_error *error);

/* Asks once more, now.  PRN_E_LIMIT: somebody else has had it since; then it stays so.  Errors of prn_store_hold */
int prn_holding_check(struct prn_holding *holding, struct prn_error *error);

/* No more is asked, and what was asked for last ends when the store is freed.  NULL is fine. */
void prn_holding_end(struct prn_holding *holding);

#endif
