#include "archive/arc_header.h"

#include "base/ascii.h"

#include "perennial/time.h"

#include <ctype.h>
#include <string.h>

#define FIELDS_MOST 12 /* four fields follow the URL, or nine */
#define FIELDS_LEAST 3 /* blanks that stand before a length, at least */
#define SCHEME_MOST 16

static bool is_address(const char *text)
{
	return strpbrk(text, ".:") && !text[strspn(text, "0123456789abcdefABCDEF.:")];
}

/* Reads 14 digits; some writers left the seconds out. */
static bool is_date(const char *text, int64_t *time)
{
	size_t length = strlen(text);

	return (length == 14 || length == 12) && strspn(text, "0123456789") == length && !prn_time_parse(text, time);
}

static bool read_length(const char *text, uint64_t *length)
{
	uint64_t sum = 0;

	for (const char *at = text; *at; at++) {
		if (!isdigit((unsigned char)*at) || sum > INT64_MAX / 10 - 1)
			return false;
		sum = sum * 10 + (uint64_t)(*at - '0');
	}
	*length = sum;
	return *text;
}

/* Cuts the last field off the line and returns it, "" if there is none. */
static char *take_last(char *line)
{
	size_t length = strlen(line);

	while (length && line[length - 1] == ' ')
		line[--length] = 0;
	while (length && line[length - 1] != ' ')
		length--;
	if (length)
		line[length - 1] = 0;
	return line + length;
}

bool prn_arc_header_claims(const unsigned char *line, size_t length, uint64_t *bytes)
{
	char digits[24] = "";
	size_t start, blanks = 0;

	while (length && (line[length - 1] == '\r' || line[length - 1] == ' '))
		length--;
	for (start = length; start && isdigit(line[start - 1]); start--)
		;
	for (size_t i = 0; i < start && blanks < FIELDS_LEAST; i++)
		blanks += line[i] == ' ';
	if (blanks < FIELDS_LEAST || line[start - 1] != ' ' || length - start >= sizeof digits || !prn_arc_header_starts(line, length))
		return false;
	memcpy(digits, line + start, length - start);
	return read_length(digits, bytes);
}

bool prn_arc_header_parse(struct prn_arc_header *header, char *line, size_t length)
{
	struct prn_arc_header read = { .time = 0 };
	const char *fields[FIELDS_MOST];
	size_t count = 1;

	while (length && line[length - 1] == '\r')
		length--;
	if (memchr(line, 0, length) || memchr(line, '\r', length))
		return false;
	line[length] = 0;
	fields[0] = take_last(line);
	if (!read_length(fields[0], &read.length))
		return false;
	/*
	 * Fields are read from the end, because URLs contain blanks: the URL is what stands before an address
	 * and a date.
	 */
	while (count < FIELDS_MOST) {
		fields[count] = take_last(line);
		if (fields[count] == line)
			return false;
		count++;
		if (count > 2 && is_address(fields[count - 1]) && is_date(fields[count - 2], &read.time))
			break;
	}
	read.url = line;
	if (count == FIELDS_MOST || count < 3 || !prn_arc_header_starts((const unsigned char *)line, strlen(line)))
		return false;
	read.address = fields[count - 1];
	read.media = count > 3 && prn_ascii_compare(fields[count - 3], "no-type") ? fields[count - 3] : NULL;
	*header = read;
	return true;
}

bool prn_arc_header_starts(const unsigned char *bytes, size_t length)
{
	size_t n = 0;

	while (n < length && n < SCHEME_MOST && (isalnum(bytes[n]) || (n && strchr("+.-", bytes[n]) && bytes[n])))
		n++;
	return n && n < length && bytes[n] == ':';
}
