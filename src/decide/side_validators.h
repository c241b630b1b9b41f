/*
 * The validators of a page's present version, in a side table by its key.  If there are any, the digest of the version's text is
 * kept with them, so that it is known at the first visit after a first hint whether the text has changed.
 */
#ifndef DECIDE_SIDE_VALIDATORS_H
#define DECIDE_SIDE_VALIDATORS_H

#include "decide/entry.h"
#include "perennial/validators.h"

/*
 * Reads a page's validators, or none if they are missing or damaged.  *text is prn_extractor_text of the version, 0: unknown; text
 * may be NULL.  Errors of the store
 */
int prn_side_validators_read(struct prn_validators *validators, uint64_t *text, const struct prn_store_reader *reader,
                             const struct prn_digest *key, struct prn_error *error);

/* Stages validators with the text, or the removal of both (NULL, or none given).  Errors of batches */
int prn_side_validators_put(const struct prn_validators *validators, uint64_t text, struct prn_batch *batch,
                            const struct prn_digest *key, struct prn_error *error);

/* Whether an entry of their side table can be read. */
bool prn_side_validators_are_whole(const void *bytes, size_t count);

#endif
