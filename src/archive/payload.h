/*
 * Payload digests as WARC writers label them.
 */
#ifndef ARCHIVE_PAYLOAD_H
#define ARCHIVE_PAYLOAD_H

#include "perennial/digest.h"

#include <stdbool.h>
#include <stddef.h>

#define PRN_PAYLOAD_LABEL 16 /* room for the longest name of an algorithm that is looked at */
#define PRN_PAYLOAD_BYTES 64 /* of the longest digest, sha512 */

/*
 * Reads "algorithm:value": the algorithm in lower case without "-", the value from base 32 or 16; returns how many bytes it has.  0:
 * the text is none, the algorithm is not known, or the value is not as long as its are.
 */
size_t prn_payload_decode(const char *text, char label[PRN_PAYLOAD_LABEL], unsigned char bytes[PRN_PAYLOAD_BYTES]);

/*
 * XXH3-128 of a WARC-Payload-Digest in canonical form, so that two spellings of one digest are equal: the algorithm
 * in lower case without "-", the value, if its length fits the algorithm, in lower-case hexadecimal
 * whether it was base32 or base16; else as it stands.  False if the text is not "algorithm:value".
 */
bool prn_payload_digest(const char *text, struct prn_digest *digest);

#endif
