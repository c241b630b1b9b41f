/*
 * A turn's key is its time, with its sign flipped, and the host's number: 8 bytes each, big-endian.
 *
 * A host's record, big-endian: until and free_at, 8 bytes each; leased and redirects, 4; turn, 8.  Older records end with
 * leased.
 */
#include "store/turn.h"

#include "perennial/error.h"
#include "perennial/time.h"
#include "perennial/url.h"
#include "store/change.h"

#include <xxhash.h>

struct prn_host_name prn_host_name(const char *normal_url)
{
	struct prn_host_name name;

	/* A longer name is not the name of a host. */
	name.text = prn_url_host(normal_url, &name.length);
	name.length = name.length < PRN_HOST_NAME_BYTES ? name.length : PRN_HOST_NAME_BYTES;
	return name;
}

uint64_t prn_host_number(struct prn_host_name name)
{
	uint64_t number = XXH3_64bits(name.text, name.length);

	return number ? number : 1;
}

static void put(unsigned char *bytes, size_t count, uint64_t value)
{
	for (size_t i = count; i--; value >>= 8)
		bytes[i] = (unsigned char)value;
}

static uint64_t take(const unsigned char *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

void prn_turn_key(int64_t turn, uint64_t number, unsigned char key[PRN_TURN_BYTES])
{
	put(key, 8, (uint64_t)turn ^ (uint64_t)1 << 63);
	put(key + 8, 8, number);
}

int prn_turn_key_read(const void *key, size_t key_bytes, int64_t *turn, uint64_t *number)
{
	if (key_bytes != PRN_TURN_BYTES)
		return PRN_E_DAMAGED;
	*turn = (int64_t)(take(key, 8) ^ (uint64_t)1 << 63);
	*number = take((const unsigned char *)key + 8, 8);
	return 0;
}
