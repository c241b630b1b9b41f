/*
 * Compares WARC-Block-Digest and WARC-Payload-Digest with the data, in base 16, 32 or 64, for those algorithms
 * of message_digest.h that can be computed.  Others are ignored.
 */
#ifndef ARCHIVE_WARC_DIGESTS_H
#define ARCHIVE_WARC_DIGESTS_H

#include "archive/warc.h"
#include "base/message_digest.h"

#include <stdbool.h>

/* All zero bytes: there is no digest. */
struct prn_warc_digest {
	bool is_given;
	unsigned char want[PRN_MESSAGE_BYTES];
	struct prn_message_digest sum; /* digest of what was added */
};

/*
 * Begins with the value of a field; if text is NULL or of another algorithm there is no digest, and all data
 * match.
 *
 * PRN_E_MEMORY
 */
int prn_warc_digest_begin(struct prn_warc_digest *digest, const char *text);

static inline void prn_warc_digest_add(struct prn_warc_digest *digest, const void *bytes, size_t length)
{
	if (digest->is_given)
		prn_message_digest_add(&digest->sum, bytes, length);
}

/* Tells whether it is the digest of all that was added. */
bool prn_warc_digest_holds(const struct prn_warc_digest *digest);

/* Tells whether it is the digest of these bytes alone. */
bool prn_warc_digest_is_of(const struct prn_warc_digest *digest, const void *bytes, size_t length);

void prn_warc_digest_release(struct prn_warc_digest *digest);

#endif
