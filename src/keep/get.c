#include "keep/folder.h"

#include <stdlib.h>
#include <string.h>

void keep_pair_init(struct keep_pair *pair)
{
	*pair = (struct keep_pair){ .count = 0 };
}

void keep_pair_release(struct keep_pair *pair)
{
	for (size_t i = 0; i < KEEP_LAST; i++)
		keep_body_release(&pair->bodies[i]);
	pair->count = pair->unread = 0;
}

static int get_one(struct keep *keep, const char *url, unsigned i, struct keep_body *body, struct prn_error *error)
{
	struct prn_buffer bytes = { 0 };
	struct prn_error why = { 0 };
	char name[KEEP_NAME];
	int code = keep_file_read(keep, keep_file_name(url, i, name), SIZE_MAX, &bytes, &why);

	if (!code) {
		code = keep_body_read(body, bytes.data, bytes.length, &why);
		if (!code && strcmp(body->url, url))
			code = prn_error_set(&why, PRN_E_INPUT, "it is the body of another page");
		if (code)
			prn_error_prefix(&why, "%s/%s", keep->path, name);
	}
	prn_buffer_release(&bytes);
	if (code && error)
		*error = why;
	return code;
}

int keep_get(struct keep *keep, const char *url, struct keep_pair *pair, struct prn_error *error)
{
	int code = 0;

	keep_pair_release(pair);
	for (unsigned i = 0; i < KEEP_LAST && !code; i++) {
		struct prn_error why = { 0 };

		code = get_one(keep, url, i, &pair->bodies[pair->count], &why);
		if (code == PRN_E_INPUT && !pair->unread++)
			pair->why = why;
		if (!code)
			pair->count++;
		else if (code == PRN_E_INPUT || code == PRN_E_NOT_FOUND)
			code = 0;
		else if (error)
			*error = why;
	}
	if (pair->count == KEEP_LAST && pair->bodies[0].time > pair->bodies[1].time) {
		struct keep_body *later = malloc(sizeof *later);

		if (!later)
			return prn_error_memory(error);
		*later = pair->bodies[0];
		pair->bodies[0] = pair->bodies[1];
		pair->bodies[1] = *later;
		free(later);
	}
	return code;
}

bool keep_has(struct keep *keep, const char *url)
{
	struct keep_file file;
	char name[KEEP_NAME];

	for (unsigned i = 0; i < KEEP_LAST; i++)
		if (keep_file_look(keep, keep_file_name(url, i, name), &file, NULL) != PRN_E_NOT_FOUND)
			return true;
	return false;
}
