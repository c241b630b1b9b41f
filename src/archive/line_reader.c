#include "archive/line_reader.h"

#include <string.h>

int prn_line_reader_next(struct prn_line_reader *reader, bool *whole, struct prn_error *error)
{
	const unsigned char *bytes, *end = NULL;
	bool fits = true;
	size_t length;
	int code;

	prn_buffer_clear(&reader->text);
	while (!end && (code = prn_stream_more(reader->stream, &bytes, &length, error)) > 0) {
		size_t taken;

		end = memchr(bytes, '\n', length);
		taken = end ? (size_t)(end - bytes) : length;
		if (reader->is_torn) {
			prn_stream_take(reader->stream, end ? taken + 1 : taken);
			reader->is_torn = !end;
			reader->number += end != NULL;
			end = NULL;
			continue;
		}
		fits &= taken <= reader->limit - reader->text.length;
		if (fits && prn_buffer_append(&reader->text, bytes, taken))
			return prn_error_memory(error);
		prn_stream_take(reader->stream, end ? taken + 1 : taken);
	}
	if (!end && code < 0) {
		reader->is_torn |= prn_stream_goes_on(reader->stream) && (reader->text.length || !fits);
		return code;
	}
	reader->number++;
	*whole = fits;
	return end || reader->text.length || !fits;
}

size_t prn_line_start(const unsigned char *line, size_t length, uint64_t number)
{
	size_t at = 0;

	if (number == 1 && length >= 3 && !memcmp(line, "\xef\xbb\xbf", 3))
		at = 3;
	while (at < length && line[at] && strchr(" \t\r", line[at]))
		at++;
	return at;
}
