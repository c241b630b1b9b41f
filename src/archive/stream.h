/*
 * A file as a row of members of plain, gzip, zstd or lz4 data (format.h), decoded through a window of fixed
 * size.  Which format it is, is decided by the first bytes; by the name only when these are damaged.
 *
 * A stream stands inside a member, or after one that is over (at first it is before the first).  What has gone wrong
 * inside a member is told when the bytes before it have been taken, and again until the stream is moved to
 * another member.  Error texts name the offset in the file, not the file.
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

/* Where a stream comes from, and who may end it. */
struct prn_stream_from {
	struct prn_input_from input;
	const char *name;                 /* whose ending tells the format where the first bytes are damaged */
	bool (*cancelled)(void *context); /* asked before a window is decoded; NULL: nobody ends it */
	void *context;
};

/*
 * PRN_E_CANCELLED, from here on of every call that decodes: cancelled said so, or input.wake became readable.
 *
 * PRN_E_IO		cannot be opened or read
 * PRN_E_INPUT		the dictionary at its start is damaged, so that nothing of it can be decoded
 * PRN_E_TRUNCATED	the file ends inside that dictionary
 * PRN_E_MEMORY
 */
int prn_stream_open(struct prn_stream **out, const struct prn_stream_from *from, struct prn_error *error);
void prn_stream_free(struct prn_stream *stream);

/*
 * Moves to the next member: 1, or 0 at the end of the file.  What is left of the member before is lost.
 *
 * PRN_E_INPUT		what stands there is no member
 * PRN_E_TRUNCATED, PRN_E_IO, PRN_E_MEMORY
 */
int prn_stream_next_member(struct prn_stream *stream, struct prn_error *error);

/*
 * Shows the next bytes without taking them: at least wanted (1 … PRN_STREAM_WINDOW), or fewer if the member
 * ends first; 0 of them: it is over, and its checksum held.  *bytes is valid until the next call.
 *
 * PRN_E_INPUT, PRN_E_TRUNCATED, PRN_E_IO, PRN_E_MEMORY: these wanted bytes are not to be had
 */
int prn_stream_peek(struct prn_stream *stream, size_t wanted, const unsigned char **bytes, size_t *length,
                    struct prn_error *error);

/*
 * Shows the next bytes as prn_stream_peek, of the next member if this one is over: 1, or 0 at the end of the file.  Errors as
 * of both.
 */
int prn_stream_more(struct prn_stream *stream, const unsigned char **bytes, size_t *length, struct prn_error *error);

/* Takes length of the bytes shown. */
void prn_stream_take(struct prn_stream *stream, size_t length);

/*
 * Takes up to length bytes unseen, as far as that can be done without reading them: those decoded, and in a plain file
 * what follows them.  Returns how many.
 */
uint64_t prn_stream_pass(struct prn_stream *stream, uint64_t length);

#define PRN_STREAM_START 16 /* bytes that a record is known by, at most */

/* Whether content begins a record; of a shorter member there are fewer than PRN_STREAM_START bytes. */
typedef bool prn_stream_begins_fn(const unsigned char *bytes, size_t length);

/*
 * After damage: looks for a member, behind the start of the present one, whose content begins a record,
 * and moves there.  1, or 0 if there is none; only PRN_E_IO, PRN_E_MEMORY and PRN_E_CANCELLED.
 */
int prn_stream_resync(struct prn_stream *stream, prn_stream_begins_fn *begins, struct prn_error *error);

/* In a plain file that can be read again: goes back to a position already passed.  Else false, and nothing happens. */
bool prn_stream_rewind(struct prn_stream *stream, uint64_t position);

/* The last two bytes of a regular file, and its size; false: it is none, or has fewer. */
bool prn_stream_tail(const struct prn_stream *stream, unsigned char tail[2], uint64_t *size);

/* The member's offset in the file, and how many of its decoded bytes have been taken. */
uint64_t prn_stream_member(const struct prn_stream *stream);
uint64_t prn_stream_position(const struct prn_stream *stream);

/* Whether the file is one member as it stands: positions are offsets in the file then. */
bool prn_stream_is_plain(const struct prn_stream *stream);

/* How many bytes of the file have been used. */
uint64_t prn_stream_input_bytes(const struct prn_stream *stream);

#endif
