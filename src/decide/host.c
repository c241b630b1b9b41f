/* In the store, big-endian: until and free_at, 8 bytes each; leased and redirects, 4.  Older records end with leased. */
#include "decide/host.h"

#include "perennial/url.h"

#define HOST_BYTES 24
#define HOST_BYTES_ONCE 20
#define NAME_BYTES 511 /* the store's limit: longer names of hosts are no names of hosts */

static const char *name_of(const char *normal_url, size_t *length)
{
	const char *name = prn_url_host(normal_url, length);

	*length = *length < NAME_BYTES ? *length : NAME_BYTES;
	return name;
}

static uint64_t take(const unsigned char *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

static void put(unsigned char *bytes, size_t count, uint64_t value)
{
	for (size_t i = count; i--; value >>= 8)
		bytes[i] = (unsigned char)value;
}

int prn_host_read(struct prn_host *host, const struct prn_shelf *shelf, const char *normal_url,
                  struct prn_error *error)
{
	const void *bytes = NULL;
	size_t length, count = 0;
	const char *name = name_of(normal_url, &length);
	int code = prn_shelf_side(shelf, PRN_SIDE_HOSTS, name, length, &bytes, &count, error);

	if (code && code != PRN_E_NOT_FOUND)
		return code;
	*host = (struct prn_host){ .until = PRN_TIME_UNKNOWN, .free_at = PRN_TIME_UNKNOWN };
	if (code || (count != HOST_BYTES && count != HOST_BYTES_ONCE))
		return 0;
	host->until = (int64_t)take(bytes, 8);
	host->free_at = (int64_t)take((const unsigned char *)bytes + 8, 8);
	host->leased = (uint32_t)take((const unsigned char *)bytes + 16, 4);
	if (count == HOST_BYTES)
		host->redirects = (uint32_t)take((const unsigned char *)bytes + 20, 4);
	return 0;
}

int prn_host_put(const struct prn_host *host, struct prn_batch *batch, const char *normal_url, int64_t now,
                 struct prn_error *error)
{
	unsigned char bytes[HOST_BYTES];
	size_t length;
	const char *name = name_of(normal_url, &length);
	bool free = host->until <= now && host->free_at <= now && !host->leased && !host->redirects;

	put(bytes, 8, (uint64_t)host->until);
	put(bytes + 8, 8, (uint64_t)host->free_at);
	put(bytes + 16, 4, host->leased);
	put(bytes + 20, 4, host->redirects);
	return prn_batch_side_put(batch, PRN_SIDE_HOSTS, name, length, free ? NULL : bytes, HOST_BYTES, error);
}
