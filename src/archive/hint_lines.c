#include "archive/hint_lines.h"
#include "archive/hint_time.h"
#include "archive/line_reader.h"
#include "base/json.h"

#include <math.h>
#include <string.h>


static int wrong(struct prn_error *why, const char *member, const char *takes)
{
	return prn_error_set(why, PRN_E_INPUT, "\"%s\" takes %s", member, takes);
}

/* Reads a member's text; *text is unchanged if it is missing.  A NUL inside would cut it short unnoticed. */
static int read_text(const json_t *root, const char *name, const char **text, struct prn_error *why)
{
	const json_t *value = json_object_get(root, name);
	const char *string = json_string_value(value);

	if (!value || json_is_null(value))
		return 0;
	if (!string || !*string || strlen(string) != json_string_length(value))
		return wrong(why, name, "a text that is not empty");
	*text = string;
	return 0;
}

/* Reads a number of seconds; *is_one tells whether it is a number. */
static int read_seconds(const json_t *value, const char *name, bool *is_one, int64_t *time, struct prn_error *why)
{
	double seconds = json_number_value(value);

	*is_one = json_is_number(value);
	if (*is_one && !(seconds >= (double)PRN_TIME_FIRST && seconds <= (double)PRN_TIME_LAST))
		return wrong(why, name, "Unix seconds up to the year 9999");
	if (*is_one)
		*time = (int64_t)floor(seconds);
	return 0;
}

static int read_time(const json_t *root, int64_t *time, struct prn_error *why)
{
	const json_t *value = json_object_get(root, "time");
	bool is_number;
	int code = read_seconds(value, "time", &is_number, time, why);

	if (code || is_number || !value || json_is_null(value))
		return code;
	if (json_is_string(value) && !prn_hint_time(json_string_value(value), time))
		return 0;
	return wrong(why, "time", "a date such as \"2026-05-10T12:00:00Z\", or Unix seconds");
}

/* Statements of a site on its page, as somebody passed them on: an invalid one counts as absent. */
static int read_page(const json_t *root, struct prn_hint *hint, struct prn_error *why)
{
	const json_t *modified = json_object_get(root, "lastmod"), *often = json_object_get(root, "changefreq"),
	             *period = json_object_get(root, "period");
	bool is_number;
	double seconds;
	int code = read_seconds(modified, "lastmod", &is_number, &hint->modified, why);

	if (!code && json_is_string(modified))
		hint->modified = prn_hint_modified(json_string_value(modified));
	if (json_is_string(often))
		hint->period_s = prn_hint_period_s(json_string_value(often));
	if (json_is_number(period) && json_number_value(period) > 0)
		hint->period_s = json_number_value(period);
	if (json_is_string(period) && !prn_duration_parse(json_string_value(period), &seconds) && seconds > 0)
		hint->period_s = seconds;
	/* An invalid date must not become the current time, which would differ at each reading. */
	if (modified && !json_is_null(modified) && hint->modified == PRN_TIME_UNKNOWN)
		hint->says_changed = false;
	return code;
}

static int read_object(const json_t *root, struct prn_hint *hint, struct prn_error *why)
{
	int code;

	if (!json_is_object(root))
		return prn_error_set(why, PRN_E_INPUT, "it is JSON, but not an object");
	code = read_text(root, "url", &hint->url, why);
	if (!code && !hint->url)
		code = wrong(why, "url", "the page's URL");
	if (!code)
		code = read_text(root, "source", &hint->source, why);
	if (!code)
		code = read_time(root, &hint->time, why);
	return code ? code : read_page(root, hint, why);
}

static void damaged_entry(struct prn_hint_reading *reading, uint64_t number, struct prn_error *why)
{
	reading->counts->entries++;
	prn_hint_damaged(reading, number, why);
}

static bool is_zoneless(const json_t *root, const char *name)
{
	const char *text = json_string_value(json_object_get(root, name));

	return text && prn_time_is_zoneless(text);
}

static int json_line(struct prn_hint_reading *reading, const char *line, size_t length, uint64_t number,
                     struct prn_error *error)
{
	struct prn_hint hint = prn_hint_of(reading);
	struct prn_error why;
	json_t *root = NULL;
	json_error_t fault;
	int code = prn_json_load(line, length, JSON_ALLOW_NUL, PRN_JSON_LINE_VALUES, &root, &fault);

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		prn_error_set(&why, PRN_E_INPUT, "%s: %s (byte %d)", prn_json_fault(code), fault.text, fault.position);
	else
		code = read_object(root, &hint, &why);
	if (code)
		damaged_entry(reading, number, &why);
	else
		reading->counts->zoneless += is_zoneless(root, "time") || is_zoneless(root, "lastmod");
	code = code ? 0 : prn_hint_offer(reading, &hint, reading->base, number, error);
	json_decref(root);
	return code;
}

int prn_hint_line(struct prn_hint_reading *reading, const unsigned char *line, size_t length, uint64_t number,
                  bool whole, struct prn_error *error)
{
	enum prn_hint_format *format = &reading->counts->format;
	size_t at = prn_line_start(line, length, number);
	const char *text = (const char *)line + at;
	struct prn_error why;

	length -= at;
	if (whole && !length)
		return 0;
	if (whole && *format == PRN_HINT_NONE)
		*format = *text == '{' ? PRN_HINT_LINES : PRN_HINT_TEXT;
	if (whole && *format == PRN_HINT_TEXT && *text == '#')
		return 0;
	if (reading->full || prn_hint_is_full(reading, reading->options->entries_max, number))
		return 0;
	if (!whole) {
		prn_error_set(&why, PRN_E_INPUT, "it is longer than %zu bytes", PRN_HINT_LINE_BYTES);
		damaged_entry(reading, number, &why);
		return 0;
	}
	if (*format == PRN_HINT_LINES)
		return json_line(reading, text, length, number, error);
	while (length && strchr(" \t\r", text[length - 1]) && text[length - 1])
		length--;
	return prn_hint_offer_text(reading, text, length, number, error);
}
