/*
 * The side tables whose keys are pages' keys: an entry goes where its page goes.
 */
#ifndef DECIDE_SIDES_H
#define DECIDE_SIDES_H

#include "base/buffer.h"
#include "base/checksum.h"
#include "decide/entry.h"

struct prn_decider;

/* Reads a page's entry in a side table.  PRN_E_NOT_FOUND (and *error is untouched), and errors of the store */
int prn_sides_read(const struct prn_store_reader *reader, enum prn_side side, const struct prn_digest *key,
                   const void **bytes, size_t *count, struct prn_error *error);

/* Stages a page's entry, or that there is none (bytes NULL).  Errors of batches */
int prn_sides_put(struct prn_batch *batch, enum prn_side side, const struct prn_digest *key, const void *bytes,
                  size_t count, struct prn_error *error);

/* Stages that a page has no entries.  Errors of batches */
int prn_sides_drop(struct prn_batch *batch, const struct prn_digest *key, struct prn_error *error);

/* Stages that the entries of one page become those of another.  Errors of views and batches */
int prn_sides_move(struct prn_batch *batch, const struct prn_digest *from, const struct prn_digest *to,
                   struct prn_error *error);

/* Stages a page's entries in a batch of another store.  Errors of views and batches */
int prn_sides_copy(struct prn_view *from, struct prn_batch *to, const struct prn_digest *key, struct prn_error *error);

/*
 * Reads the side tables through whose entries have a form that only deciders know (hosts' records are prn_store_check's), and
 * adds to *damaged how many cannot be read; options->report is told of them.  The second: of all shards, and *damaged is
 * written.  Errors of views
 */
int prn_sides_check(struct prn_view *view, const struct prn_store_check_options *options, uint64_t *damaged, struct prn_error *error);
int prn_decider_check_sides(struct prn_decider *decider, const struct prn_store_check_options *options, uint64_t *damaged,
                            struct prn_error *error);

/*
 * A checksum (base/checksum.h) behind what stands in a side table, little-endian.
 *
 * _seal appends that of out's bytes from a place on.  PRN_E_MEMORY
 * _unseal takes it off the end of what the cursor has left; false: it is not theirs, and they are damaged
 */
int prn_sides_seal(struct prn_buffer *out, size_t from);
bool prn_sides_unseal(struct prn_cursor *cursor);

#endif
