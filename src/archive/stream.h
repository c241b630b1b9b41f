/*
 * A file as a sequence of members of plain, gzip, zstd or lz4 data (format.h), decoded through a window of
 * fixed size.  The first bytes determine the format; the name does only if they are damaged.
 *
 * A stream is inside a member, or behind one that has ended (initially before the first).  An error inside a
 * member is reported when the bytes before it have been taken, and again until the stream is moved to another
 * member.  Error texts name the offset in the file, not the file.
 */
#ifndef ARCHIVE_STREAM_H
#define ARCHIVE_STREAM_H

#include "archive/input.h"
#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_STREAM_WINDOW ((size_t)128 << 10)

struct prn_stream;

/* Where a stream comes from. */
struct prn_stream_from {
	struct prn_input_from input; /* its interrupt is also asked before a window is decoded, and now and then in a search */
	const char *name;            /* its extension gives the format if the first bytes are damaged */
};

/*
 * From here on every call that decodes may return PRN_E_CANCELLED, where input.interrupt says so.
 *
 * PRN_E_IO	cannot be opened or read
 * PRN_E_INPUT	the dictionary at its start is damaged, so that nothing can be decoded
 * PRN_E_TRUNCATED	the file ends inside that dictionary
 * PRN_E_MEMORY
 */
int prn_stream_open(struct prn_stream **out, const struct prn_stream_from *from, struct prn_error *error);
void prn_stream_free(struct prn_stream *stream);

/*
 * Moves to the next member: 1, or 0 at the end of the file.  The rest of the current member is lost.
 *
 * PRN_E_INPUT	what stands there is not a member
 * PRN_E_TRUNCATED, PRN_E_IO, PRN_E_MEMORY
 */
int prn_stream_next_member(struct prn_stream *stream, struct prn_error *error);

#define PRN_STREAM_PADDING 512        /* fewer zero bytes at the end of a file fill a block, … */
#define PRN_STREAM_TAPE_PADDING 10240 /* … and fewer than these one of a tape, where the file ends at a multiple of them */

/*
 * Tells once of zero bytes that were passed where a member should be, and that are more than what fills the last block of a
 * file: members were lost there.  *error, which may be NULL, says how many and where.
 */
bool prn_stream_had_zeros(struct prn_stream *stream, struct prn_error *error);

/*
 * Shows the next bytes without taking them: at least wanted (1 … PRN_STREAM_WINDOW), or fewer if the member
 * ends first; 0 bytes: it has ended, and its checksum was right.  *bytes is valid until the next call.
 *
 * PRN_E_INPUT, PRN_E_TRUNCATED, PRN_E_IO, PRN_E_MEMORY: the wanted bytes are not available
 */
int prn_stream_peek(struct prn_stream *stream, size_t wanted, const unsigned char **bytes, size_t *length,
                    struct prn_error *error);

/*
 * As prn_stream_peek, but goes on to the next member if the current one has ended: 1, or 0 at the end of the
 * file.  Errors as of both; and PRN_E_INPUT, once, where prn_stream_had_zeros tells of zero bytes: prn_stream_goes_on says so, and
 * the next call shows what is behind them.
 */
int prn_stream_more(struct prn_stream *stream, const unsigned char **bytes, size_t *length, struct prn_error *error);

/* Whether the last prn_stream_more failed only to tell of zero bytes, of which bytes were lost that it would have shown. */
bool prn_stream_goes_on(const struct prn_stream *stream);

/* Takes length of the bytes shown. */
void prn_stream_take(struct prn_stream *stream, size_t length);

/*
 * Takes up to length bytes without showing them, as far as that is possible without reading: those decoded, and
 * in a plain file those that follow.  Returns how many.
 */
uint64_t prn_stream_pass(struct prn_stream *stream, uint64_t length);

#define PRN_STREAM_START 16 /* bytes that identify a record, at most */

/* Tells whether content begins a record; a shorter member has fewer than PRN_STREAM_START bytes. */
typedef bool prn_stream_begins_fn(const unsigned char *bytes, size_t length);

/*
 * After damage: searches for a member behind the start of the current one whose content begins a record, and
 * moves there. 1, or 0 if there is none; errors are only PRN_E_IO, PRN_E_MEMORY and PRN_E_CANCELLED.
 */
int prn_stream_resync(struct prn_stream *stream, prn_stream_begins_fn *begins, struct prn_error *error);

/*
 * In a plain file that can be read again: goes back to a position that was passed.  Otherwise returns false and
 * does nothing.
 */
bool prn_stream_rewind(struct prn_stream *stream, uint64_t position);

/* Reads the last two bytes of a regular file, and its size; false: it is not one, or has fewer. */
bool prn_stream_tail(const struct prn_stream *stream, unsigned char tail[2], uint64_t *size);

/* The member's offset in the file, and how many of its decoded bytes have been taken. */
uint64_t prn_stream_member(const struct prn_stream *stream);
uint64_t prn_stream_position(const struct prn_stream *stream);

/* Tells whether the file is one uncompressed member: then positions are offsets in the file. */
bool prn_stream_is_plain(const struct prn_stream *stream);

/* Returns how many bytes of the file have been used. */
uint64_t prn_stream_input_bytes(const struct prn_stream *stream);

#endif
