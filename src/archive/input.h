/*
 * The stored bytes of a file, read through one buffer of fixed size: the bytes available, their offset in the
 * file, and a way back if the file is seekable.
 */
#ifndef ARCHIVE_INPUT_H
#define ARCHIVE_INPUT_H

#include "perennial/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_INPUT_BYTES ((size_t)512 << 10) /* bytes of the buffer */

struct prn_interrupt;
struct prn_spare;

/* Reads up to room (> 0) bytes: *got of them, 0 at the end.  PRN_E_INPUT, PRN_E_IO, PRN_E_MEMORY */
typedef int prn_input_read_fn(void *context, void *to, size_t room, size_t *got, struct prn_error *error);

struct prn_input {
	int file;
	bool owned;          /* file is closed at the end */
	bool regular;        /* it can be read again from any offset; the position of its descriptor is not moved */
	struct prn_interrupt *interrupt; /* see struct prn_input_from, also for spare */
	struct prn_spare *spare;
	prn_input_read_fn *read; /* NULL: bytes are read from file */
	void *read_context;
	bool ended;          /* nothing follows the bytes in the buffer */
	unsigned char *data; /* [PRN_INPUT_BYTES], of which start … end-1 are not used yet */
	size_t start, end;
	uint64_t offset;   /* offset in the file of data[start] */
	uint64_t furthest; /* the largest offset so far */
	uint64_t again;    /* bytes that were rewound in total */
};

/* Where the bytes come from, and what interrupts a wait for them. */
struct prn_input_from {
	const char *path; /* "-" is standard input, from its current position; NULL: fd */
	int fd;           /* borrowed and not moved: a regular file is read from its beginning, else from its position */
	prn_input_read_fn *read; /* not NULL: bytes come from here only, as from a pipe */
	void *read_context;
	struct prn_interrupt *interrupt; /* ends waits for a pipe or a terminal; borrowed; NULL: nothing does */
	struct prn_spare *spare; /* idle threads that may decode ahead; NULL: there are none */
};

/* PRN_E_IO, PRN_E_MEMORY; _release is allowed in either case. */
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
 * Reads until wanted (<= PRN_INPUT_BYTES) bytes are available or the file ends; prn_input_left tells which.
 *
 * PRN_E_IO
 * PRN_E_CANCELLED	the interrupt said so
 */
int prn_input_ensure(struct prn_input *input, size_t wanted, struct prn_error *error);

/* Skips length bytes, all of which are available. */
void prn_input_skip(struct prn_input *input, size_t length);

/* Skips up to length bytes that are available or, in a regular file, without reading them; returns how many. */
uint64_t prn_input_pass(struct prn_input *input, uint64_t length);

/* Reads the last two bytes of a regular file, and its size; false: it is not one, or has fewer. */
bool prn_input_tail(const struct prn_input *input, unsigned char tail[2], uint64_t *size);

/*
 * Goes back to an offset that was passed.  False, with nothing changed, if the bytes are gone (a pipe) or if
 * more bytes were rewound in total than were read forward: damage in every record of a hostile file must not
 * make the work quadratic.
 */
bool prn_input_rewind(struct prn_input *input, uint64_t offset);

#endif
