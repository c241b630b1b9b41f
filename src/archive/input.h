/*
 * The bytes of a file as they are stored, through one buffer of fixed size: a run of bytes at hand, its
 * offset in the file, and a way back where the file has one.
 */
#ifndef ARCHIVE_INPUT_H
#define ARCHIVE_INPUT_H

#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_INPUT_BYTES ((size_t)512 << 10) /* of the buffer */

struct prn_spare;

/* Reads up to room (> 0) bytes: *got of them, 0 at the end.  PRN_E_INPUT, PRN_E_IO, PRN_E_MEMORY */
typedef int prn_input_read_fn(void *context, void *to, size_t room, size_t *got, struct prn_error *error);

struct prn_input {
	int file;
	bool owned;          /* file is closed at the end */
	bool regular;        /* can be read again from any offset; its descriptor is not moved */
	int wake;            /* see below, and spare */
	struct prn_spare *spare;
	prn_input_read_fn *read; /* NULL: file */
	void *read_context;
	bool ended;          /* nothing follows what is in the buffer */
	unsigned char *data; /* PRN_INPUT_BYTES, of which start … end-1 are not used yet */
	size_t start, end;
	uint64_t offset;   /* in the file, of data[start] */
	uint64_t furthest; /* the largest offset so far */
	uint64_t again;    /* bytes given back by rewinding */
};

/* Where the bytes come from, and what ends a wait for them. */
struct prn_input_from {
	const char *path; /* "-" is standard input, from where it stands; NULL: fd */
	int fd;           /* borrowed and not moved: from its beginning if it is a regular file, else from where it stands */
	prn_input_read_fn *read; /* not NULL: from here alone, as from a pipe */
	void *read_context;
	int wake;         /* > 0: a descriptor; once it is readable nobody waits for a pipe or a terminal any more */
	struct prn_spare *spare; /* time that others have, to decode ahead; NULL: nobody has any */
};

/* PRN_E_IO, PRN_E_MEMORY; whichever, _release is fine afterwards. */
int prn_input_open(struct prn_input *input, const struct prn_input_from *from, struct prn_error *error);
void prn_input_release(struct prn_input *input);

static inline const unsigned char *prn_input_at(const struct prn_input *input)
{
	return input->data + input->start;
}

static inline size_t prn_input_left(const struct prn_input *input)
{
	return input->end - input->start;
}

/*
 * Reads until wanted (<= PRN_INPUT_BYTES) bytes are at hand or the file ends: prn_input_left says.
 *
 * PRN_E_IO
 * PRN_E_CANCELLED	wake became readable
 */
int prn_input_ensure(struct prn_input *input, size_t wanted, struct prn_error *error);

/* Leaves length bytes behind, all of them at hand. */
void prn_input_skip(struct prn_input *input, size_t length);

/* Leaves up to length bytes behind, at hand or, in a regular file, without reading them; returns how many. */
uint64_t prn_input_pass(struct prn_input *input, uint64_t length);

/* The last two bytes of a regular file, and its size; false: it is none, or has fewer. */
bool prn_input_tail(const struct prn_input *input, unsigned char tail[2], uint64_t *size);

/*
 * Goes back to an offset already passed.  False, and nothing is changed, if the bytes are gone (a pipe) or
 * if more has been given back in all than was read forward: damage in every record of a hostile file must not
 * make the work quadratic.
 */
bool prn_input_rewind(struct prn_input *input, uint64_t offset);

#endif
