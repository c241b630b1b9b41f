#include "perennial/digest.h"

#include <xxhash.h>

struct prn_digest prn_digest_bytes(const void *bytes, size_t length)
{
	XXH128_hash_t hash = XXH3_128bits(bytes, length);

	return (struct prn_digest){ .high = hash.high64, .low = hash.low64 };
}

int prn_digest_compare(const struct prn_digest *a, const struct prn_digest *b)
{
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return (a->low > b->low) - (a->low < b->low);
}
