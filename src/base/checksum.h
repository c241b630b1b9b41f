/* The checksum at the end of a record, by which a flipped bit is found: the low 32 bits of the digest of its bytes. */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include "perennial/digest.h"

#define PRN_CHECKSUM_BYTES 4

static inline uint32_t prn_checksum(const void *bytes, size_t count)
{
	return (uint32_t)prn_digest_bytes(bytes, count).low;
}

#endif
