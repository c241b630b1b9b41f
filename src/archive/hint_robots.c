#include "archive/hint_robots.h"
#include "archive/line_reader.h"
#include "base/ascii.h"

#include <string.h>

static const char key[] = "sitemap";

static size_t blanks(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at;
}

/*
 * Returns the value of a line with this key, without its comment, or NULL; *length is first that of the line,
 * then of the value.
 */
static const char *value_of(const char *line, size_t *length)
{
	const char *comment = memchr(line, '#', *length), *end = comment ? comment : line + *length;
	const char *at = line + sizeof key - 1;

	if (end - line < (ptrdiff_t)sizeof key || prn_ascii_compare_n(line, key, sizeof key - 1))
		return NULL;
	at += blanks(at, (size_t)(end - at));
	if (at == end || *at++ != ':')
		return NULL;
	at += blanks(at, (size_t)(end - at));
	while (end > at && end[-1] && strchr(" \t\r", end[-1]))
		end--;
	*length = (size_t)(end - at);
	return at;
}

int prn_hint_robots_line(struct prn_hint_reading *reading, const unsigned char *line, size_t length, uint64_t number,
                         struct prn_error *error)
{
	size_t start = prn_line_start(line, length, number), value_length = length - start;
	const char *value = value_of((const char *)line + start, &value_length);

	if (!value || !value_length || prn_hint_is_full(reading, reading->options->entries_max, number))
		return 0;
	return prn_hint_offer_text(reading, value, value_length, number, error);
}
