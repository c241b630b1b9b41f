/* A suspect: content that is held back until a second visit (outcome.h), in a side table by its page's key. */
#ifndef DECIDE_SUSPECT_H
#define DECIDE_SUSPECT_H

#include "decide/entry.h"

/* _init, then _read or filled, then _release. */
struct prn_suspect {
	int64_t time, modified; /* of the visit that brought it; modified may be PRN_TIME_UNKNOWN */
	struct prn_summary summary; /* coarse; its hashes are in the member hashes, which has room for limit */
	uint64_t *hashes;
};

/* PRN_E_MEMORY */
int prn_suspect_init(struct prn_suspect *suspect, size_t limit);
void prn_suspect_release(struct prn_suspect *suspect);

/*
 * Reads a page's suspect, with summaries of limit hashes.  PRN_E_NOT_FOUND: there is none, or it is damaged and so cannot be
 * confirmed.  Errors of the store.
 */
int prn_suspect_read(struct prn_suspect *suspect, const struct prn_store_reader *reader, const struct prn_digest *key,
                     size_t limit, struct prn_error *error);

/* Whether an entry of their side table can be read. */
bool prn_suspect_is_whole(const void *bytes, size_t count);

/* Stages a suspect, or that there is none (NULL).  PRN_E_MEMORY, and errors of batches. */
int prn_suspect_put(const struct prn_suspect *suspect, struct prn_batch *batch, const struct prn_digest *key,
                    struct prn_error *error);

#endif
