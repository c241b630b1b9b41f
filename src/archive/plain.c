#include "archive/format.h"

#include <string.h>

static bool plain_starts(const unsigned char *bytes, size_t length)
{
	(void)bytes;
	return length > 0;
}

/* This decoder only copies: it has nothing to keep between two calls. */
static int plain_open(void **out)
{
	*out = NULL;
	return 0;
}

static void plain_forget(void *decoder)
{
	(void)decoder;
}

static int plain_decode(void *decoder, struct prn_input *input, unsigned char *out, size_t capacity,
                        size_t *produced, bool *ended, struct prn_error *error)
{
	size_t length;
	int code = prn_input_ensure(input, 1, error);

	(void)decoder;
	if (code)
		return code;
	length = prn_input_left(input) < capacity ? prn_input_left(input) : capacity;
	memcpy(out, prn_input_at(input), length);
	prn_input_skip(input, length);
	*produced = length;
	*ended = !length;
	return 0;
}

const struct prn_format prn_format_plain = {
	.member = "record",
	.suffix = ".warc",
	.look_ahead = 1,
	.starts = plain_starts,
	.open = plain_open,
	.free = plain_forget,
	.begin = plain_forget,
	.decode = plain_decode,
};
