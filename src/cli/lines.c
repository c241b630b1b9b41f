#include "cli/lines.h"

#include <stdbool.h>
#include <string.h>

int cli_lines_next(struct cli_lines *lines)
{
	bool is_long = false;
	int c;

	prn_buffer_clear(&lines->text);
	while ((c = getc_unlocked(lines->file)) != EOF && c != '\n') {
		is_long = lines->text.length == CLI_LINE_BYTES;
		if (!is_long && prn_buffer_append(&lines->text, &(char){ (char)c }, 1))
			return PRN_E_MEMORY;
	}
	if (c == EOF && ferror(lines->file))
		return PRN_E_IO;
	if (c == EOF && !lines->text.length)
		return 0;
	if (prn_buffer_terminate(&lines->text))
		return PRN_E_MEMORY;
	lines->number++;
	lines->line = (char *)lines->text.data;
	if (lines->number == 1 && !strncmp(lines->line, "\xef\xbb\xbf", 3))
		lines->line += 3;
	lines->line[strcspn(lines->line, "\r")] = 0;
	return is_long ? CLI_LINE_LONG : 1;
}

void cli_lines_tell_long(struct prn_error *why, const char *name, const struct cli_lines *lines)
{
	prn_error_set(why, PRN_E_INPUT, "%.200s, line %llu: longer than %zu bytes", name, lines->number, CLI_LINE_BYTES);
}
