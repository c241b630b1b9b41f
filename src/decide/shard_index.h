/*
 * What a list of shards (store/shards.h) knows of each: when something of it is due, as prn_decider_due left it, and its
 * loads.  What has the list, the root or the decider of one of several, has the sum of its loads as its own; of several lists the
 * root's list of them says the same of each, so that a call reads two lists of a thousand where there are a million shards.
 *
 * Reports come in between and the list is not told: what it says is where to look first, and no reason not to look.
 *
 * When nothing was handed out, it also says by what: of a shard that has that version still, and of whoever asks in the same way, it
 * is all there is to know, and nothing need be asked.
 *
 * Big-endian, 8 bytes each: the format's number, the time, the loads' maker (loads.h), pages whose loads they are, loads; and then how
 * many pages it has in all, the version, the next time but for leases, the time of the asking, the threshold, as it lies in memory, a
 * number of who asked, and whether pages wait for giants, 0 or 1.  An entry of another length is of one that was never asked; without the
 * last seven, or the last, of one that an older program asked.
 */
#ifndef DECIDE_SHARD_INDEX_H
#define DECIDE_SHARD_INDEX_H

#include "decide/loads.h"
#include "perennial/shard.h"

/* What came of asking. */
struct prn_shard_found {
	int64_t due;      /* from when on there is something to hand out; INT64_MAX: nothing is to become due */
	int64_t next;     /* likewise, unless a lease runs out before; where the version is known */
	uint64_t pages;   /* or PRN_SHARD_PAGES_UNKNOWN */
	uint64_t version; /* of the shard as it was looked at (prn_view_version): after what is handed out there it is another; 0: not known */
	int64_t now;      /* of the asking */
	double threshold;
	uint64_t asker;   /* prn_shard_index_asker */
	bool giants_wait; /* pages of it wait for giants (giants.h), which may be asked sooner than due says */
};

struct prn_shard_entry {
	bool is_made, is_known;
	struct prn_shard_found found;
	uint64_t maker;
	struct prn_loads loads;
};

/* A number for the program, policy and options by which a decider's shards are asked; it is the same for the same ones. */
uint64_t prn_shard_index_asker(const struct prn_decider *root);

/* The size of an entry as it is stored. */
#define PRN_SHARD_INDEX_BYTES (8 * (PRN_LOADS + 11))
void prn_shard_index_encode(const struct prn_shard_entry *entry, unsigned char bytes[PRN_SHARD_INDEX_BYTES]);

/* Reads entries[count], by place, through the batch of the decider that has the list.  Errors of views */
int prn_shard_index_read(struct prn_decider *list, struct prn_shard_entry *entries, size_t count, struct prn_error *error);

/* Reads one entry.  Errors of views */
int prn_shard_index_find(const struct prn_store_reader *list, size_t place, struct prn_shard_entry *entry, struct prn_error *error);

/*
 * Stages an entry, and adds what it changes to the sum of loads.  With loads NULL, or pages unknown, these stay as they were.
 * Errors of batches
 */
int prn_shard_index_put(struct prn_decider *list, size_t place, const struct prn_shard_found *found, const struct prn_loads *loads,
                        struct prn_error *error);

/* Where there are no current loads, stages the sum of the loads in the entries.  Errors of batches */
int prn_shard_index_sum(struct prn_decider *list, const struct prn_shard_entry *entries, size_t count,
                        struct prn_error *error);

#endif
