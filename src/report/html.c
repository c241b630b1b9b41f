#include "report/html.h"

#include "base/visible.h"
#include "fragment/utf8.h"

#include <string.h>

/* Returns the length of the valid UTF-8 sequence that begins at text, of at most length bytes; 0 if there is none. */
static size_t sequence_length(const char *text, size_t length)
{
	for (size_t n = 1; n <= length && n <= 4; n++)
		if (prn_utf8_is_valid(text, n))
			return n;
	return 0;
}

/* Characters that turn the direction of text, in a name for instance, are shown as escapes. */
static void print_beyond_ascii(FILE *out, const char *text, size_t length)
{
	char one[5] = "";
	int32_t character;

	memcpy(one, text, length);
	if (prn_visible_next(one, &character) && character > 0)
		fprintf(out, "\\u%04x", (unsigned)character);
	else
		fwrite(text, 1, length, out);
}

static void print_character(FILE *out, const char *text, size_t length)
{
	switch (*text) {
	case '<':
		fputs("&lt;", out);
		break;
	case '>':
		fputs("&gt;", out);
		break;
	case '&':
		fputs("&amp;", out);
		break;
	case '"':
		fputs("&quot;", out);
		break;
	default:
		if (length == 1 && ((unsigned char)*text < 0x20 || *text == 0x7f))
			putc(' ', out);
		else
			print_beyond_ascii(out, text, length);
	}
}

void report_html_bytes(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t n = sequence_length(text + i, length - i);

		if (n)
			print_character(out, text + i, n);
		else
			fputs("\xef\xbf\xbd", out); /* U+FFFD */
		i += n ? n : 1;
	}
}

void report_html_text(FILE *out, const char *text)
{
	report_html_bytes(out, text, strlen(text));
}
