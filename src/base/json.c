#include "base/json.h"

#include "perennial/error.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 65536 /* more than jansson takes at once beside the text */

/* Behind the quotation mark that ends the text which begins at at. */
static const char *skip_text(const char *at, const char *end)
{
	const char *mark, *escape;

	for (const char *from = at; (mark = memchr(from, '"', (size_t)(end - from))); from = mark + 1) {
		for (escape = mark; escape > from && escape[-1] == '\\';)
			escape--;
		if ((mark - escape) % 2 == 0)
			return mark + 1;
	}
	return end;
}

/* Where the value begins that is one too many; NULL: none is. */
static const char *find_excess(const char *text, size_t length, size_t values)
{
	const char *at = text, *end = text + length;
	size_t found = 1;

	/* All but the first take a byte each beside themselves. */
	if (length < values)
		return NULL;
	while (at < end && found <= values) {
		char byte = *at++;

		if (byte == '"')
			at = skip_text(at, end);
		else
			found += byte == ',' || byte == '[' || byte == '{';
	}
	return found > values ? at : NULL;
}

bool prn_json_exceeds(const char *text, size_t length, size_t values)
{
	return find_excess(text, length, values) != NULL;
}

static int refuse(size_t values, size_t position, json_error_t *why)
{
	*why = (json_error_t){ .line = -1, .column = -1, .position = position < INT_MAX ? (int)position : INT_MAX };
	snprintf(why->text, sizeof why->text, "more than %zu values", values);
	return PRN_E_LIMIT;
}

static int load(const char *text, size_t length, size_t flags, json_t **root, json_error_t *why)
{
	json_t *read = json_loadb(text, length, flags, why);

	if (!read)
		return json_error_code(why) == json_error_out_of_memory ? PRN_E_MEMORY : PRN_E_INPUT;
	*root = read;
	return 0;
}

/*
 * Of a text that it has no memory for, jansson often says that it is wrong: it is therefore read again, when there is
 * memory, and is then refused for what it is.
 */
int prn_json_load(const char *text, size_t length, size_t flags, size_t values, json_t **root, json_error_t *why)
{
	const char *excess = find_excess(text, length, values);
	void *volatile room;
	int failed;

	if (excess)
		return refuse(values, (size_t)(excess - text), why);
	failed = load(text, length, flags, root, why);

	if (failed != PRN_E_INPUT)
		return failed;
	room = length < SIZE_MAX - ROOM ? malloc(length + ROOM) : NULL;
	if (!room)
		return PRN_E_MEMORY;
	free(room);
	return load(text, length, flags, root, why);
}

const char *prn_json_fault(int code)
{
	return code == PRN_E_LIMIT ? "too much JSON" : "not JSON";
}
