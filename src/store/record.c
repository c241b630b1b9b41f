#include "store/record.h"

#include "perennial/url.h"
#include "store/big_endian.h"
#include "store/lane.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

#define CHECKSUM_BYTES 4
#define HEAD_BYTES (CHECKSUM_BYTES + 1 + 4 * 8 + PRN_VARINT_BYTES) /* the most that is before a state: flags, numbers and its length */

enum {
	HAS_DUE = 1,
	HAS_LEASE = 2,
	HAS_WEIGHT = 4,
	HAS_HOST = 8,
	KNOWN_FLAGS = HAS_DUE | HAS_LEASE | HAS_WEIGHT | HAS_HOST
};

#define USUAL_WEIGHT 1.0 /* takes no room */

void prn_key_bytes(const struct prn_digest *key, unsigned char out[PRN_KEY_BYTES])
{
	prn_big_put(&out, 8, key->high);
	prn_big_put(&out, 8, key->low);
}

struct prn_digest prn_key_read(const unsigned char bytes[PRN_KEY_BYTES])
{
	uint64_t high = prn_big_take(&bytes, 8);

	return (struct prn_digest){ .high = high, .low = prn_big_take(&bytes, 8) };
}

void prn_queue_key(int64_t time, const struct prn_digest *key, unsigned char out[PRN_QUEUE_KEY_BYTES])
{
	prn_big_put_time(&out, time);
	prn_key_bytes(key, out);
}

int prn_queue_key_read(struct prn_bytes bytes, struct prn_queued *queued)
{
	const unsigned char *at = bytes.data;

	if (bytes.length != PRN_QUEUE_KEY_BYTES)
		return PRN_E_DAMAGED;
	queued->time = prn_big_take_time(&at);
	queued->lane = prn_lane_of(queued->time);
	queued->time = prn_lane_leave(queued->time);
	queued->key = prn_key_read(at);
	return 0;
}

int prn_host_queue_key_read(struct prn_bytes bytes, uint64_t *host, struct prn_queued *queued)
{
	const unsigned char *at = bytes.data;

	if (bytes.length != PRN_WAITING_KEY_BYTES)
		return PRN_E_DAMAGED;
	*host = prn_big_take(&at, 8);
	return prn_queue_key_read((struct prn_bytes){ at, PRN_QUEUE_KEY_BYTES }, queued);
}

size_t prn_place_key(const struct prn_place *place, const struct prn_digest *key,
                     unsigned char out[PRN_WAITING_KEY_BYTES])
{
	unsigned char *at = out;

	if (place->queue == PRN_QUEUE_WAITING)
		prn_big_put(&at, 8, place->host);
	prn_queue_key(place->time, key, at);
	return (size_t)(at - out) + PRN_QUEUE_KEY_BYTES;
}

/* The due time as the bytes of a record, and the key of its queue, have it. */
static int64_t keyed_due(const struct prn_record *record)
{
	return prn_lane_enter(prn_lane_for(record->lane, record->due), record->due);
}

struct prn_place prn_record_place(const struct prn_record *record)
{
	if (record->lease != PRN_TIME_UNKNOWN)
		return (struct prn_place){ .queued = true, .queue = PRN_QUEUE_LEASES, .time = record->lease };
	if (record->due == PRN_TIME_UNKNOWN)
		return (struct prn_place){ 0 };
	return (struct prn_place){ .queued = true, .time = keyed_due(record), .host = record->waits_for,
		                   .queue = record->waits_for ? PRN_QUEUE_WAITING : PRN_QUEUE_DUE };
}

struct prn_place prn_queued_place(enum prn_queue queue, uint64_t host, const struct prn_queued *queued)
{
	return (struct prn_place){ .queued = true, .queue = queue, .time = prn_lane_enter(queued->lane, queued->time), .host = host };
}

bool prn_place_same(const struct prn_place *a, const struct prn_place *b)
{
	return a->queued == b->queued &&
	       (!a->queued || (a->queue == b->queue && a->time == b->time && a->host == b->host));
}

enum prn_table prn_queue_table(enum prn_queue queue)
{
	return queue == PRN_QUEUE_LEASES    ? PRN_TABLE_LEASES
	       : queue == PRN_QUEUE_WAITING ? PRN_TABLE_WAITING
	                                    : PRN_TABLE_DUE;
}

static uint32_t checksum(const struct prn_digest *key, const unsigned char *bytes, size_t length)
{
	return (uint32_t)XXH3_64bits_withSeed(bytes, length, key->low);
}

static bool is_weight(double weight)
{
	return isfinite(weight) && weight >= 0;
}

static int check_fields(const struct prn_record *record, struct prn_error *error)
{
	size_t length = record->url ? strnlen(record->url, PRN_URL_BYTES + 1) : 0;

	if (!length || length > PRN_URL_BYTES)
		return prn_error_set(error, PRN_E_ARGUMENT, "a page has a URL of 1 to %d bytes", PRN_URL_BYTES);
	if (!is_weight(record->weight))
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: the weight must be a finite number, 0 or more",
		                     record->url);
	if (record->due != PRN_TIME_UNKNOWN && record->due < prn_lane_first(PRN_LANE_KNOWN))
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: a page cannot be due so long before the year 1", record->url);
	if (record->state_bytes > PRN_RECORD_STATE_BYTES)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: a state has at most %d bytes", record->url,
		                     PRN_RECORD_STATE_BYTES);
	if (record->state_bytes && !record->state)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s: a state of %zu bytes is missing", record->url, record->state_bytes);
	return 0;
}

/* Writes eight bytes if they are there, and returns where the next go. */
static unsigned char *put_optional(unsigned char *at, bool there, uint64_t value)
{
	if (there)
		prn_little_put(at, 8, value);
	return at + (there ? 8 : 0);
}

/* There must be room for all fields. */
static unsigned char *put_fields(const struct prn_record *record, size_t url_bytes, unsigned char *at)
{
	unsigned flags = (record->due != PRN_TIME_UNKNOWN ? HAS_DUE : 0) | (record->lease != PRN_TIME_UNKNOWN ? HAS_LEASE : 0) |
	                 (record->waits_for ? HAS_HOST : 0) |
	                 (record->weight < USUAL_WEIGHT || record->weight > USUAL_WEIGHT ? HAS_WEIGHT : 0);
	uint64_t weight;

	memcpy(&weight, &record->weight, sizeof weight);
	*at++ = (unsigned char)flags;
	at = put_optional(at, flags & HAS_WEIGHT, weight);
	at = put_optional(at, flags & HAS_DUE, (uint64_t)keyed_due(record));
	at = put_optional(at, flags & HAS_LEASE, (uint64_t)record->lease);
	at = put_optional(at, flags & HAS_HOST, record->waits_for);
	at = prn_varint_put(at, record->state_bytes);
	if (record->state_bytes)
		memcpy(at, record->state, record->state_bytes);
	memcpy(at + record->state_bytes, record->url, url_bytes);
	return at + record->state_bytes + url_bytes;
}

int prn_record_encode(const struct prn_record *record, struct prn_buffer *out, struct prn_error *error)
{
	size_t url_bytes;
	unsigned char *start, *fields, *end;
	int code = check_fields(record, error);

	if (code)
		return code;
	url_bytes = strlen(record->url) + 1;
	if (prn_buffer_reserve(out, HEAD_BYTES + record->state_bytes + url_bytes)) {
		code = prn_error_memory(error);
		prn_error_prefix(error, "%s", record->url);
		return code;
	}
	start = out->data + out->length;
	fields = start + CHECKSUM_BYTES;
	end = put_fields(record, url_bytes, fields);
	prn_little_put(start, CHECKSUM_BYTES, checksum(&record->key, fields, (size_t)(end - fields)));
	out->length += (size_t)(end - start);
	return 0;
}

/* Eight bytes that are there or not. */
static bool read_optional(struct prn_cursor *cursor, bool there, void *value)
{
	uint64_t bits;

	if (!there)
		return true;
	if (prn_cursor_u64(cursor, &bits))
		return false;
	memcpy(value, &bits, sizeof bits);
	return true;
}

static bool read_fields(struct prn_cursor *cursor, struct prn_record *record)
{
	const unsigned char *flags, *url;
	uint64_t state_bytes;
	size_t length;

	if (prn_cursor_bytes(cursor, 1, &flags) || *flags & ~KNOWN_FLAGS ||
	    !read_optional(cursor, *flags & HAS_WEIGHT, &record->weight) ||
	    !read_optional(cursor, *flags & HAS_DUE, &record->due) ||
	    !read_optional(cursor, *flags & HAS_LEASE, &record->lease) ||
	    !read_optional(cursor, *flags & HAS_HOST, &record->waits_for) || prn_cursor_varint(cursor, &state_bytes) ||
	    state_bytes > PRN_RECORD_STATE_BYTES || prn_cursor_bytes(cursor, (size_t)state_bytes, &record->state) ||
	    !is_weight(record->weight))
		return false;
	record->lane = prn_lane_of(record->due);
	record->due = prn_lane_leave(record->due);
	record->state_bytes = (size_t)state_bytes;
	/* The URL is the rest, which ends with its only NUL. */
	url = cursor->data + cursor->at;
	length = cursor->length - cursor->at;
	record->url = (const char *)url;
	return length >= 2 && length <= PRN_URL_BYTES + 1 && memchr(url, 0, length) == url + length - 1;
}

int prn_record_decode(const struct prn_digest *key, struct prn_bytes bytes, struct prn_record *record)
{
	struct prn_cursor cursor = { .data = bytes.data, .length = bytes.length };
	struct prn_record read = { .key = *key, .weight = USUAL_WEIGHT, .due = PRN_TIME_UNKNOWN,
	                           .lease = PRN_TIME_UNKNOWN };
	uint32_t sum;

	if (prn_cursor_u32(&cursor, &sum) ||
	    sum != checksum(key, cursor.data + CHECKSUM_BYTES, cursor.length - CHECKSUM_BYTES) ||
	    !read_fields(&cursor, &read))
		return PRN_E_DAMAGED;
	*record = read;
	return 0;
}
