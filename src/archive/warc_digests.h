/*
 * WARC-Block-Digest and WARC-Payload-Digest held against what they are told of: by the algorithms of message_digest.h that
 * are made here, in base 16, 32 or 64.  Others are not looked at.
 */
#ifndef ARCHIVE_WARC_DIGESTS_H
#define ARCHIVE_WARC_DIGESTS_H

#include "archive/warc.h"
#include "base/message_digest.h"

#include <stdbool.h>

/* All zero bytes: nothing is told. */
struct prn_warc_digest {
	bool is_told;
	unsigned char want[PRN_MESSAGE_BYTES];
	struct prn_message_digest sum; /* of what was added */
};

/*
 * Begins with what a field says; text NULL or of another algorithm: nothing is told, and whatever follows is right.
 *
 * PRN_E_MEMORY
 */
int prn_warc_digest_begin(struct prn_warc_digest *digest, const char *text);

static inline void prn_warc_digest_add(struct prn_warc_digest *digest, const void *bytes, size_t length)
{
	if (digest->is_told)
		prn_message_digest_add(&digest->sum, bytes, length);
}

/* Whether it is that of all that was added. */
bool prn_warc_digest_holds(const struct prn_warc_digest *digest);

/* Whether it is that of these bytes alone. */
bool prn_warc_digest_is_of(const struct prn_warc_digest *digest, const void *bytes, size_t length);

void prn_warc_digest_release(struct prn_warc_digest *digest);

#endif
