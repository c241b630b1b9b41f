/* Reads any body of any type: the first line is its Content-Type, if there is one. */
#include "summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *line_end = size ? memchr(data, '\n', size) : NULL;
	size_t length = line_end ? (size_t)(line_end - data) : 0;
	char type[100];

	if (length >= sizeof type)
		return 0;
	memcpy(type, data, length);
	type[length] = 0;
	if (line_end)
		length++;
	check_summaries(data + length, size - length, type);
	return 0;
}
