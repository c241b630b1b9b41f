/*
 * What the root of a store of several shards knows of each, in its list of them (store/shards.h): when something of it
 * is due, as prn_decider_due left it, and its loads.  The root's own loads are their sum.
 *
 * Reports come in between and the list is not told: what it says is where to look first, and no reason not to look.
 *
 * Big-endian, 8 bytes each: the format's number, the time, the loads' maker (loads.h), pages, loads.  An entry of
 * another length is of a shard that was never asked.
 */
#ifndef DECIDE_SHARD_INDEX_H
#define DECIDE_SHARD_INDEX_H

#include "decide/loads.h"

struct prn_shard_entry {
	bool is_made, is_known;
	int64_t due;            /* from when on there is something to hand out; INT64_MAX: nothing is to become due */
	uint64_t maker;
	struct prn_loads loads;
};

/* entries[count] as the root's batch reads them.  Errors of views */
int prn_shard_index_read(struct prn_decider *root, struct prn_shard_entry *entries, struct prn_error *error);

/*
 * Stages an entry, and adds what it changes to the sum of loads that the root has; loads NULL: as they were.  Errors of
 * batches
 */
int prn_shard_index_put(struct prn_decider *root, size_t shard, int64_t due, const struct prn_loads *loads,
                        struct prn_error *error);

/* Where the root has no loads that are current: stages the sum of what entries have.  Errors of batches */
int prn_shard_index_sum(struct prn_decider *root, const struct prn_shard_entry *entries, struct prn_error *error);

#endif
