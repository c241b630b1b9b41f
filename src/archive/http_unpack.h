/*
 * The packings of HTTP's content codings: gzip and deflate (RFC 1950 to 1952), zstd (RFC 8878), br (RFC 7932).
 */
#ifndef ARCHIVE_HTTP_UNPACK_H
#define ARCHIVE_HTTP_UNPACK_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

enum prn_packing {
	PRN_PACKING_GZIP, /* one or more members */
	PRN_PACKING_ZLIB,
	PRN_PACKING_RAW,  /* deflate without a header */
	PRN_PACKING_ZSTD, /* one or more frames, with windows of at most 8 MiB (RFC 9659) */
	PRN_PACKING_BR,
};

enum prn_unpacked {
	PRN_UNPACKED_WHOLE,
	PRN_UNPACKED_FULL,  /* limit bytes came out, and there may be more */
	PRN_UNPACKED_SHORT, /* the bytes end before the packing does */
	PRN_UNPACKED_DAMAGED,
	PRN_UNPACKED_STARVED, /* no memory */
};

/* Whether the program was built with what reads it: all but br always are. */
bool prn_unpack_knows(enum prn_packing packing);

/*
 * Replaces *out by what the bytes unpack to, at most limit bytes, the front of it where they are short or damaged.  More
 * than UINT32_MAX bytes are not looked at.  A packing that is not known is damaged.
 */
enum prn_unpacked prn_unpack(enum prn_packing packing, const unsigned char *bytes, size_t length, size_t limit,
                             struct prn_buffer *out);

#endif
