/*
 * Gzip members unpacked whole, by libdeflate, which takes a third of zlib's time but wants all of a member at hand and room
 * for all that is in it.  What it does not take, for being large, damaged or cut off, is zlib's from its first byte on.
 */
#ifndef ARCHIVE_GZIP_WHOLE_H
#define ARCHIVE_GZIP_WHOLE_H

#include "archive/members_ahead.h"
#include "archive/input.h"
#include "base/buffer.h"

#define PRN_GZIP_WHOLE_BYTES PRN_AHEAD_BYTES /* of the largest member, unpacked */

/* RFC 1952: two bytes of magic, method 8, flags of which the upper three are reserved. */
bool prn_gzip_starts(const unsigned char *bytes, size_t length);

struct prn_gzip_whole;

/* NULL in a library that was built without libdeflate; and without memory: then there is zlib. */
struct prn_gzip_whole *prn_gzip_whole_open(void);

/* NULL is fine. */
void prn_gzip_whole_free(struct prn_gzip_whole *whole);

/*
 * Unpacks the member at which the input stands, whose checksum holds, and passes it: *bytes are valid until the next call.
 * False, with nothing passed, if it is too large, not all at hand, or damaged.  Of what is no regular file it asks for no
 * byte: who writes to a pipe may wait for what is made of the last ones.
 */
bool prn_gzip_whole_take(struct prn_gzip_whole *whole, struct prn_input *input, const unsigned char **bytes, size_t *length);

/* Members unpacked ahead; NULL in a library that was built without libdeflate. */
extern const struct prn_ahead_kind *const prn_gzip_ahead;

/*
 * Replaces *out by what one member that is all there is unpacks to, whose checksum holds.  False, with *out empty, if it is
 * anything else: several, followed by something, damaged, or more than limit bytes; or for want of memory.
 */
bool prn_gunzip_whole(const unsigned char *bytes, size_t length, size_t limit, struct prn_buffer *out);

#endif
