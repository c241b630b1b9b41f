#include "term/say.h"

#include "base/visible.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Writes the first character of text, and returns its length; 0 at the end. */
static size_t show_next(FILE *out, const char *text)
{
	int32_t character;
	size_t length = prn_visible_next(text, &character);
	char one[5] = "", shown[16];

	memcpy(one, text, length);
	prn_visible_copy(shown, sizeof shown, one);
	fputs(shown, out);
	return length;
}

void term_show(FILE *out, const char *text)
{
	for (size_t length; (length = show_next(out, text)); text += length)
		continue;
}

size_t term_show_in_cell(FILE *out, const char *text)
{
	if (!strchr("\t\n\v\f\r", *text))
		return show_next(out, text);
	putc(' ', out);
	return 1;
}

void term_say(const char *format, ...)
{
	size_t end;
	va_list list;
	char *text;
	int length;

	va_start(list, format);
	length = vasprintf(&text, format, list);
	va_end(list);
	if (length < 0)
		return;
	end = strlen(text);
	if (end && text[end - 1] == '\n')
		text[--end] = 0;
	term_show(stderr, text);
	fputs(end < (size_t)length ? "\n" : "", stderr);
	free(text);
}
