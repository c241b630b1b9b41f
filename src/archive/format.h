/*
 * The formats of a stream of members.  A member can be decoded without what precedes it: a gzip member, a zstd
 * frame, the whole of a plain file.  A new format is one file and one line in stream.c.
 */
#ifndef ARCHIVE_FORMAT_H
#define ARCHIVE_FORMAT_H

#include "archive/input.h"
#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>

struct prn_format {
	const char *member; /* "gzip member" */
	const char *suffix; /* ".gz": identifies the format of a file whose first bytes are damaged */

	/* Zero bytes before a member are passed, as gzip(1) does: some writers fill the last block of a file with them. */
	bool zeros;

	/* Bytes that must be available, if the file has them, to search for the start of a member and test it. */
	size_t look_ahead;

	/* Tells whether a member seems to start with these bytes. */
	bool (*starts)(const unsigned char *bytes, size_t length);

	/*
	 * Opens the format's own decoder, which its functions receive.
	 *
	 * PRN_E_UNSUPPORTED	the program was built without the library for it
	 * PRN_E_MEMORY
	 */
	int (*open)(void **out);
	void (*free)(void *decoder);

	/*
	 * Skips what precedes a member without being one (skippable frames); a dictionary among it is
	 * used from then on.  Errors as decode.  NULL: nothing does.
	 */
	int (*prepare)(void *decoder, struct prn_input *input, struct prn_error *error);

	/* Resets the decoder: the next byte of the input starts a member. */
	void (*begin)(void *decoder);

	/*
	 * Decodes the whole member that starts here, and checks its checksum: *bytes are valid until the next member begins.  False, with
	 * nothing taken: it is decoded piece by piece.  NULL: all are.
	 */
	bool (*whole)(void *decoder, struct prn_input *input, const unsigned char **bytes, size_t *length);

	/*
	 * Decodes up to capacity (> 0) bytes to out: *produced of them, more than 0 unless *ended, which says
	 * that the member ends there and that its checksum, if it has one, is right.
	 *
	 * PRN_E_INPUT	damaged
	 * PRN_E_TRUNCATED	the file ends inside the member
	 * PRN_E_IO, PRN_E_MEMORY
	 */
	int (*decode)(void *decoder, struct prn_input *input, unsigned char *out, size_t capacity,
	              size_t *produced, bool *ended, struct prn_error *error);
};

extern const struct prn_format prn_format_plain, prn_format_gzip, prn_format_zstd, prn_format_lz4;

#endif
