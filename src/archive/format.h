/*
 * The formats that a stream of members can be stored in.  A member is what can be decoded without what stands
 * before it: a gzip member, a zstd frame, the whole of a plain file.  A new format is one file and one line
 * in stream.c.
 */
#ifndef ARCHIVE_FORMAT_H
#define ARCHIVE_FORMAT_H

#include "archive/input.h"
#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>

struct prn_format {
	const char *member; /* "gzip member" */
	const char *suffix; /* ".gz": names the format of a file whose first bytes are damaged */

	/* How many bytes must be at hand, if the file has them, to look for the start of a member and try it. */
	size_t look_ahead;

	/* Whether a member seems to start with these bytes. */
	bool (*starts)(const unsigned char *bytes, size_t length);

	/*
	 * What decodes is the format's own; its functions get it back as decoder.
	 *
	 * PRN_E_UNSUPPORTED	the program was built without what reads it
	 * PRN_E_MEMORY
	 */
	int (*open)(void **out);
	void (*free)(void *decoder);

	/*
	 * Moves over what stands before a member without being one (padding, skippable frames); a dictionary
	 * among it serves from here on.  Errors as decode.  NULL: nothing does.
	 */
	int (*prepare)(void *decoder, struct prn_input *input, struct prn_error *error);

	/* Forgets the member that was being decoded: the next byte of the input starts one. */
	void (*begin)(void *decoder);

	/*
	 * Decodes up to capacity (> 0) bytes to out: *produced of them, more than 0 unless *ended, which says
	 * that the member ends there and that its checksum, if it has one, holds.
	 *
	 * PRN_E_INPUT		damaged
	 * PRN_E_TRUNCATED	the file ends inside the member
	 * PRN_E_IO, PRN_E_MEMORY
	 */
	int (*decode)(void *decoder, struct prn_input *input, unsigned char *out, size_t capacity,
	              size_t *produced, bool *ended, struct prn_error *error);
};

extern const struct prn_format prn_format_plain, prn_format_gzip, prn_format_zstd, prn_format_lz4;

#endif
