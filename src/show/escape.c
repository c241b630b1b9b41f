#include "show/html.h"

#include "text/html.h"

#include <string.h>

void show_print_json(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (text_html_turns_around(text + i, length - i))
			i += TEXT_HTML_TURN - 1;
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
