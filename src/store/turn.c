/* A turn's key is its time and the host's number, 8 bytes each (big_endian.h). */
#include "store/turn.h"

#include "perennial/error.h"
#include "perennial/url.h"
#include "store/big_endian.h"

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

void prn_turn_key(int64_t turn, uint64_t number, unsigned char key[PRN_TURN_BYTES])
{
	unsigned char *at = key;

	prn_big_put_time(&at, turn);
	prn_big_put(&at, 8, number);
}

int prn_turn_read(const void *key, size_t key_bytes, struct prn_host_name name, int64_t *turn, uint64_t *number)
{
	const unsigned char *at = key;

	if (key_bytes != PRN_TURN_BYTES || name.length > PRN_HOST_NAME_BYTES)
		return PRN_E_DAMAGED;
	*turn = prn_big_take_time(&at);
	*number = prn_big_take(&at, 8);
	return *number == prn_host_number(name) ? 0 : PRN_E_DAMAGED;
}
