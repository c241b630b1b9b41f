/* The shards of a store one by one: what each has, and what to do about one that is lost. */
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

/* Called for each shard; *shard is valid during the call. */
typedef int prn_shard_stats_fn(void *context, const struct prn_shard_stats *shard);

/*
 * Lists each shard that was made, in order, by its own counters: it is opened, and its pages are not read.  A store without
 * shards has nothing to list.  Errors of views, and of opening those that are not lost
 */
int prn_decider_each_shard(struct prn_decider *decider, prn_shard_stats_fn *run, void *context, struct prn_error *error);

/*
 * Gives up a shard that is gone: an empty one takes its place, so that pages of its hosts can be added and reported again, as
 * unknown ones.  *pages receives how many it had, and *time when that was known, as last_pages and last_time above (NULL: not
 * asked for).  Commits what is staged.
 *
 * PRN_E_ARGUMENT	there is no such shard, or it can be opened and so has its pages; or the decider was opened for reading
 * PRN_E_NOT_FOUND	it was never made: it had no pages
 * PRN_E_DAMAGED	something stands there that cannot be opened: repair it, or move it away first
 * Errors of commits
 */
int prn_decider_give_up_shard(struct prn_decider *decider, size_t shard, uint64_t *pages, int64_t *time,
                              struct prn_error *error);

/* Called for each shard that was gone: how many pages it has now; why (NULL: it is back) tells why it is still gone. */
typedef void prn_shard_restored_fn(void *context, size_t shard, uint64_t pages, const struct prn_error *why);

/*
 * Brings shards that are gone back from a backup of the store (prn_store_backup), of the same engine or of another: as they
 * were when the backup was made. Shards that stand stay as they are, also if they are damaged.  A shard stays gone if the
 * backup lacks it, or has it damaged, or if it went while this decider had it open: a decider that has closed it can bring it
 * back.  A list of shards that is gone is then made anew from the shards that stand (prn_decider_give_up_list).  restored may be
 * NULL.  Commits what is staged.
 *
 * PRN_E_ARGUMENT	the decider was opened for reading; the store has no shards; backup is the store itself
 * PRN_E_DAMAGED	backup is another store, or one of another store
 * PRN_E_VERSION	the store's policy was changed (settings_change.h) since the backup was made: its pages could not be read
 * Errors of prn_store_open, prn_store_backup, opening shards and commits
 */
int prn_decider_restore_shards(struct prn_decider *decider, const char *backup, prn_shard_restored_fn *restored, void *context,
                               struct prn_error *error);

/*
 * In a store of more than 4,096 shards every 1,024 of them have a list of their own.  Gives up a list that is gone: a new one
 * takes its place, with those of its shards that stand, and *listed (NULL: not asked for) is their number.  Everything else
 * in a list can be found out anew.  Shards that are gone as well are forgotten with it, and their pages become unknown.
 * Commits what is staged.
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
