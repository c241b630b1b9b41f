#include "base/text_lines.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const char mark[] = "\xef\xbb\xbf";

int prn_text_lines_next(struct prn_text_lines *lines)
{
	struct prn_buffer *text = &lines->text;
	bool is_long = false;
	int c;

	prn_buffer_clear(text);
	while ((c = getc_unlocked(lines->file)) != EOF && ++lines->at && c != '\n') {
		is_long = text->length == PRN_TEXT_LINE_BYTES;
		if (is_long)
			continue;
		if (text->length == text->capacity && prn_buffer_reserve(text, 1))
			return PRN_E_MEMORY;
		text->data[text->length++] = (unsigned char)c;
	}
	if (c == EOF && ferror(lines->file))
		return PRN_E_IO;
	if (c == EOF && !lines->text.length)
		return 0;
	if (lines->text.length && lines->text.data[lines->text.length - 1] == '\r')
		lines->text.length--;
	if (prn_buffer_terminate(&lines->text))
		return PRN_E_MEMORY;
	lines->number++;
	lines->line = (char *)lines->text.data;
	lines->length = lines->text.length;
	if (lines->number == 1 && !strncmp(lines->line, mark, 3)) {
		lines->line += 3;
		lines->length -= 3;
	}
	return is_long ? PRN_TEXT_LINE_LONG : 1;
}

int prn_text_lines_wrong(const struct prn_text_lines *lines, int got, struct prn_error *why)
{
	if (got == PRN_E_MEMORY)
		return prn_error_memory(why);
	if (got < 0)
		return prn_error_set(why, PRN_E_IO, "%.200s: cannot be read: %s", lines->name, strerror(errno));
	return got == PRN_TEXT_LINE_LONG ? prn_error_set(why, PRN_E_INPUT, "%.200s, line %llu: longer than %zu bytes", lines->name,
	                                                 lines->number, PRN_TEXT_LINE_BYTES)
	                                 : 0;
}

int prn_text_lines_need(struct prn_text_lines *lines, struct prn_error *error)
{
	int got = prn_text_lines_next(lines), code = prn_text_lines_wrong(lines, got, error);

	return code ? code : got;
}
