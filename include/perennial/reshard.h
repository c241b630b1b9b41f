/*
 * Makes a new store from an old one, with another number of shards, other giants, or in another place.  The new store has all
 * that the old one has, and the old one stays as it is.
 *
 * Each page goes to the shard where its host, or its part of a giant, belongs, with all that is kept of it; so do hosts,
 * sources of hints and what pages of a site say of each other.  What each shard has of one sum is added up: budgets, answers,
 * loads.  A giant that becomes one host waits once and has as many leases as it has pages out; what redirects and hints may
 * add, and what is known of its sources and patterns, is summed over its parts, or shared evenly among them.  Targets of
 * redirects that belong to other shards, and are not there yet, are added.
 *
 * Nobody may write to the old store meanwhile.  For a folder this is ensured; in a cluster a write is found out up to the
 * moment at which the new store stands, and the new store is then taken back.  Later writes to the old store go to it alone.
 * The new store stands when all of it does; while it is being made it is no store, and its path with ".backup" behind its
 * name marks it. The process that makes it holds that mark: a second one is refused.
 */
#ifndef PERENNIAL_RESHARD_H
#define PERENNIAL_RESHARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/store.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_reshard_options {
	unsigned shards;           /* that it is to have: a power of two up to PRN_SHARDS_MOST; 0: 1, it is one store */
	const char *const *giants; /* [giant_count] hosts that are to be spread over shards, as prn_decider_settings has them: no others are */
	size_t giant_count;
	bool resume;               /* goes on with what was begun there of this store, in the same way; where nothing was, begins */
	double lock_wait_s;        /* for another writer of the old store to finish */
	void (*progress)(void *context, uint64_t pages, uint64_t of); /* told now and then how many were moved by this call; may be NULL */
	void *context;
};

struct prn_resharded {
	uint64_t pages;  /* that were moved by this call */
	size_t made;     /* shards that the new store has made */
	uint64_t added;  /* pages that redirects led to in other shards, and that were not there yet */
};

/*
 * done may be NULL; it is written on success.
 *
 * PRN_E_ARGUMENT	no such number of shards, or no such giants
 * PRN_E_BUSY		the old store was written to since this began, or since what is gone on with did; or its settings are being
 *			changed; or a cluster does not answer
 * PRN_E_DAMAGED	the old store has a page that cannot be read, or lacks a shard: nothing is left out unasked
 * PRN_E_VERSION	it is of an older schema, or its policy is not known here
 * PRN_E_LIMIT		somebody writes to the old store, or is at work on the new one
 * PRN_E_IO		something stands where the new one is to be, or was begun there, of another store or in another way
 * Errors of prn_decider_open, of views and of commits
 */
int prn_reshard(const char *from, const char *to, const struct prn_reshard_options *options, struct prn_resharded *done, struct prn_error *error);

/* Removes what there is of one that was begun: as prn_store_backup_discard, with its errors. */
int prn_reshard_discard(const char *to, struct prn_store_discarded *discarded, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
