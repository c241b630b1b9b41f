#include "show/html.h"

#include "report/html.h"

#include <string.h>

/*
 * Whether text begins with an embedding, override or isolate of direction, U+202A … U+202E and U+2066 … U+2069: all begin
 * with E2 80 or E2 81.
 */
static bool turns_around(const char *text, size_t length)
{
	const unsigned char *at = (const unsigned char *)text;

	if (length < 3 || at[0] != 0xe2)
		return false;
	return (at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

void show_print_text(FILE *out, const char *text, size_t length)
{
	while (length) {
		size_t plain = 0, taken;

		while (plain < length && !turns_around(text + plain, length - plain))
			plain++;
		taken = plain < length ? plain + 3 : plain;
		report_html_bytes(out, text, plain);
		text += taken;
		length -= taken;
	}
}

void show_print_json(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (turns_around(text + i, length - i))
			i += 2;
		else if (c == '\n')
			fputs("\\n", out);
		else if (c < 0x20 || c == 0x7f)
			putc(' ', out);
		else if (strchr("\"\\<>&", c))
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
}
