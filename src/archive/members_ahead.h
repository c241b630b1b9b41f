/*
 * Decodes members of a regular file ahead of the reader, in idle threads (base/spare.h).
 *
 * The start of a member is only known for certain when the one before it has been decoded.  So it is guessed: a
 * thread reads a segment of the file, and decodes one member after another from where one seems to start.  The
 * reader asks for the member at an offset: a member that was decoded from exactly that offset is what the
 * reader itself would have decoded, and one that nobody asks for was a wrong guess.  Members that are damaged,
 * cut off or too large are left to the reader, which reports what is wrong with them.
 */
#ifndef ARCHIVE_MEMBERS_AHEAD_H
#define ARCHIVE_MEMBERS_AHEAD_H

#include "base/spare.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_AHEAD_PACKED_BYTES ((size_t)320 << 10) /* the longest member, compressed … */
#define PRN_AHEAD_BYTES ((size_t)1 << 20)          /* … and decoded */

/* The decoder of members. */
struct prn_ahead_kind {
	unsigned char first; /* first byte of every member */
	bool (*starts)(const unsigned char *bytes, size_t length);

	/* NULL without memory. */
	void *(*open)(void);
	void (*free)(void *unpacker);

	/*
	 * Decodes the member that begins these bytes to out.  Returns whether it ends among them, fits into
	 * room and is not damaged; it took *packed bytes, and *length were produced.
	 */
	bool (*unpack)(void *unpacker, const unsigned char *bytes, size_t length, unsigned char *out, size_t room, size_t *packed,
	               size_t *unpacked);
};

struct prn_ahead;

/*
 * Starts to decode a file, which is borrowed and not moved, in idle threads.  NULL: they are busy with another
 * one, or there is no memory.
 */
struct prn_ahead *prn_ahead_open(const struct prn_ahead_kind *kind, int file, struct prn_spare *spare);

/* NULL is allowed. */
void prn_ahead_free(struct prn_ahead *ahead);

/*
 * Finds the member at an offset, which becomes the reader's position: *packed bytes of the file decode to
 * *bytes, [*length], valid until the next call.  False: the reader must decode it itself.
 */
bool prn_ahead_take(struct prn_ahead *ahead, uint64_t offset, size_t *packed, const unsigned char **bytes, size_t *length);

#endif
