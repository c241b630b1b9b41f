/* The side tables whose keys are pages' keys: an entry is moved and dropped with its page. */
#ifndef DECIDE_SIDES_H
#define DECIDE_SIDES_H

#include "base/buffer.h"
#include "base/checksum.h"
#include "decide/entry.h"

struct prn_decider;

/* Reads a page's entry in a side table.  PRN_E_NOT_FOUND (and *error is untouched), and errors of the store */
int prn_sides_read(const struct prn_store_reader *reader, enum prn_side side, const struct prn_digest *key,
                   const void **bytes, size_t *count, struct prn_error *error);

/* Stages a page's entry, or its removal (bytes NULL).  Errors of batches */
int prn_sides_put(struct prn_batch *batch, enum prn_side side, const struct prn_digest *key, const void *bytes,
                  size_t count, struct prn_error *error);

/* Stages the removal of a page's entries.  Errors of batches */
int prn_sides_drop(struct prn_batch *batch, const struct prn_digest *key, struct prn_error *error);

/* Stages that the entries of one page are moved to another.  Errors of views and batches */
int prn_sides_move(struct prn_batch *batch, const struct prn_digest *from, const struct prn_digest *to,
                   struct prn_error *error);

/* Stages a page's entries in a batch of another store.  Errors of views and batches */
int prn_sides_copy(struct prn_view *from, struct prn_batch *to, const struct prn_digest *key, struct prn_error *error);

/*
 * Checks the side tables whose entries have a form that only deciders know (prn_store_check checks hosts' records).  Entries that
 * cannot be read are reported to options->report, and prn_sides_check adds their number to *damaged.  prn_decider_check_sides
 * checks all shards, and writes *damaged.  Errors of views
 */
int prn_sides_check(struct prn_view *view, const struct prn_store_check_options *options, uint64_t *damaged, struct prn_error *error);
int prn_decider_check_sides(struct prn_decider *decider, const struct prn_store_check_options *options, uint64_t *damaged,
                            struct prn_error *error);

/*
 * A checksum (base/checksum.h) at the end of an entry of a side table, little-endian.
 *
 * _seal appends the checksum of out's bytes from a place on.  PRN_E_MEMORY
 * _unseal takes it off the end of the cursor's bytes.  Returns false if it does not match, so that they are damaged
 */
int prn_sides_seal(struct prn_buffer *out, size_t from);
bool prn_sides_unseal(struct prn_cursor *cursor);

#endif
