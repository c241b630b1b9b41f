/* Bodies that come under a Content-Encoding. */
#include "archive/http.h"
#include "serve/http_internal.h"

/* Replaces the body by what the codings gave. */
static int replace(struct serve_request *request, const struct prn_http_body *body, struct prn_error *error)
{
	struct serve_spool whole;
	int code = 0;

	serve_spool_init(&whole, request->upload.limit);
	if (body->length > SERVE_SPOOL_MEMORY)
		code = serve_request_hold(request, body->length, error);
	if (!code)
		code = serve_spool_append(&whole, body->bytes, body->length, request->http->options.spool, error);
	if (code) {
		serve_spool_release(&whole);
		return code;
	}
	serve_spool_release(&request->upload);
	request->upload = whole;
	return 0;
}

static int decode_body(struct serve_request *request, const struct prn_http_head *head, bool *cut,
                       struct prn_error *error)
{
	struct prn_http_body body = { 0 };
	struct prn_http_decoder *decoder;
	const unsigned char *bytes;
	int code;

	if (prn_http_decoder_open(&decoder))
		return prn_error_memory(error);
	code = serve_request_body(request, &bytes, &body.length, error);
	/* The decoder changes these bytes only to join chunks, of which there are none here. */
	body.bytes = (unsigned char *)(uintptr_t)bytes;
	if (!code)
		code = prn_http_decode(decoder, head, &body, (size_t)request->upload.limit, error);
	if (code == PRN_E_INPUT || code == PRN_E_TRUNCATED || code == PRN_E_UNSUPPORTED)
		prn_error_prefix(error, "the body cannot be read");
	if (!code)
		code = replace(request, &body, error);
	if (!code)
		*cut = body.truncated;
	prn_http_decoder_free(decoder);
	return code;
}

int serve_request_decode(struct serve_request *request, const char *type, const char *encoding, bool *cut, struct prn_error *error)
{
	struct prn_http_head head = { .content_type = type, .content_length = PRN_HTTP_LENGTH_UNKNOWN };

	if (prn_http_head_add_codings(&head, encoding))
		return prn_error_set(error, PRN_E_UNSUPPORTED, "Content-Encoding names more than %d codings",
		                     PRN_HTTP_CODINGS);
	for (size_t i = 0; i < head.coding_count; i++)
		if (head.codings[i] == PRN_HTTP_CHUNKED)
			return prn_error_set(error, PRN_E_UNSUPPORTED, "chunked is no Content-Encoding");
	return decode_body(request, &head, cut, error);
}
