#include "archive/warc_header.h"
#include "archive/fields.h"
#include "base/ascii.h"
#include "perennial/time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum prn_warc_type type_named(const char *name)
{
	if (!prn_ascii_compare(name, "response"))
		return PRN_WARC_RESPONSE;
	if (!prn_ascii_compare(name, "resource"))
		return PRN_WARC_RESOURCE;
	if (!prn_ascii_compare(name, "conversion"))
		return PRN_WARC_CONVERSION;
	return prn_ascii_compare(name, "revisit") ? PRN_WARC_OTHER : PRN_WARC_REVISIT;
}

/*
 * "2009-03-65…" is the 65th day of 2009: one writer used the day of the year, with at least two digits, in
 * place of the day of the month.
 */
static bool read_day_of_year(const char *text, int64_t *time)
{
	char first[PRN_TIME_TEXT], date[PRN_TIME_TEXT], month[3], day[4];
	int64_t year, read, before;
	int used = 0;

	if (strlen(text) > sizeof first - 8 || sscanf(text, "%*4[0-9]-%2[0-9]-%3[0-9]%n", month, day, &used) != 2 || text[used] != 'T')
		return false;
	snprintf(first, sizeof first, "%.4s-01-01%s", text, text + used);
	if (prn_time_parse(first, &read))
		return false;
	/* The stated year and month must be those of this day. */
	first[4] = 0;
	before = (int64_t)(atoi(day) - 1) * PRN_DAY_S;
	if (prn_time_parse(first, &year) || memcmp(prn_time_format(year + before, date), text, 4) || atoi(date + 5) != atoi(month))
		return false;
	/* The last second of 9999 may be a leap second. */
	if (read + before > PRN_TIME_LAST)
		return false;
	*time = read + before;
	return true;
}

bool prn_warc_date_parse(const char *text, int64_t *time)
{
	return !prn_time_parse(text, time) || read_day_of_year(text, time);
}

static bool read_length(const char *text, uint64_t *length)
{
	uint64_t sum = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || sum > INT64_MAX / 10 - 1)
			return false;
		sum = sum * 10 + (uint64_t)(*text - '0');
	}
	*length = sum;
	return true;
}

/* Returns where a field is stored, or NULL. */
static const char **place_of(struct prn_warc_record *record, const char *name)
{
	const struct {
		const char *name;
		const char **place;
	} places[] = {
		{ "WARC-Target-URI", &record->target_uri },
		{ "WARC-Date", &record->date },
		{ "Content-Type", &record->content_type },
		{ "WARC-Payload-Digest", &record->payload_digest },
		{ "WARC-Block-Digest", &record->block_digest },
		{ "WARC-Truncated", &record->truncated },
		{ "WARC-Profile", &record->profile },
		{ "WARC-Refers-To-Target-URI", &record->refers_to_uri },
		{ "WARC-Refers-To-Date", &record->refers_to_date },
		{ "WARC-IP-Address", &record->address },
		{ "WARC-Segment-Number", &record->segment },
	};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (!prn_ascii_compare(name, places[i].name))
			return places[i].place;
	return NULL;
}

/* wget writes <http://…>. */
static char *without_brackets(char *uri)
{
	size_t length = strlen(uri);

	if (length < 2 || uri[0] != '<' || uri[length - 1] != '>')
		return uri;
	uri[length - 1] = 0;
	return uri + 1;
}

/* Reads the fields that are used; *type and *block_length are NULL if they are missing. */
static void read_fields(struct prn_warc_record *record, struct prn_fields *fields, const char **type, const char **block_length)
{
	char *name, *value;

	while (prn_fields_next(fields, &name, &value)) {
		const char **place = place_of(record, name);

		if (!prn_ascii_compare(name, "WARC-Type"))
			place = type;
		else if (!prn_ascii_compare(name, "Content-Length"))
			place = block_length;
		/* If a field occurs twice, the first one counts. */
		if (place && !*place)
			*place = without_brackets(value);
	}
}

const char *prn_warc_header_parse(struct prn_warc_record *record, char *text, size_t length)
{
	struct prn_fields fields = { text, text + length };
	bool has_zero = memchr(text, 0, length);
	char *line;
	const char *type = NULL, *block_length = NULL;

	*record = (struct prn_warc_record){ 0 };
	prn_fields_line(&fields, &line);
	read_fields(record, &fields, &type, &block_length);
	record->has_length = block_length && read_length(block_length, &record->block_bytes);
	/* A URL would end there, and be that of another page. */
	if (has_zero) {
		record->target_uri = NULL;
		return "it has a zero byte in it";
	}
	if (strncmp(line, "WARC/1.", 7) && strncmp(line, "WARC/0.1", 8))
		return "its version is not read: WARC/1.0, WARC/1.1 and WARC/0.16 to 0.18 are";
	if (!type)
		return "it has no WARC-Type";
	if (!record->has_length)
		return "its Content-Length is missing or is no number";
	record->type = type_named(type);
	record->type_name = type;
	return NULL;
}
