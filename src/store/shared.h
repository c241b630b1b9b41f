/*
 * Functions of the store for the decider, beyond those of store.h.  Most of them serve a store that is shared and far away.
 */
#ifndef STORE_SHARED_H
#define STORE_SHARED_H

#include "store/record.h"
#include "store/tables.h"
#include "perennial/store.h"

/*
 * Reads entries that will be asked for soon with one request, which takes as long as the request for one entry.  This only saves
 * time: other entries are read when they are asked for.  Errors of views
 */
int prn_batch_want(struct prn_batch *batch, const struct prn_wanted *wanted, size_t count, struct prn_error *error);
int prn_view_want(struct prn_view *view, const struct prn_wanted *wanted, size_t count, struct prn_error *error);

/* How many pages the store counts, without a walk: a damaged object of a cluster may have others.  Errors of views */
int prn_view_count_pages(struct prn_view *view, uint64_t *pages, struct prn_error *error);

/* prn_store_totals of a store without its shards. */
int prn_store_totals_one(struct prn_store *store, struct prn_store_totals *totals, struct prn_error *error);

void prn_store_totals_add(struct prn_store_totals *to, const struct prn_store_totals *totals);

/* As prn_batch_put, for a page whose key is known to be its own, or to be of an older schema. */
int prn_batch_put_known(struct prn_batch *batch, const struct prn_record *record, struct prn_error *error);

/*
 * As prn_batch_put_known, and stores worth, of at most PRN_WORTH_BYTES, beside the page's entry if that is in the queue of pages
 * that are due or that wait for hosts.  _put_known stores nothing there.
 */
int prn_batch_put_worth(struct prn_batch *batch, const struct prn_record *record, struct prn_bytes worth, struct prn_error *error);

/*
 * Walk a queue, or the pages that wait for a host, from where a lane begins, or has come to a time from (INT64_MIN: all).  The lane is
 * followed by the next.  Leases are all in the last lane.
 */
int prn_walk_lane(struct prn_walk **out, struct prn_view *view, enum prn_queue queue, enum prn_lane lane, int64_t from, struct prn_error *error);
int prn_walk_waiting_lane(struct prn_walk **out, struct prn_view *view, uint64_t host, enum prn_lane lane, struct prn_error *error);

/* As prn_walk_queue_next and prn_walk_waiting_next, with the worth that is stored beside the entry, valid until the view is closed. */
int prn_walk_queue_worth(struct prn_walk *walk, struct prn_queued *queued, struct prn_bytes *worth, struct prn_error *error);
int prn_walk_waiting_worth(struct prn_walk *walk, uint64_t host, struct prn_queued *queued, struct prn_bytes *worth, struct prn_error *error);

/*
 * Writes to *spoilt whether the page's entry can be read but is not a record: after PRN_E_DAMAGED from a _get this tells a damaged
 * page from a damaged file.  A record that is staged in a batch is always whole.  Errors of views
 */
int prn_view_is_spoilt(struct prn_view *view, const struct prn_digest *key, bool *spoilt, struct prn_error *error);
int prn_batch_is_spoilt(struct prn_batch *batch, const struct prn_digest *key, bool *spoilt, struct prn_error *error);

/* As prn_walk_pages_next, but goes on at a damaged record: then *whole is false, and only the key of *record is set. */
int prn_walk_pages_any(struct prn_walk *walk, struct prn_record *record, bool *whole, struct prn_error *error);

/*
 * Stages a move of the queue entry by which an unreadable page was found, or its removal (to->queued is false).  The entries of
 * other pages follow from their records.  PRN_E_MEMORY
 */
int prn_batch_move_entry(struct prn_batch *batch, const struct prn_digest *key, const struct prn_place *from,
                         const struct prn_place *to, struct prn_error *error);

/* A number that no other moment of the store has; 0: not known. */
uint64_t prn_view_version(struct prn_view *view);

/*
 * Looks at what was saved of a store that is made anew, before it takes the place of the damaged one: anything but 0 ends the
 * rebuild with that, and all is as it was.  PRN_E_DAMAGED (and the text says of what): its settings are damaged.
 */
struct prn_store_proof {
	int (*look)(void *context, struct prn_store *saved, struct prn_error *error);
	void *context;
};

/* prn_store_rebuild with a proof of the store itself, or of its root: shards have no settings of their own but which shards they are. */
int prn_store_rebuild_proved(const char *path, double lock_wait_s, const struct prn_store_proof *proof,
                             struct prn_store_rebuilt *rebuilt, struct prn_error *error);

/* Reads all entries into memory, so that a caller who goes on to read much meets no conflict.  Errors of views */
int prn_view_freeze(struct prn_view *view, struct prn_error *error);

#endif
