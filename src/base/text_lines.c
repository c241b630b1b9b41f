#include "base/text_lines.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const char mark[] = "\xef\xbb\xbf";

/* Reads bytes as long as there is room for them; returns the next one, or the end of the line or of the file. */
static int next_byte(struct prn_text_lines *lines)
{
	struct prn_buffer *text = &lines->text;
	size_t room = text->capacity < PRN_TEXT_LINE_BYTES ? text->capacity : PRN_TEXT_LINE_BYTES;
	unsigned char *from = text->data + text->length, *end = text->data + room, *to = from;
	FILE *file = lines->file;
	int c;

	while ((c = getc_unlocked(file)) != EOF && c != '\n' && to < end)
		*to++ = (unsigned char)c;
	text->length += (size_t)(to - from);
	lines->at += (size_t)(to - from) + (c != EOF);
	return c;
}

int prn_text_lines_next(struct prn_text_lines *lines)
{
	struct prn_buffer *text = &lines->text;
	bool is_long = false;
	int c;

	prn_buffer_clear(text);
	if (prn_buffer_reserve(text, 1))
		return PRN_E_MEMORY;
	while ((c = next_byte(lines)) != EOF && c != '\n') {
		is_long = text->length == PRN_TEXT_LINE_BYTES;
		if (is_long)
			continue;
		if (prn_buffer_reserve(text, 1))
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
	if (is_long)
		return PRN_TEXT_LINE_LONG;
	return memchr(lines->line, 0, lines->length) ? PRN_TEXT_LINE_ZERO : 1;
}

int prn_text_lines_wrong(const struct prn_text_lines *lines, int got, struct prn_error *why)
{
	if (got == PRN_E_MEMORY)
		return prn_error_memory(why);
	if (got < 0)
		return prn_error_set(why, PRN_E_IO, "%.200s: cannot be read: %s", lines->name, strerror(errno));
	if (got == PRN_TEXT_LINE_ZERO)
		return prn_error_set(why, PRN_E_INPUT, "%.200s, line %llu: a zero byte in it: it is no text in UTF-8", lines->name,
		                     lines->number);
	return got == PRN_TEXT_LINE_LONG ? prn_error_set(why, PRN_E_INPUT, "%.200s, line %llu: it is longer than %zu bytes", lines->name,
	                                                 lines->number, PRN_TEXT_LINE_BYTES)
	                                 : 0;
}

int prn_text_lines_need(struct prn_text_lines *lines, struct prn_error *error)
{
	int got = prn_text_lines_next(lines), code = prn_text_lines_wrong(lines, got, error);

	return code ? code : got;
}
