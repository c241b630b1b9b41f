/*
 * The digests that other programs store with their data: MD5 (RFC 1321), SHA-1, SHA-2 and SHA-3 (FIPS 180-4, FIPS 202) by
 * libnettle, XXH64, XXH3 and XXH128 by xxHash.  They are used to detect accidents.  Our own digests are those of prn_digest_bytes.
 */
#ifndef BASE_MESSAGE_DIGEST_H
#define BASE_MESSAGE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include <nettle/md5.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/sha3.h>
#include <xxhash.h>

#define PRN_MESSAGE_BYTES 64 /* of the longest digest */

enum prn_message_maker {
	PRN_MESSAGE_UNMADE = 0, /* it cannot be computed here */
	PRN_MESSAGE_NETTLE,
	PRN_MESSAGE_XXH64,
	PRN_MESSAGE_XXH3,
	PRN_MESSAGE_XXH128,
};

/* An algorithm that digests in archives are made by. */
struct prn_message_kind {
	const char *name;  /* in lower case, without hyphens and slashes: "sha1", "sha512256" */
	const char *other; /* another name of it, written in the same way, or NULL */
	size_t bytes;      /* of its digests, at most PRN_MESSAGE_BYTES */
	enum prn_message_maker maker;
	const struct nettle_hash *hash; /* of PRN_MESSAGE_NETTLE */
};

/* Finds an algorithm by either of its names; NULL: there is none. */
const struct prn_message_kind *prn_message_kind_find(const char *name);

/* A digest in progress.  All zero bytes: it was not begun; it may be begun again at any time. */
struct prn_message_digest {
	const struct prn_message_kind *kind;
	union {
		struct md5_ctx md5;
		struct sha1_ctx sha1;
		struct sha256_ctx sha256; /* and SHA-224 */
		struct sha512_ctx sha512; /* and SHA-384, SHA-512/224, SHA-512/256 */
		struct sha3_224_ctx sha3_224;
		struct sha3_256_ctx sha3_256;
		struct sha3_384_ctx sha3_384;
		struct sha3_512_ctx sha3_512;
	} of;
	/* xxHash allocates its states itself, because of their alignment.  They are kept for the next digest. */
	XXH64_state_t *xxh64;
	XXH3_state_t *xxh3; /* and of XXH128 */
};

/*
 * Begins a digest of no bytes.  The maker of kind must not be PRN_MESSAGE_UNMADE.
 *
 * PRN_E_MEMORY	only with xxHash: the digest is as it was
 */
int prn_message_digest_begin(struct prn_message_digest *sum, const struct prn_message_kind *kind);
void prn_message_digest_add(struct prn_message_digest *sum, const void *bytes, size_t length);

/* Writes the digest of what was added so far, kind->bytes bytes.  More may be added. */
void prn_message_digest_get(const struct prn_message_digest *sum, unsigned char out[PRN_MESSAGE_BYTES]);

void prn_message_digest_release(struct prn_message_digest *sum);

/* Writes the digest of bytes that are all in memory. */
void prn_message_digest_of(const struct prn_message_kind *kind, const void *bytes, size_t length,
                           unsigned char out[PRN_MESSAGE_BYTES]);

#endif
