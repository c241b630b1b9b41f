/* Reads the file of a kept body: any bytes are read without harm, and what is read is packed and read again to the same. */
#include "keep/body.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_again(const struct keep_body *body)
{
	struct keep_body *again = calloc(1, sizeof *again);
	struct prn_buffer file = { 0 };

	if (!again || keep_body_pack(&file, body->url, body->time, body->type, body->body.data, body->body.length, NULL) ||
	    keep_body_read(again, file.data, file.length, NULL))
		abort();
	if (strcmp(again->url, body->url) || strcmp(again->type, body->type) || again->time != body->time ||
	    again->body.length != body->length || prn_digest_compare(&again->digest, &body->digest))
		abort();
	if (body->length && memcmp(again->body.data, body->body.data, body->body.length) != 0)
		abort();
	keep_body_release(again);
	prn_buffer_release(&file);
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct keep_body *body = calloc(1, sizeof *body);
	size_t head;

	if (!body)
		return 0;
	if (!keep_body_read_head(body, data, size, &head, NULL) && (head > size || head > KEEP_HEAD_MOST || !*body->url))
		abort();
	if (!keep_body_read(body, data, size, NULL))
		read_again(body);
	keep_body_release(body);
	free(body);
	return 0;
}
