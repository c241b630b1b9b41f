/*
 * The validators of a page's present version, in a side table by its key.  Where there are any, the digest of the version's
 * text is beside them, so that the first visit after a first hint can tell whether the text has changed.
 */
#ifndef DECIDE_SIDE_VALIDATORS_H
#define DECIDE_SIDE_VALIDATORS_H

#include "decide/entry.h"
#include "perennial/validators.h"

/*
 * Reads a page's validators; where there are none, or they are damaged, none are given.  text, which may be NULL:
 * prn_extractor_text of the version; 0: not known.  Errors of the store
 */
int prn_side_validators_read(struct prn_validators *validators, uint64_t *text, const struct prn_store_reader *reader,
                             const struct prn_digest *key, struct prn_error *error);

/* Stages them, or that there are none any more (NULL, or none given: then the text is not kept).  Errors of batches */
int prn_side_validators_put(const struct prn_validators *validators, uint64_t text, struct prn_batch *batch,
                            const struct prn_digest *key, struct prn_error *error);

/* Whether an entry of their side table can be read. */
bool prn_side_validators_are_whole(const void *bytes, size_t count);

#endif
