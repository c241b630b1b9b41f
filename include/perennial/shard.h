/*
 * The shards of a store one by one: what each has, and what is done about one that is lost.
 */
#ifndef PERENNIAL_SHARD_H
#define PERENNIAL_SHARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/decider.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_SHARD_PAGES_UNKNOWN UINT64_MAX

struct prn_shard_stats {
	size_t shard;                   /* its number, from 0 */
	struct prn_store_totals totals; /* what it has; of one that is lost all 0 */
	uint64_t last_pages;            /* how many pages it had at last_time; or _UNKNOWN */
	int64_t last_time;              /* when prn_decider_due last asked it, to lease what is due; what was added since is not counted */
	const struct prn_error *lost;   /* why it cannot be opened: it is gone, damaged, or another's; NULL: it can */
};

/* What it returns, if not 0, ends the listing and is returned. */
typedef int prn_shard_stats_fn(void *context, const struct prn_shard_stats *shard);

/*
 * Tells each shard that was made, in order, from its own counters: it is opened, and not read.  Nothing of a store without
 * shards.  Errors of views, and of opening those that are not lost
 */
int prn_decider_each_shard(struct prn_decider *decider, prn_shard_stats_fn *run, void *context, struct prn_error *error);

/*
 * Gives up a shard that is gone: an empty one takes its place, so that pages of its hosts can be added and reported again, as
 * unknown ones.  *pages (NULL: not asked for): how many it had, and *time (likewise) when, as last_pages and
 * last_time above.  Commits what is staged.
 *
 * PRN_E_ARGUMENT	there is no such shard, or it can be opened: it has its pages; or the decider was opened for reading
 * PRN_E_NOT_FOUND	it was never made: it had no pages
 * PRN_E_DAMAGED	something stands there that cannot be opened: repair it, or move it away first
 * Errors of commits
 */
int prn_decider_give_up_shard(struct prn_decider *decider, size_t shard, uint64_t *pages, int64_t *time,
                              struct prn_error *error);

/* Told of each shard that was gone: how many pages it has now; why (NULL: it is back) it is gone still. */
typedef void prn_shard_restored_fn(void *context, size_t shard, uint64_t pages, const struct prn_error *why);

/*
 * Brings shards that are gone back from a backup of the store (prn_store_backup), of the same engine or of another: as they were when it was made.
 * Those that stand stay as they are, also if they are damaged, and so does one that the backup lacks, or has damaged, or that
 * went while this decider had it open: who has closed that one brings it back.  A list of shards that is
 * gone is made anew of those that stand then (prn_decider_give_up_list).  tell may be NULL.  Commits what is staged.
 *
 * PRN_E_ARGUMENT	the decider was opened for reading; the store has no shards; backup is the store itself
 * PRN_E_DAMAGED	backup is another store, or one of another store
 * PRN_E_VERSION	the store's policy was changed (settings_change.h) since the backup was made: its pages could not be read
 * Errors of prn_store_open, prn_store_backup, opening shards and commits
 */
int prn_decider_restore_shards(struct prn_decider *decider, const char *backup, prn_shard_restored_fn *tell, void *context,
                               struct prn_error *error);

/*
 * Of a store of more than 4,096 shards each 1,024 have a list of their own.  Gives up one that is gone: a new one takes its place, with those
 * of its shards that stand, *listed (NULL: not asked for) of them; a list has nothing else that is not found out anew.  Of shards that are gone too it is not
 * known any more: their pages are unknown.  Commits what is staged.
 *
 * PRN_E_ARGUMENT	there is no such list, or it can be opened; or the decider was opened for reading
 * PRN_E_NOT_FOUND	it was never made: it had no shards
 * PRN_E_DAMAGED	something stands there that cannot be opened: repair it, or move it away first
 * Errors of opening shards, and of commits
 */
int prn_decider_give_up_list(struct prn_decider *decider, size_t list, size_t *listed, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
