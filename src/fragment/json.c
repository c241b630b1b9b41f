#include "fragment/json.h"
#include "fragment/run.h"
#include "fragment/text.h"
#include "fragment/utf8.h"
#include "perennial/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct json {
	const unsigned char *at, *end;
	struct prn_buffer *text;
	size_t depth;
	bool is_object[PRN_JSON_DEPTH]; /* for each open value, the outermost first: whether it is an object, and not an array */
};

static void skip_spaces(struct json *json)
{
	while (json->at < json->end && strchr(" \t\n\r", *json->at) && *json->at)
		json->at++;
}

/* Returns the next byte that is not white space, or 0, which JSON never contains, at the end. */
static unsigned char next(struct json *json)
{
	skip_spaces(json);
	return json->at < json->end ? *json->at : 0;
}

static bool accept(struct json *json, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(json->end - json->at) < length || memcmp(json->at, word, length) != 0)
		return false;
	json->at += length;
	return true;
}

static bool take_digits(struct json *json)
{
	const unsigned char *from = json->at;

	while (json->at < json->end && *json->at >= '0' && *json->at <= '9')
		json->at++;
	return json->at > from;
}

static bool take_number(struct json *json)
{
	accept(json, "-");
	if (!accept(json, "0") && !take_digits(json))
		return false;
	if (accept(json, ".") && !take_digits(json))
		return false;
	if (accept(json, "e") || accept(json, "E")) {
		if (!accept(json, "+"))
			accept(json, "-");
		return take_digits(json);
	}
	return true;
}

/* Reads four digits behind "\u". */
static bool take_unit(struct json *json, uint32_t *unit)
{
	*unit = 0;
	if (json->end - json->at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = strchr(digits, *json->at >= 'A' && *json->at <= 'F' ? *json->at | 0x20 : *json->at);

		if (!digit || !*digit)
			return false;
		*unit = *unit << 4 | (uint32_t)(digit - digits);
		json->at++;
	}
	return true;
}

/* Reads the code point behind "\u": one unit, or two that are a surrogate pair. */
static bool take_code(struct json *json, uint32_t *code)
{
	const unsigned char *behind;
	uint32_t low;

	if (!take_unit(json, code))
		return false;
	if (*code < 0xd800 || *code >= 0xe000)
		return true;
	behind = json->at;
	if (*code < 0xdc00 && accept(json, "\\u") && take_unit(json, &low) && low >= 0xdc00 && low < 0xe000) {
		*code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
		return true;
	}
	json->at = behind;
	*code = 0xfffd;
	return true;
}

/* Reads an escape behind its backslash; false: it is not valid. */
static bool take_escape(struct json *json, uint32_t *code)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *letter;

	if (accept(json, "u"))
		return take_code(json, code);
	if (json->at == json->end)
		return false;
	letter = *json->at ? strchr(letters, *json->at) : NULL;
	if (!letter)
		return false;
	json->at++;
	*code = (unsigned char)meant[letter - letters];
	return true;
}

static bool has_control(const unsigned char *at, const unsigned char *end)
{
	bool found = false;

	for (; at < end; at++)
		found |= *at < 0x20;
	return found;
}

/* Reads a string behind its quote.  PRN_E_INPUT, PRN_E_MEMORY */
static int read_string(struct json *json, bool is_value)
{
	for (;;) {
		const unsigned char *from = json->at;
		uint32_t code;

		json->at = prn_run_to(from, json->end, '"', '\\', '\\');
		if (json->at == json->end || has_control(from, json->at))
			return PRN_E_INPUT;
		if (is_value && prn_text_append(json->text, from, (size_t)(json->at - from)))
			return PRN_E_MEMORY;
		if (*json->at++ == '"')
			return is_value ? prn_text_break(json->text) : 0;
		if (!take_escape(json, &code))
			return PRN_E_INPUT;
		if (is_value && prn_utf8_append(json->text, code))
			return PRN_E_MEMORY;
	}
}

static int read_name(struct json *json)
{
	int error;

	if (next(json) != '"')
		return PRN_E_INPUT;
	json->at++;
	error = read_string(json, false);
	if (error || next(json) != ':')
		return error ? error : PRN_E_INPUT;
	json->at++;
	return 0;
}

/* Opens an array or object.  If it is not empty, *within is set: its first value follows, behind its name in an object. */
static int open_one(struct json *json, bool is_object, bool *within)
{
	json->at++;
	*within = next(json) != (is_object ? '}' : ']');
	if (!*within) {
		json->at++;
		return 0;
	}
	if (json->depth == PRN_JSON_DEPTH)
		return PRN_E_INPUT;
	json->is_object[json->depth++] = is_object;
	return is_object ? read_name(json) : 0;
}

/* Reads a number, true or false, as it is written. */
static int read_bare(struct json *json)
{
	const unsigned char *from = json->at;

	if (!accept(json, "true") && !accept(json, "false") && !take_number(json))
		return PRN_E_INPUT;
	if (prn_text_append(json->text, from, (size_t)(json->at - from)))
		return PRN_E_MEMORY;
	return prn_text_break(json->text);
}

/* Reads a value, or the part of a non-empty array or object that stands before its first value. */
static int read_value(struct json *json, bool *within)
{
	*within = false;
	switch (next(json)) {
	case '{': return open_one(json, true, within);
	case '[': return open_one(json, false, within);
	case '"': json->at++; return read_string(json, true);
	case 'n': return accept(json, "null") ? 0 : PRN_E_INPUT;
	default: return read_bare(json);
	}
}

/*
 * Reads what follows a value: the ends of open arrays and objects, and a comma if another value follows; *over
 * is set if none does.
 */
static int read_behind(struct json *json, bool *over)
{
	*over = false;
	while (json->depth) {
		bool is_object = json->is_object[json->depth - 1];
		unsigned char c = next(json);

		json->at += c != 0;
		if (c == ',')
			return is_object ? read_name(json) : 0;
		if (c != (is_object ? '}' : ']'))
			return PRN_E_INPUT;
		json->depth--;
	}
	*over = true;
	skip_spaces(json);
	return json->at == json->end ? 0 : PRN_E_INPUT;
}

int prn_json_text(const unsigned char *bytes, size_t length, struct prn_buffer *text)
{
	struct json json = { .at = bytes, .end = bytes + length, .text = text };
	size_t before = text->length;
	bool within, over = false;
	int error = 0;

	while (!error && !over) {
		error = read_value(&json, &within);
		if (!error && !within)
			error = read_behind(&json, &over);
	}
	if (error)
		text->length = before;
	return error;
}
