/*
 * What a store that is shared and far away needs, and any other does without.
 */
#ifndef STORE_SHARED_H
#define STORE_SHARED_H

#include "store/tables.h"
#include "perennial/store.h"

/*
 * Reads what will be asked for soon in one question, which takes as long as that for one entry.  Only ever saves time: what
 * was not wanted is read when it is asked for.  Errors of views
 */
int prn_batch_want(struct prn_batch *batch, const struct prn_wanted *wanted, size_t count, struct prn_error *error);
int prn_view_want(struct prn_view *view, const struct prn_wanted *wanted, size_t count, struct prn_error *error);

/* Reads all there is into memory: who goes on to read much is met by no conflict then.  Errors of views */
int prn_view_freeze(struct prn_view *view, struct prn_error *error);

#endif
