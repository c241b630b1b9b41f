/*
 * Payload digests as WARC writers label them.
 */
#ifndef ARCHIVE_PAYLOAD_H
#define ARCHIVE_PAYLOAD_H

#include "perennial/digest.h"

#include <stdbool.h>

/*
 * XXH3-128 of a WARC-Payload-Digest in canonical form, so that two spellings of one digest are equal: the algorithm
 * in lower case without "-", the value, if its length fits the algorithm, in lower-case hexadecimal
 * whether it was base32 or base16; else as it stands.  False if the text is not "algorithm:value".
 */
bool prn_payload_digest(const char *text, struct prn_digest *digest);

#endif
