/*
 * The index of a list of shards (store/shards.h).  For each shard it has the time at which something becomes due, as the last
 * prn_decider_due left it, and the shard's loads.  The list belongs to the root, or to the decider of one list of several; that
 * decider stores the sum of the loads as its own.  Where there are several lists, the root has an index of them in the same form, so
 * that a call reads two lists of a thousand where there are a million shards.
 *
 * Reports to a shard do not update the index.  It says where to look first, and is no reason not to look.
 *
 * If nothing was handed out, the entry also records how the shard was asked.  If the shard still has the recorded version and is asked
 * in the same way, the entry is all there is to know, and the shard need not be asked.
 *
 * An entry is numbers of 8 bytes, big-endian: the format, due, the loads' maker (loads.h), the number of pages that the loads are of,
 * the loads, and the part of each that is of new pages; then the members of struct prn_shard_found after due: pages, version, next, now,
 * threshold (its bits), asker, giants_wait (0 or 1).  An entry of another form is of a shard that was never asked.
 */
#ifndef DECIDE_SHARD_INDEX_H
#define DECIDE_SHARD_INDEX_H

#include "decide/loads.h"
#include "perennial/shard.h"

/* What was found when a shard was asked for pages that are due. */
struct prn_shard_found {
	int64_t due;      /* when there is something to hand out; INT64_MAX: nothing is going to be due */
	int64_t next;     /* likewise, unless a lease runs out before; only where the version is known */
	uint64_t pages;   /* in the shard, or PRN_SHARD_PAGES_UNKNOWN */
	uint64_t version; /* of the shard when it was read (prn_view_version), which handing pages out changes; 0: unknown */
	int64_t now;      /* the time for which it was asked … */
	double threshold; /* … and the threshold */
	uint64_t asker;   /* prn_shard_index_asker */
	bool giants_wait; /* pages wait for giants (giants.h), which may have their turn before due */
};

struct prn_shard_entry {
	bool is_made, is_known;
	struct prn_shard_found found;
	uint64_t maker;
	struct prn_loads loads;
};

/* A hash of the program, policy and options with which a decider's shards are asked. */
uint64_t prn_shard_index_asker(const struct prn_decider *root);

/* The size of an entry as it is stored. */
#define PRN_SHARD_INDEX_BYTES (PRN_LOADS_BYTES + 8 * 10)
void prn_shard_index_encode(const struct prn_shard_entry *entry, unsigned char bytes[PRN_SHARD_INDEX_BYTES]);

/* Reads entries[count], by place, through the batch of the decider that the list belongs to.  Errors of views */
int prn_shard_index_read(struct prn_decider *list, struct prn_shard_entry *entries, size_t count, struct prn_error *error);

/* Reads one entry.  Errors of views */
int prn_shard_index_find(const struct prn_store_reader *list, size_t place, struct prn_shard_entry *entry, struct prn_error *error);

/*
 * Stages an entry, and updates the sum of loads.  If loads is NULL, or pages is unknown, that part of the entry stays as it was.
 * Errors of batches
 */
int prn_shard_index_put(struct prn_decider *list, size_t place, const struct prn_shard_found *found, const struct prn_loads *loads,
                        struct prn_error *error);

/* Where there are no current loads, stages the sum of the loads in the entries.  Errors of batches */
int prn_shard_index_sum(struct prn_decider *list, const struct prn_shard_entry *entries, size_t count,
                        struct prn_error *error);

#endif
