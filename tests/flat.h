/*
 * Visible text as a test compares it: each run of white space and breaks one space, none at the ends.
 */
#ifndef TESTS_FLAT_H
#define TESTS_FLAT_H

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

/* Takes the buffer's memory: the caller frees the string. */
static inline char *flat_take(struct prn_buffer *text)
{
	size_t kept = 0;
	char *out;

	if (prn_buffer_terminate(text))
		abort();
	out = (char *)text->data;
	for (size_t i = 0; i < text->length; i++) {
		char c = strchr(" \t\r\n\x1e", out[i]) ? ' ' : out[i];

		if (c != ' ' || (kept && out[kept - 1] != ' '))
			out[kept++] = c;
	}
	out[kept - (kept && out[kept - 1] == ' ')] = 0;
	return out;
}

#endif
