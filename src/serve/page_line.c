#include "serve/page_line.h"
#include "base/number.h"

#include "base/json.h"
#include "perennial/source.h"

#include <string.h>

#define NUMBER_BYTES 64 /* no weight is longer */

static int keep_url(struct prn_buffer *out, const char *url, size_t length, struct prn_error *error)
{
	prn_buffer_clear(out);
	if (memchr(url, 0, length))
		return prn_error_set(error, PRN_E_INPUT, "a zero byte in the URL");
	if (prn_buffer_append(out, url, length) || prn_buffer_terminate(out))
		return prn_error_memory(error);
	return 1;
}

static int read_members(const json_t *object, struct prn_buffer *url, double *weight, struct prn_error *error)
{
	const json_t *text = json_object_get(object, "url"), *number = json_object_get(object, "weight");
	double value = json_number_value(number);

	/* This is the last line of an answer of /v1/due, which may be sent back as it is. */
	if (!text && json_object_get(object, "next_time"))
		return 0;
	if (!json_is_string(text))
		return prn_error_set(error, PRN_E_INPUT, "\"url\" is missing or is not a text");
	if (number && (!json_is_number(number) || !(value > 0 && value <= PRN_WEIGHT_MOST)))
		return prn_error_set(error, PRN_E_INPUT, "\"weight\" takes a number above 0, at most 1e9");
	*weight = value;
	return keep_url(url, json_string_value(text), json_string_length(text), error);
}

static int read_object(const char *line, size_t length, struct prn_buffer *url, double *weight,
                       struct prn_error *error)
{
	json_error_t fault;
	json_t *object;
	int code = prn_json_load(line, length, JSON_REJECT_DUPLICATES, PRN_JSON_LINE_VALUES, &object, &fault);

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code)
		return prn_error_set(error, PRN_E_INPUT, "%s: %s", prn_json_fault(code), fault.text);
	code = read_members(object, url, weight, error);
	json_decref(object);
	return code;
}

static int read_plain(const char *line, size_t length, struct prn_buffer *url, double *weight,
                      struct prn_error *error)
{
	const char *end = line + length, *space = line, *number;
	char text[NUMBER_BYTES + 1];

	while (space < end && *space != ' ' && *space != '\t')
		space++;
	for (number = space; number < end && (*number == ' ' || *number == '\t');)
		number++;
	*weight = 0;
	if (number < end) {
		size_t digits = (size_t)(end - number);

		memcpy(text, number, digits < NUMBER_BYTES ? digits : NUMBER_BYTES);
		text[digits < NUMBER_BYTES ? digits : NUMBER_BYTES] = 0;
		if (digits > NUMBER_BYTES || strlen(text) != digits || !prn_number_read(text, weight) ||
		    !(*weight > 0 && *weight <= PRN_WEIGHT_MOST))
			return prn_error_set(
				error, PRN_E_INPUT,
				"after the URL comes its weight, a number above 0, at most 1e9, not '%s'", text);
	}
	return keep_url(url, line, (size_t)(space - line), error);
}

int serve_page_line_read(const char *line, size_t length, struct prn_buffer *url, double *weight,
                         struct prn_error *error)
{
	while (length && (line[length - 1] == '\r' || line[length - 1] == ' ' || line[length - 1] == '\t'))
		length--;
	while (length && (*line == ' ' || *line == '\t')) {
		line++;
		length--;
	}
	if (!length || *line == '#')
		return 0;
	if (length > SERVE_PAGE_LINE_BYTES)
		return prn_error_set(error, PRN_E_INPUT, "it is longer than the %zu bytes that are read of a line",
		                     SERVE_PAGE_LINE_BYTES);
	return *line == '{' ? read_object(line, length, url, weight, error)
	                    : read_plain(line, length, url, weight, error);
}
