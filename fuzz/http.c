/*
 * Reads an HTTP response: its head, and its body decoded under a small limit, as a whole and as one that was cut on purpose.
 */
#include "archive/http.h"
#include "perennial/digest.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LIMIT 4096

static void decode(const struct prn_http_head *head, const uint8_t *data, size_t size, bool cut)
{
	struct prn_http_decoder *decoder;
	struct prn_http_body body = { malloc(size ? size : 1), size, cut, false };
	unsigned char *mine = body.bytes;
	struct prn_digest read;

	if (!mine || prn_http_decoder_open(&decoder)) {
		free(mine);
		return;
	}
	memcpy(mine, data, size);
	if (!prn_http_decode(decoder, head, &body, LIMIT, NULL)) {
		if (body.length > LIMIT)
			abort();
		/* A cut body is whole only if its head says that this is all. */
		if (cut && !body.truncated && (head->coding_count || body.length != head->content_length))
			abort();
		read = prn_digest_bytes(body.bytes, body.length);
		if (!read.high && !read.low)
			abort();
	}
	prn_http_decoder_free(decoder);
	free(mine);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t length = prn_http_head_length(data, size), whole = length ? length : size;
	struct prn_http_head head;
	unsigned char *bytes = malloc(whole + 1);

	if (length > size)
		abort();
	if (!bytes)
		return 0;
	memcpy(bytes, data, whole);
	if (!prn_http_head_parse(&head, bytes, whole)) {
		if (head.status < 0 || head.status > 999 || head.coding_count > PRN_HTTP_CODINGS)
			abort();
		decode(&head, data + whole, size - whole, false);
		decode(&head, data + whole, size - whole, true);
	}
	free(bytes);
	return 0;
}
