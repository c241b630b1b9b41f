#include "decide/unreadable.h"

#include "perennial/due.h"
#include "store/big_endian.h"

#include <string.h>

#define NAME "unreadable"
#define BYTES 16 /* when the first of a day was found, and how many since */

static int read_count(const struct prn_store_reader *reader, int64_t now, int64_t *since, uint64_t *count,
                      struct prn_error *error)
{
	const void *found;
	const unsigned char *at;
	size_t length;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, NAME, strlen(NAME), &found, &length, error);

	*since = now;
	*count = 0;
	if (code || length != BYTES)
		return code == PRN_E_NOT_FOUND ? 0 : code;
	at = found;
	*since = prn_big_take_time(&at);
	*count = prn_big_take(&at, 8);
	if (*since <= now && now < prn_time_after(*since, PRN_UNREADABLE_AGAIN_S))
		return 0;
	*since = now;
	*count = 0;
	return 0;
}

int prn_unreadable_count(const struct prn_store_reader *reader, int64_t now, uint64_t *count, struct prn_error *error)
{
	int64_t since;

	return read_count(reader, now, &since, count, error);
}

static int count_one(const struct prn_queue_reading *reading, struct prn_error *error)
{
	unsigned char bytes[BYTES], *at = bytes;
	uint64_t count;
	int64_t since;
	int code = read_count(&reading->reader, reading->now, &since, &count, error);

	prn_big_put_time(&at, since);
	prn_big_put(&at, 8, count + 1);
	return code ? code
	            : prn_batch_side_put(reading->decider->batch, PRN_SIDE_META, NAME, strlen(NAME), bytes,
	                                 sizeof bytes, error);
}

static int note(const struct prn_queue_reading *reading, const struct prn_error *why, struct prn_error *error)
{
	if (!reading->unreadable->count++)
		reading->unreadable->first = *why;
	return reading->reader.batch ? count_one(reading, error) : 0;
}

static int64_t again(const struct prn_queue_reading *reading)
{
	return prn_time_after(reading->now, PRN_UNREADABLE_AGAIN_S);
}

static int move_entry(const struct prn_queue_reading *reading, const struct prn_place *from,
                      const struct prn_digest *key, const struct prn_place *to, struct prn_error *error)
{
	return reading->reader.batch ? prn_batch_move_entry(reading->decider->batch, key, from, to, error) : 0;
}

int prn_queued_get(const struct prn_queue_reading *reading, const struct prn_place *place, const struct prn_digest *key,
                   struct prn_record *record, struct prn_error *error)
{
	const struct prn_place behind = { .queued = true, .queue = PRN_QUEUE_DUE, .time = again(reading) },
			       nowhere = { 0 };
	struct prn_error why = { 0 };
	struct prn_place found;
	bool spoilt = false;
	int code = prn_store_reader_get(&reading->reader, key, record, &why), failed = 0;

	if (!code) {
		found = prn_record_place(record);
		return prn_place_same(&found, place) ? 1 : move_entry(reading, place, key, &nowhere, error);
	}
	if (code == PRN_E_DAMAGED)
		failed = prn_store_reader_is_spoilt(&reading->reader, key, &spoilt, error);
	if (failed)
		return failed;
	if (code == PRN_E_NOT_FOUND)
		prn_error_set(&why, PRN_E_DAMAGED, "%s: a queue names a page that is not there",
		              prn_store_path(reading->decider->store));
	else if (!spoilt) {
		if (error)
			*error = why;
		return code;
	}
	code = note(reading, &why, error);
	return code ? code : move_entry(reading, place, key, spoilt ? &behind : &nowhere, error);
}

int prn_queued_read(const struct prn_queue_reading *reading, const struct prn_place *place,
                    const struct prn_digest *key, struct prn_entry *entry, struct prn_error *error)
{
	struct prn_error why = { 0 };
	struct prn_record record;
	int code = prn_queued_get(reading, place, key, &record, error);

	if (code != 1)
		return code;
	code = prn_entry_try(entry, &record, &why, error);
	if (code)
		return code;
	code = note(reading, &why, error);
	return code || !reading->reader.batch
	               ? code
	               : prn_unreadable_put(reading->decider, entry, again(reading), reading->now, error);
}

int prn_unreadable_put(struct prn_decider *decider, struct prn_entry *entry, int64_t due, int64_t now,
                       struct prn_error *error)
{
	struct prn_record record;
	int code = prn_decider_unlease(decider, entry, 0, now, error);

	if (!code)
		code = prn_batch_get(decider->batch, &entry->key, &record, error);
	if (code)
		return code;
	record.due = due;
	record.lease = PRN_TIME_UNKNOWN;
	record.waits_for = 0;
	return prn_batch_put_known(decider->batch, &record, error);
}
