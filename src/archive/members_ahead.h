/*
 * Members of a regular file unpacked ahead of who reads it, by threads that have nothing else to do (base/spare.h).
 *
 * Where a member begins is only known once the one before it has been unpacked.  So it is guessed: a thread reads a segment of the file,
 * and from what looks like the start of a member unpacks one after another.  Who reads asks for the member at an offset: what was
 * unpacked from that very offset is what he would have unpacked himself, and what nobody asks for was a wrong guess.  Whatever is
 * damaged, cut off or too large is not there, and left to him, who tells what is wrong with it.
 */
#ifndef ARCHIVE_MEMBERS_AHEAD_H
#define ARCHIVE_MEMBERS_AHEAD_H

#include "base/spare.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_AHEAD_PACKED_BYTES ((size_t)320 << 10) /* the longest member, as it is stored … */
#define PRN_AHEAD_BYTES ((size_t)1 << 20)          /* … and unpacked */

/* What members are packed by. */
struct prn_ahead_kind {
	unsigned char first; /* byte of every member */
	bool (*starts)(const unsigned char *bytes, size_t length);

	/* NULL without memory. */
	void *(*open)(void);
	void (*free)(void *unpacker);

	/*
	 * Unpacks the member that begins these bytes to out: whether it ends among them, fits into room and is not damaged;
	 * *packed of the bytes were it, and *length came out.
	 */
	bool (*unpack)(void *unpacker, const unsigned char *bytes, size_t length, unsigned char *out, size_t room, size_t *packed,
	               size_t *unpacked);
};

struct prn_ahead;

/*
 * Offers what will have to be unpacked of a file, which is borrowed and not moved.  NULL: somebody else has offered something, or
 * for want of memory.
 */
struct prn_ahead *prn_ahead_open(const struct prn_ahead_kind *kind, int file, struct prn_spare *spare);

/* NULL is fine. */
void prn_ahead_free(struct prn_ahead *ahead);

/*
 * The member at an offset, the reader's place from here on: *packed bytes of the file, which unpack to *bytes, [*length], valid until
 * the next call.  False: who reads is to unpack it himself.
 */
bool prn_ahead_take(struct prn_ahead *ahead, uint64_t offset, size_t *packed, const unsigned char **bytes, size_t *length);

#endif
