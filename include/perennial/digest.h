/*
 * A 128-bit XXH3 digest: names a body, a URL or a fragment set.  Not cryptographic.
 */
#ifndef PERENNIAL_DIGEST_H
#define PERENNIAL_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct prn_digest {
	uint64_t high, low;
};

/* XXH3-128 (seed 0) of length bytes; bytes may be NULL when length is 0. */
struct prn_digest prn_digest_bytes(const void *bytes, size_t length);

/* <0, 0, >0 as memcmp of the big-endian form. */
int prn_digest_compare(const struct prn_digest *a, const struct prn_digest *b);

#ifdef __cplusplus
}
#endif

#endif
