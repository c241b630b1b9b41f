#include "base/json.h"

#include "perennial/error.h"

#include <stdint.h>
#include <stdlib.h>

#define ROOM 65536 /* more than jansson takes at once beside the text */

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
int prn_json_load(const char *text, size_t length, size_t flags, json_t **root, json_error_t *why)
{
	int failed = load(text, length, flags, root, why);
	void *volatile room;

	if (failed != PRN_E_INPUT)
		return failed;
	room = length < SIZE_MAX - ROOM ? malloc(length + ROOM) : NULL;
	if (!room)
		return PRN_E_MEMORY;
	free(room);
	return load(text, length, flags, root, why);
}
