/*
 * Decodes gzip members as a whole with libdeflate, which takes a third of zlib's time but needs the whole
 * member in memory and room for its content.  Members that it does not decode, because they are large, damaged
 * or cut off, are left to zlib from their first byte.
 */
#ifndef ARCHIVE_GZIP_WHOLE_H
#define ARCHIVE_GZIP_WHOLE_H

#include "archive/members_ahead.h"
#include "archive/input.h"
#include "base/buffer.h"

#define PRN_GZIP_WHOLE_BYTES PRN_AHEAD_BYTES /* bytes of the largest member, decoded */

/* RFC 1952: two bytes of magic, method 8, flags of which the upper three are reserved. */
bool prn_gzip_starts(const unsigned char *bytes, size_t length);

struct prn_gzip_whole;

/* NULL in a library that was built without libdeflate, or without memory: then zlib is used. */
struct prn_gzip_whole *prn_gzip_whole_open(void);

/* NULL is allowed. */
void prn_gzip_whole_free(struct prn_gzip_whole *whole);

/*
 * Decodes the member at the current input position, checks its checksum, and skips it: *bytes are valid until
 * the next call.  False, with nothing skipped, if it is too large, not completely available, or damaged.  If
 * the input is not a regular file, no byte is requested: the writer of a pipe may wait for the result of the
 * last ones.
 */
bool prn_gzip_whole_take(struct prn_gzip_whole *whole, struct prn_input *input, const unsigned char **bytes, size_t *length);

/* The decoder for members ahead; NULL in a library that was built without libdeflate. */
extern const struct prn_ahead_kind *const prn_gzip_ahead;

/*
 * Replaces *out by the content of a single member, whose checksum is right.  False, with *out empty, for
 * anything else: several members, one followed by something, a damaged one, or more than limit bytes; also
 * without memory.
 */
bool prn_gunzip_whole(const unsigned char *bytes, size_t length, size_t limit, struct prn_buffer *out);

#endif
