#include "archive/input.h"

#include "base/interrupt.h"
#include "base/portable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES ((size_t)128 << 10)
#define SEEK_BYTES ((uint64_t)1 << 20) /* a shorter skip is not worth a seek */
#define AGAIN_BYTES ((uint64_t)16 << 20) /* may be rewound in any case, so that small files never run out of it */

int prn_input_open(struct prn_input *input, const struct prn_input_from *from, struct prn_error *error)
{
	bool is_standard = from->path && !strcmp(from->path, "-");
	struct stat about;

	*input = (struct prn_input){ .file = is_standard ? STDIN_FILENO : from->fd, .interrupt = from->interrupt, .spare = from->spare,
		                     .read = from->read, .read_context = from->read_context };
	if (from->read) {
		input->file = -1;
		input->data = malloc(PRN_INPUT_BYTES);
		return input->data ? 0 : prn_error_memory(error);
	}
	if (from->path && !is_standard) {
		/* A named pipe is opened without waiting for its writer, because that wait could not be interrupted. */
		input->file = open(from->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		input->owned = input->file >= 0;
	}
	if (input->file < 0 || fstat(input->file, &about))
		return prn_error_set(error, PRN_E_IO, "cannot be opened: %s", strerror(errno));
	/* Standard input may be a file of which another process has read a part, so offsets start at its position. */
	input->regular = S_ISREG(about.st_mode) && !is_standard;
	input->data = malloc(PRN_INPUT_BYTES);
	if (!input->data)
		return prn_error_memory(error);
	if (input->regular)
		prn_reads_through(input->file);
	return 0;
}

void prn_input_release(struct prn_input *input)
{
	if (input->owned)
		close(input->file);
	free(input->data);
	*input = (struct prn_input){ .file = -1 };
}

/* Waits until there is something to read, or the end.  PRN_E_CANCELLED, PRN_E_IO */
static int await(const struct prn_input *input, struct prn_error *error)
{
	struct pollfd ready = { .fd = input->file, .events = POLLIN };
	int got = prn_interrupt_await(input->interrupt, &ready, 1, 0, error);

	return got < 0 ? got : 0;
}

int prn_input_ensure(struct prn_input *input, size_t wanted, struct prn_error *error)
{
	if (prn_input_left(input) >= wanted || input->ended)
		return 0;
	if (PRN_INPUT_BYTES - input->start < wanted || input->start == input->end) {
		memmove(input->data, input->data + input->start, prn_input_left(input));
		input->end -= input->start;
		input->start = 0;
	}
	while (prn_input_left(input) < wanted && !input->ended) {
		size_t room = PRN_INPUT_BYTES - input->end, most = room < READ_BYTES ? room : READ_BYTES;
		unsigned char *to = input->data + input->end;
		uint64_t at = input->offset + prn_input_left(input);
		int code = input->regular || input->read ? 0 : await(input, error);
		size_t taken = 0;
		ssize_t got;

		if (!code && input->read)
			code = input->read(input->read_context, to, most, &taken, error);
		if (code)
			return code;
		got = input->read ? (ssize_t)taken : input->regular ? pread(input->file, to, most, (off_t)at) : read(input->file, to, most);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return prn_error_set(error, PRN_E_IO, "cannot be read at offset %llu: %s", (unsigned long long)at,
			                     strerror(errno));
		input->ended = got == 0;
		input->end += (size_t)got;
	}
	return 0;
}

void prn_input_skip(struct prn_input *input, size_t length)
{
	input->start += length;
	input->offset += length;
	if (input->offset > input->furthest)
		input->furthest = input->offset;
}

/* Drops the buffer; reading continues at offset, which the caller sets. */
static bool leave_buffer(struct prn_input *input, uint64_t offset)
{
	if (!input->regular || offset > INT64_MAX)
		return false;
	input->start = input->end = 0;
	input->ended = false;
	return true;
}

/* Returns how many bytes of a file follow the current offset; 0 if that is unknown. */
static uint64_t rest_of_file(const struct prn_input *input)
{
	struct stat about;

	if (!input->regular || fstat(input->file, &about) || (uint64_t)about.st_size < input->offset)
		return 0;
	return (uint64_t)about.st_size - input->offset;
}

uint64_t prn_input_pass(struct prn_input *input, uint64_t length)
{
	uint64_t left = prn_input_left(input), rest;

	if (length > left + SEEK_BYTES && (rest = rest_of_file(input)) > left) {
		length = length < rest ? length : rest;
		if (leave_buffer(input, input->offset + length)) {
			input->offset += length;
			if (input->offset > input->furthest)
				input->furthest = input->offset;
			return length;
		}
	}
	if (length > left)
		length = left;
	prn_input_skip(input, (size_t)length);
	return length;
}

bool prn_input_tail(const struct prn_input *input, unsigned char tail[2], uint64_t *size)
{
	struct stat about;

	if (!input->regular || fstat(input->file, &about) || about.st_size < 2)
		return false;
	*size = (uint64_t)about.st_size;
	return pread(input->file, tail, 2, about.st_size - 2) == 2;
}

bool prn_input_rewind(struct prn_input *input, uint64_t offset)
{
	uint64_t back = input->offset - offset;

	if (offset > input->offset || back > UINT64_MAX - input->again ||
	    input->again + back > input->furthest + AGAIN_BYTES)
		return false;
	if (back <= input->start)
		input->start -= (size_t)back;
	else if (!leave_buffer(input, offset))
		return false;
	input->again += back;
	input->offset = offset;
	return true;
}
