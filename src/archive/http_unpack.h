/* Decompresses HTTP's content codings: gzip and deflate (RFC 1950 to 1952), zstd (RFC 8878), br (RFC 7932). */
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
	PRN_UNPACKED_FULL,  /* limit bytes were produced, and there may be more */
	PRN_UNPACKED_SHORT, /* the input ends before the compressed data do */
	PRN_UNPACKED_DAMAGED,
	PRN_UNPACKED_STARVED, /* no memory */
};

/* Tells whether the program was built with a decoder for it: all except br always are. */
bool prn_unpack_knows(enum prn_packing packing);

/*
 * Replaces *out by the decompressed bytes, at most limit; if they are truncated or damaged, by what precedes
 * that.  At most UINT32_MAX bytes are read.  An unknown format counts as damaged.
 */
enum prn_unpacked prn_unpack(enum prn_packing packing, const unsigned char *bytes, size_t length, size_t limit,
                             struct prn_buffer *out);

#endif
