/*
 * What the files of the batch share.
 */
#ifndef STORE_BATCH_INTERNAL_H
#define STORE_BATCH_INTERNAL_H

#include "base/buffer.h"
#include "store/store_internal.h"

/* Offsets, not pointers: the bytes move when they grow. */
struct prn_waiting {
	uint64_t hash;
	enum prn_table table;
	bool removed;
	size_t key_at, key_bytes, value_at, value_bytes;
	struct prn_place before, after; /* where a page is queued in the store, and where once this is written … */
	unsigned char worth[PRN_WORTH_BYTES], worth_bytes; /* … with this worth beside it */
};

/* A staged change as it was before it was changed again, after the first savepoint. */
struct prn_earlier {
	size_t index;
	struct prn_waiting was;
};

struct prn_batch {
	struct prn_store *store;
	struct prn_view *view; /* of the last commit; NULL until something is read */
	bool has_missed;       /* the page that was asked for last is neither staged nor in the store; its key is missed */
	struct prn_digest missed;
	struct prn_buffer bytes;
	struct prn_buffer taken; /* a value on its way in: it may have come out of bytes, which move */
	struct prn_waiting *waiting;
	size_t count, capacity;
	struct prn_earlier *earlier; /* [earlier_count], since the first savepoint */
	size_t earlier_count, earlier_capacity;
	bool saving;       /* there is a savepoint since the last commit … */
	size_t saved;      /* … and changes from this one on are later than every savepoint */
	uint64_t commits;  /* how often this batch was committed or dropped */
	uint32_t *slots; /* open addressing, at most half full; indices of waiting, or NONE */
	size_t slot_count;
};

static inline struct prn_bytes prn_waiting_key(const struct prn_batch *batch, const struct prn_waiting *waiting)
{
	return (struct prn_bytes){ batch->bytes.data + waiting->key_at, waiting->key_bytes };
}

static inline struct prn_bytes prn_waiting_value(const struct prn_batch *batch, const struct prn_waiting *waiting)
{
	return (struct prn_bytes){ batch->bytes.data + waiting->value_at, waiting->value_bytes };
}

/* Writes the staged changes to the tables, in the order of the tables.  PRN_E_MEMORY, and errors of prn_tables_write. */
int prn_batch_write(const struct prn_batch *batch, struct prn_error *error);

#endif
