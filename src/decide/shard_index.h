/*
 * What a list of shards (store/shards.h) knows of each: when something of it is due, as prn_decider_due left it, and its
 * loads.  What has the list, the root or the decider of one of several, has the sum of its loads as its own; of several lists the
 * root's list of them says the same of each, so that a call reads two lists of a thousand where there are a million shards.
 *
 * Reports come in between and the list is not told: what it says is where to look first, and no reason not to look.
 *
 * Big-endian, 8 bytes each: the format's number, the time, the loads' maker (loads.h), pages whose loads they are, loads; and, where it is
 * known, how many pages it has in all.  An entry of another length is of one that was never asked.
 */
#ifndef DECIDE_SHARD_INDEX_H
#define DECIDE_SHARD_INDEX_H

#include "decide/loads.h"
#include "perennial/shard.h"

struct prn_shard_entry {
	bool is_made, is_known;
	int64_t due;            /* from when on there is something to hand out; INT64_MAX: nothing is to become due */
	uint64_t maker;
	struct prn_loads loads;
	uint64_t pages;         /* or PRN_SHARD_PAGES_UNKNOWN */
};

/* entries[count], by place, as the batch of what has the list reads them.  Errors of views */
int prn_shard_index_read(struct prn_decider *list, struct prn_shard_entry *entries, size_t count, struct prn_error *error);

/* One of them.  Errors of views */
int prn_shard_index_find(const struct prn_store_reader *list, size_t place, struct prn_shard_entry *entry, struct prn_error *error);

/*
 * Stages an entry, and adds what it changes to the sum of loads; loads NULL, pages unknown: as they were.  Errors of batches
 */
int prn_shard_index_put(struct prn_decider *list, size_t place, int64_t due, const struct prn_loads *loads, uint64_t pages,
                        struct prn_error *error);

/* Where there are no loads that are current: stages the sum of what entries have.  Errors of batches */
int prn_shard_index_sum(struct prn_decider *list, const struct prn_shard_entry *entries, size_t count,
                        struct prn_error *error);

#endif
