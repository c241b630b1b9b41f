/*
 * Our reader takes what jansson takes, with the same values in the same order.  What jansson refuses it takes only if the
 * standard allows it and jansson cannot represent it: large numbers, names given twice or with a NUL, half pairs of
 * surrogates, and depth.
 */
#include "fragment/json.h"
#include "fragment/text.h"
#include "perennial/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

/*
 * Our reader gives a number as it was written, which jansson does not keep: the number is compared by value, and its text is
 * copied.
 */
static void append_number(double number, const struct prn_buffer *ours, struct prn_buffer *text)
{
	char spelled[400];
	size_t length = 0;

	check(ours->length > text->length);
	while (text->length + length < ours->length && length + 1 < sizeof spelled &&
	       strchr("0123456789+-.eE", ours->data[text->length + length]) && ours->data[text->length + length])
		length++;
	memcpy(spelled, ours->data + text->length, length);
	spelled[length] = '\0';
	/* Longer inputs are not read. */
	check(length && (length + 1 == sizeof spelled || strtod(spelled, NULL) == number));
	while (text->length + length < ours->length && ours->data[text->length + length] != PRN_TEXT_BREAK)
		length++;
	check(!prn_text_append(text, ours->data + text->length, length));
}

static void append_values(const json_t *value, const struct prn_buffer *ours, struct prn_buffer *text)
{
	const char *key;
	json_t *member;
	size_t i;

	if (json_is_string(value))
		check(!prn_text_append(text, json_string_value(value), json_string_length(value)));
	else if (json_is_number(value))
		append_number(json_number_value(value), ours, text);
	else if (json_is_boolean(value))
		check(!prn_text_append(text, json_is_true(value) ? "true" : "false", json_is_true(value) ? 4 : 5));
	if (json_is_string(value) || json_is_number(value) || json_is_boolean(value))
		check(!prn_text_break(text));
	json_object_foreach((json_t *)(uintptr_t)value, key, member)
		append_values(member, ours, text);
	json_array_foreach(value, i, member)
		append_values(member, ours, text);
}

static bool is_beyond(const json_error_t *why)
{
	switch (json_error_code(why)) {
	case json_error_numeric_overflow:
	case json_error_duplicate_key:
	case json_error_null_byte_in_key:
	case json_error_stack_overflow:
	case json_error_invalid_utf8: /* bytes are decoded before they are read */
		return true;
	default:
		return !strncmp(why->text, "invalid Unicode", 15);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned char before[] = "before";
	struct prn_buffer ours = { 0 }, theirs = { 0 };
	json_error_t why;
	json_t *root = json_loadb((const char *)data, size, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &why);
	int code;

	check(!prn_buffer_append(&ours, before, sizeof before) && !prn_buffer_append(&theirs, before, sizeof before));
	code = prn_json_text(data, size, &ours);
	check(!code || code == PRN_E_INPUT);
	/* A text is nowhere longer than what it is written as, except for the break behind a number at the end. */
	check(ours.length <= sizeof before + size + 1 && (!code || ours.length == sizeof before));
	/* jansson skips one behind a number. */
	if (size && memchr(data, 0, size)) {
		check(code);
	} else if (root) {
		check(!code);
		append_values(root, &ours, &theirs);
		check(ours.length == theirs.length && !memcmp(ours.data, theirs.data, ours.length));
	} else {
		check(code || is_beyond(&why));
	}
	json_decref(root);
	prn_buffer_release(&ours);
	prn_buffer_release(&theirs);
	return 0;
}
