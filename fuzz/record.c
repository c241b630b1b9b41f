/* Reads records of the store: what is read can be written, and is then read to the same. */
#include "store/record.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define SUM_BYTES 4

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t length);

/* Puts the right checksum in front, so that what follows is read. */
static void put_sum(unsigned char *bytes, size_t length, const struct prn_digest *key)
{
	uint64_t sum = XXH3_64bits_withSeed(bytes + SUM_BYTES, length - SUM_BYTES, key->low);

	for (int i = 0; i < SUM_BYTES; i++)
		bytes[i] = (unsigned char)(sum >> (8 * i));
}

static bool is_same(const struct prn_record *a, const struct prn_record *b)
{
	return !memcmp(&a->weight, &b->weight, sizeof a->weight) && a->due == b->due && a->lease == b->lease &&
	       a->state_bytes == b->state_bytes && !memcmp(a->state, b->state, a->state_bytes) &&
	       !strcmp(a->url, b->url);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t length)
{
	const struct prn_digest key = { 1, 2 };
	struct prn_buffer again = { 0 };
	struct prn_record record, second;
	unsigned char *bytes;

	if (length < SUM_BYTES)
		return 0;
	bytes = malloc(length);
	if (!bytes)
		return 0;
	memcpy(bytes, data, length);
	put_sum(bytes, length, &key);
	if (!prn_record_decode(&key, (struct prn_bytes){ bytes, length }, &record) &&
	    (prn_record_encode(&record, &again, NULL) ||
	     prn_record_decode(&key, (struct prn_bytes){ again.data, again.length }, &second) ||
	     !is_same(&record, &second)))
		abort();
	prn_buffer_release(&again);
	free(bytes);
	return 0;
}
