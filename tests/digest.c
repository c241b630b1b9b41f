/* Digests: the published vectors of XXH3-128, and an order that is that of the bytes written out. */
#include "perennial/digest.h"
#include "base/random.h"
#include "tap.h"

static void written(const struct prn_digest *digest, unsigned char bytes[16])
{
	for (int i = 0; i < 8; i++) {
		bytes[i] = (unsigned char)(digest->high >> (56 - 8 * i));
		bytes[8 + i] = (unsigned char)(digest->low >> (56 - 8 * i));
	}
}

static int sign(int order)
{
	return (order > 0) - (order < 0);
}

int main(void)
{
	struct prn_digest empty = prn_digest_bytes(NULL, 0), digests[64];
	struct prn_random random;
	bool as_bytes = true;

	/* xxHash's specification, XXH128 of the empty input with seed 0. */
	ok(empty.high == 0x99aa06d3014798d8 && empty.low == 0x6001c324468d497f, "nothing has XXH3-128's digest of nothing");
	prn_random_seed(&random, 3, 0);
	for (size_t i = 0; i < 64; i++)
		digests[i] = (struct prn_digest){ prn_random_below(&random, 3), prn_random_below(&random, 3) << 62 };
	for (size_t i = 0; i < 64; i++)
		for (size_t j = 0; j < 64; j++) {
			unsigned char a[16], b[16];

			written(&digests[i], a);
			written(&digests[j], b);
			as_bytes &= sign(prn_digest_compare(&digests[i], &digests[j])) == sign(memcmp(a, b, 16));
		}
	ok(as_bytes, "digests are ordered as their bytes, the high half first");
	return done();
}
