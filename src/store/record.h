/*
 * How a page's record lies in its table, and its key in a queue.
 *
 * A record is, in order: a checksum of the rest (the low 32 bits of its XXH3-64, seeded with the low half of the key,
 * so that a record under another key does not pass); flags (1 byte); weight (IEEE 754), due, lease and the host that is
 * waited for (8 bytes each, if the flags say that they are there; a weight that is not there is 1, a host 0); the
 * state's length (varint); the state; the URL and a NUL.  Integers are little-endian.
 *
 * A queue's key is the time, big-endian with its sign flipped, and the page's key; of those that wait for a host, that
 * comes first, big-endian.  Beside it stands nothing; of what is due or waits for a host there may be what a decider says of the
 * page's worth (decide/worth.h), to the store any bytes.
 */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include "base/buffer.h"
#include "store/tables.h"
#include "perennial/store.h"

#define PRN_KEY_BYTES 16
#define PRN_QUEUE_KEY_BYTES (8 + PRN_KEY_BYTES)
#define PRN_WAITING_KEY_BYTES (8 + PRN_QUEUE_KEY_BYTES)
#define PRN_WORTH_BYTES 20 /* at most, beside a key of the queues of what is due and of what waits for hosts */

/* Where a page stands. */
struct prn_place {
	bool queued;
	enum prn_queue queue;
	int64_t time;
	uint64_t host; /* that is waited for; of the other queues 0 */
};

struct prn_place prn_record_place(const struct prn_record *record);
bool prn_place_same(const struct prn_place *a, const struct prn_place *b);

enum prn_table prn_queue_table(enum prn_queue queue);

/* Appends the record.  PRN_E_ARGUMENT: a field is outside its range; PRN_E_MEMORY */
int prn_record_encode(const struct prn_record *record, struct prn_buffer *out, struct prn_error *error);

/* url and state of *record point into the bytes.  PRN_E_DAMAGED */
int prn_record_decode(const struct prn_digest *key, struct prn_bytes bytes, struct prn_record *record);

struct prn_digest prn_key_read(const unsigned char bytes[PRN_KEY_BYTES]);

void prn_queue_key(int64_t time, const struct prn_digest *key, unsigned char out[PRN_QUEUE_KEY_BYTES]);

/* The key of a page at a place where it is queued; returns its length. */
size_t prn_place_key(const struct prn_place *place, const struct prn_digest *key,
                     unsigned char out[PRN_WAITING_KEY_BYTES]);

/* PRN_E_DAMAGED: not the length of one */
int prn_queue_key_read(struct prn_bytes bytes, struct prn_queued *queued);
int prn_host_queue_key_read(struct prn_bytes bytes, uint64_t *host, struct prn_queued *queued);

#endif
