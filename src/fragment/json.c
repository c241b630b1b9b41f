#include "fragment/json.h"
#include "fragment/text.h"
#include "perennial/error.h"

#include "base/json.h"

#include <stdint.h>

static int append_value(const json_t *value, struct prn_buffer *text)
{
	const char *key;
	json_t *member;
	size_t i;
	int error = 0;

	if (json_is_string(value)) {
		error = prn_text_append(text, json_string_value(value), json_string_length(value));
		return error ? error : prn_text_break(text);
	}
	json_object_foreach((json_t *)(uintptr_t)value, key, member)
		if (!error)
			error = append_value(member, text);
	json_array_foreach(value, i, member)
		if (!error)
			error = append_value(member, text);
	return error;
}

int prn_json_text(const unsigned char *json, size_t length, struct prn_buffer *text)
{
	json_error_t why;
	json_t *root;
	int error = prn_json_load((const char *)json, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, PRN_JSON_TEXT_VALUES, &root, &why);

	if (error)
		return error == PRN_E_LIMIT ? PRN_E_INPUT : error;
	error = append_value(root, text);
	json_decref(root);
	return error;
}
