/*
 * How a page's record lies in its table, and its key in a queue.
 *
 * A record is, in order: a checksum of the rest (the low 32 bits of its XXH3-64, seeded with the low half of the key,
 * so that a record under another key does not pass); flags (1 byte); weight (IEEE 754), due, lease and the host that is
 * waited for (8 bytes each, if the flags say that they are there; a weight that is not there is 1, a host 0); the
 * state's length (varint); the state; the URL and a NUL.  Integers are little-endian.
 *
 * Of a new page the due time is stored as its queue's key has it (lane.h).
 *
 * A queue's key is the time, big-endian with its sign flipped, and the page's key.  In the queue of pages that wait for hosts, the
 * host's number comes first, big-endian.  The value is empty, except that pages which are due or wait for a host may have the
 * decider's note of their worth (decide/worth.h), which the store does not interpret.
 */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include "base/buffer.h"
#include "store/tables.h"
#include "perennial/store.h"

#define PRN_KEY_BYTES 16
#define PRN_QUEUE_KEY_BYTES (8 + PRN_KEY_BYTES)
#define PRN_WAITING_KEY_BYTES (8 + PRN_QUEUE_KEY_BYTES)
#define PRN_WORTH_BYTES 20 /* the longest value of a key in the queues of pages that are due and that wait for hosts */

/* Whether and where a page is queued. */
struct prn_place {
	bool queued;
	enum prn_queue queue;
	int64_t time;  /* as the queue's keys have it (lane.h) */
	uint64_t host; /* the host that the page waits for; 0 in the other queues */
};

struct prn_place prn_record_place(const struct prn_record *record);

/* The place of an entry that was read of a queue. */
struct prn_place prn_queued_place(enum prn_queue queue, uint64_t host, const struct prn_queued *queued);
bool prn_place_same(const struct prn_place *a, const struct prn_place *b);

enum prn_table prn_queue_table(enum prn_queue queue);

/* Appends the record.  PRN_E_ARGUMENT: a field is outside its range; PRN_E_MEMORY */
int prn_record_encode(const struct prn_record *record, struct prn_buffer *out, struct prn_error *error);

/* url and state of *record point into the bytes.  PRN_E_DAMAGED */
int prn_record_decode(const struct prn_digest *key, struct prn_bytes bytes, struct prn_record *record);

struct prn_digest prn_key_read(const unsigned char bytes[PRN_KEY_BYTES]);

/* time: as in a place */
void prn_queue_key(int64_t time, const struct prn_digest *key, unsigned char out[PRN_QUEUE_KEY_BYTES]);

/* Writes the queue key of a page at a place, which must be queued; returns its length. */
size_t prn_place_key(const struct prn_place *place, const struct prn_digest *key,
                     unsigned char out[PRN_WAITING_KEY_BYTES]);

/* PRN_E_DAMAGED: the bytes do not have the length of such a key */
int prn_queue_key_read(struct prn_bytes bytes, struct prn_queued *queued);
int prn_host_queue_key_read(struct prn_bytes bytes, uint64_t *host, struct prn_queued *queued);

#endif
