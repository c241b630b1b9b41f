#include "text/html.h"

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

void text_html_bytes(FILE *out, const char *text, size_t length)
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

void text_html_string(FILE *out, const char *text)
{
	text_html_bytes(out, text, strlen(text));
}

/* Embeddings, overrides and isolates of direction, U+202A … U+202E and U+2066 … U+2069, begin with E2 80 or E2 81. */
bool text_html_turns_around(const char *text, size_t length)
{
	const unsigned char *at = (const unsigned char *)text;

	if (length < TEXT_HTML_TURN || at[0] != 0xe2)
		return false;
	return (at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

void text_html_content(FILE *out, const char *text, size_t length)
{
	while (length) {
		size_t plain = 0, taken;

		while (plain < length && !text_html_turns_around(text + plain, length - plain))
			plain++;
		taken = plain < length ? plain + TEXT_HTML_TURN : plain;
		text_html_bytes(out, text, plain);
		text += taken;
		length -= taken;
	}
}
