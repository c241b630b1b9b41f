/*
 * The digests that others write beside what they store: MD5 (RFC 1321), SHA-1 and SHA-256 (FIPS 180-4), by libnettle.  They
 * tell accidents; where nobody else's are asked for, digests are prn_digest_bytes.
 */
#ifndef BASE_MESSAGE_DIGEST_H
#define BASE_MESSAGE_DIGEST_H

#include <stddef.h>

#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

enum prn_message_digest_kind {
	PRN_MESSAGE_MD5,
	PRN_MESSAGE_SHA1,
	PRN_MESSAGE_SHA256,
};

#define PRN_MESSAGE_BYTES SHA256_DIGEST_SIZE /* of the longest */

/* Bytes added so far: plain numbers, free to be copied. */
struct prn_message_digest {
	enum prn_message_digest_kind kind;
	union {
		struct md5_ctx md5;
		struct sha1_ctx sha1;
		struct sha256_ctx sha256;
	} of;
};

void prn_message_digest_init(struct prn_message_digest *sum, enum prn_message_digest_kind kind);
void prn_message_digest_add(struct prn_message_digest *sum, const void *bytes, size_t length);

/* Writes the sum and returns its length; the digest is to be begun anew. */
size_t prn_message_digest_end(struct prn_message_digest *sum, unsigned char out[PRN_MESSAGE_BYTES]);

#endif
