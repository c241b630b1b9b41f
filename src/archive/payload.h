/* Parses payload digests as WARC writers label them. */
#ifndef ARCHIVE_PAYLOAD_H
#define ARCHIVE_PAYLOAD_H

#include "base/message_digest.h"
#include "perennial/digest.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads "algorithm:value".  Only letters and digits identify the algorithm (sha1, SHA-1; sha512-256,
 * sha512_256); the length without padding tells whether the value is in base 16, 32 or 64.  Returns NULL, with
 * bytes undefined, if the text has another form, the algorithm is unknown, or the value does not have its
 * length.
 */
const struct prn_message_kind *prn_payload_decode(const char *text, unsigned char bytes[PRN_MESSAGE_BYTES]);

/*
 * Returns the XXH3-128 of a WARC-Payload-Digest in canonical form, so that two spellings of one digest are
 * equal: the algorithm's name (message_digest.h), and the value in lower-case hexadecimal, whatever its base
 * was, if its length fits the algorithm; else the value as written.  False if the text is not
 * "algorithm:value".
 */
bool prn_payload_digest(const char *text, struct prn_digest *digest);

#endif
