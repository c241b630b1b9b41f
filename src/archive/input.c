#include "archive/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES ((size_t)128 << 10)
#define SEEK_BYTES ((uint64_t)1 << 20) /* less is not worth leaving the order of reading */
#define AGAIN_BYTES ((uint64_t)16 << 20) /* given back in any case: small files are never short of it */

int prn_input_open(struct prn_input *input, const char *path, struct prn_error *error)
{
	struct stat about;

	*input = (struct prn_input){ .file = STDIN_FILENO };
	if (strcmp(path, "-"))
		input->file = open(path, O_RDONLY | O_CLOEXEC);
	if (input->file < 0 || fstat(input->file, &about))
		return prn_error_set(error, PRN_E_IO, "cannot be opened: %s", strerror(errno));
	/* Standard input may be a file that somebody else has read a part of: its offsets are not ours. */
	input->regular = S_ISREG(about.st_mode) && input->file != STDIN_FILENO;
	input->data = malloc(PRN_INPUT_BYTES);
	if (!input->data)
		return prn_error_memory(error);
	if (input->regular)
		posix_fadvise(input->file, 0, 0, POSIX_FADV_SEQUENTIAL);
	return 0;
}

void prn_input_release(struct prn_input *input)
{
	if (input->file > STDIN_FILENO)
		close(input->file);
	free(input->data);
	*input = (struct prn_input){ .file = -1 };
}

static void make_room(struct prn_input *input, size_t wanted)
{
	if (PRN_INPUT_BYTES - input->start >= wanted && input->start < input->end)
		return;
	memmove(input->data, input->data + input->start, prn_input_left(input));
	input->end -= input->start;
	input->start = 0;
}

int prn_input_ensure(struct prn_input *input, size_t wanted, struct prn_error *error)
{
	if (prn_input_left(input) >= wanted || input->ended)
		return 0;
	make_room(input, wanted);
	while (prn_input_left(input) < wanted && !input->ended) {
		size_t room = PRN_INPUT_BYTES - input->end;
		ssize_t got = read(input->file, input->data + input->end, room < READ_BYTES ? room : READ_BYTES);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return prn_error_set(error, PRN_E_IO, "cannot be read at offset %llu: %s",
			                     (unsigned long long)(input->offset + prn_input_left(input)),
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

static bool seek(struct prn_input *input, uint64_t offset)
{
	if (!input->regular || offset > INT64_MAX || lseek(input->file, (off_t)offset, SEEK_SET) < 0)
		return false;
	input->start = input->end = 0;
	input->ended = false;
	return true;
}

/* How far a file goes on behind the present offset; 0 if that cannot be told. */
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
		if (seek(input, input->offset + length)) {
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

bool prn_input_rewind(struct prn_input *input, uint64_t offset)
{
	uint64_t back = input->offset - offset;

	if (offset > input->offset || back > UINT64_MAX - input->again ||
	    input->again + back > input->furthest + AGAIN_BYTES)
		return false;
	if (back <= input->start)
		input->start -= (size_t)back;
	else if (!seek(input, offset))
		return false;
	input->again += back;
	input->offset = offset;
	return true;
}
