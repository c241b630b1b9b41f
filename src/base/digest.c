#include "base/digest_search.h"

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

size_t prn_digest_first(const void *items, size_t count, size_t size, const struct prn_digest *digest)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct prn_digest *item = (const void *)((const char *)items + middle * size);

		if (prn_digest_compare(item, digest) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
