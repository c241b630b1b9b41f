/*
 * Payload digests as WARC writers label them.
 */
#ifndef ARCHIVE_PAYLOAD_H
#define ARCHIVE_PAYLOAD_H

#include "base/message_digest.h"
#include "perennial/digest.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads "algorithm:value": which algorithm it is goes by its letters and digits alone (sha1, SHA-1; sha512-256, sha512_256),
 * whether the value is in base 16, 32 or 64 by its length without padding.  NULL, bytes being nobody's: the text is none, the
 * algorithm is not known, or the value is not as long as its are.
 */
const struct prn_message_kind *prn_payload_decode(const char *text, unsigned char bytes[PRN_MESSAGE_BYTES]);

/*
 * XXH3-128 of a WARC-Payload-Digest in canonical form, so that two spellings of one digest are equal: the algorithm's
 * name (message_digest.h), the value, if its length fits the algorithm, in lower-case hexadecimal whatever its base was;
 * else as it stands.  False if the text is not "algorithm:value".
 */
bool prn_payload_digest(const char *text, struct prn_digest *digest);

#endif
