#include "term/csv.h"

#include "base/visible.h"
#include "term/say.h"

#include <stdbool.h>
#include <string.h>

static bool is_computed(const char *text)
{
	static const char *const begins[] = { "=", "+", "-", "@", "\uff0b", "\uff0d", "\uff1d", "\uff20" };

	if (!strcmp(text, "-"))
		return false;
	text += strspn(text, " \t\r\n\v\f");
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (!strncmp(text, begins[i], strlen(begins[i])))
			return true;
	return false;
}

void term_csv_text(FILE *out, const char *text)
{
	size_t bytes = strlen(text);
	bool quoted = strpbrk(text, ",\"") || (bytes && ((unsigned char)*text <= ' ' || (unsigned char)text[bytes - 1] <= ' '));

	if (quoted)
		putc('"', out);
	if (is_computed(text))
		putc('\'', out);
	for (size_t length; *text; text += length) {
		length = term_show_in_cell(out, text);
		if (*text == '"')
			putc('"', out);
	}
	if (quoted)
		putc('"', out);
}
