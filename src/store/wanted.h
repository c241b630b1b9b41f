/*
 * What a batch will read soon, asked for in one question: a store that is far away answers many as fast as one.
 */
#ifndef STORE_WANTED_H
#define STORE_WANTED_H

#include "store/tables.h"
#include "perennial/store.h"

/* Only ever saves time: what was not asked for is read when it is needed.  Errors of views */
int prn_batch_want(struct prn_batch *batch, const struct prn_wanted *wanted, size_t count, struct prn_error *error);

#endif
