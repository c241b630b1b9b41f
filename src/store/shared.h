/*
 * What a decider asks of its store beyond what store.h has: most of it what one that is shared and far away needs.
 */
#ifndef STORE_SHARED_H
#define STORE_SHARED_H

#include "store/record.h"
#include "store/tables.h"
#include "perennial/store.h"

/*
 * Reads what will be asked for soon in one question, which takes as long as that for one entry.  Only ever saves time: what
 * was not wanted is read when it is asked for.  Errors of views
 */
int prn_batch_want(struct prn_batch *batch, const struct prn_wanted *wanted, size_t count, struct prn_error *error);
int prn_view_want(struct prn_view *view, const struct prn_wanted *wanted, size_t count, struct prn_error *error);

/* prn_store_totals of a store without its shards. */
int prn_store_totals_one(struct prn_store *store, struct prn_store_totals *totals, struct prn_error *error);

void prn_store_totals_add(struct prn_store_totals *to, const struct prn_store_totals *totals);

/* prn_batch_put of a page whose key is known to be its own, or of an older schema. */
int prn_batch_put_known(struct prn_batch *batch, const struct prn_record *record, struct prn_error *error);

/* The same, and if it comes to stand where pages that are due or wait for hosts do, then with up to PRN_WORTH_BYTES beside it; _put_known has none. */
int prn_batch_put_worth(struct prn_batch *batch, const struct prn_record *record, struct prn_bytes worth, struct prn_error *error);

/* prn_walk_queue_next and prn_walk_waiting_next with what stands beside it, valid until the view is closed. */
int prn_walk_queue_worth(struct prn_walk *walk, struct prn_queued *queued, struct prn_bytes *worth, struct prn_error *error);
int prn_walk_waiting_worth(struct prn_walk *walk, uint64_t host, struct prn_queued *queued, struct prn_bytes *worth, struct prn_error *error);

/*
 * Whether what the store has of a page can be read, and is no record: after PRN_E_DAMAGED of a _get, one page is damaged and
 * not the file.  What waits in a batch is whole.  Errors of views
 */
int prn_view_is_spoilt(struct prn_view *view, const struct prn_digest *key, bool *spoilt, struct prn_error *error);
int prn_batch_is_spoilt(struct prn_batch *batch, const struct prn_digest *key, bool *spoilt, struct prn_error *error);

/* prn_walk_pages_next that goes on: of a page whose record is damaged *whole is false, and of *record only the key is set. */
int prn_walk_pages_any(struct prn_walk *walk, struct prn_record *record, bool *whole, struct prn_error *error);

/*
 * Stages that the entry of a queue by which a page that cannot be read was found stands elsewhere, or nowhere
 * (to->queued is false).  Of other pages that follows from their records.  PRN_E_MEMORY
 */
int prn_batch_move_entry(struct prn_batch *batch, const struct prn_digest *key, const struct prn_place *from,
                         const struct prn_place *to, struct prn_error *error);

/* A number that no other moment of the store has; 0: not known. */
uint64_t prn_view_version(struct prn_view *view);

/* Reads all there is into memory: who goes on to read much is met by no conflict then.  Errors of views */
int prn_view_freeze(struct prn_view *view, struct prn_error *error);

#endif
