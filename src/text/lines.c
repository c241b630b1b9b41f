#include "text/lines.h"

#include <string.h>

static bool is_blank(const char *text, size_t length)
{
	while (length && *text == ' ')
		text++, length--;
	return !length;
}

static void print_part(struct text_lines *lines, const struct text_passage *passage, const char *text, size_t length)
{
	if (is_blank(text, length) && !(length && lines->open))
		return;
	if (!lines->open)
		fputs("<p dir=\"auto\">", lines->out);
	lines->open = true;
	lines->print_part(lines, passage, text, length);
}

void text_lines_print(struct text_lines *lines, const struct text_passages *passages, const struct text_passage *passage)
{
	const char *text = (const char *)passages->bytes.data + passage->at;
	size_t left = passage->length;

	for (;;) {
		const char *end = left ? memchr(text, '\n', left) : NULL;
		size_t length = end ? (size_t)(end - text) : left;

		print_part(lines, passage, text, length);
		if (!end)
			return;
		text_lines_end(lines);
		text += length + 1;
		left -= length + 1;
	}
}

void text_lines_end(struct text_lines *lines)
{
	if (lines->open)
		fputs("</p>\n", lines->out);
	lines->open = false;
}
