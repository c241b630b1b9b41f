#include "term/say.h"

#include "base/visible.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void term_show(FILE *out, const char *text)
{
	int32_t character;
	size_t length;
	char one[5], shown[16];

	for (; (length = prn_visible_next(text, &character)); text += length) {
		memcpy(one, text, length);
		one[length] = 0;
		prn_visible_copy(shown, sizeof shown, one);
		fputs(shown, out);
	}
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
