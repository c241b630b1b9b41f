#include "archive/http_capture.h"

#include "perennial/time.h"

#include <string.h>

bool prn_http_is_etag(const char *text)
{
	const char *tag = text + (!strncmp(text, "W/\"", 3) ? 2 : 0), *end = tag + strlen(tag);
	size_t length = (size_t)(end - text);

	if (!length || length > PRN_ETAG_BYTES)
		return false;
	if (*tag == '"') {
		if (end - tag < 2 || end[-1] != '"')
			return false;
		tag++, end--;
	} else if (!strcmp(tag, "*")) {
		return false;
	}
	for (; tag < end; tag++)
		if (*tag <= ' ' || *tag > '~' || *tag == '"' || (*tag == ',' && *end != '"'))
			return false;
	return true;
}

void prn_http_capture_head(struct prn_capture *capture, const struct prn_http_head *head)
{
	capture->status = head->status;
	capture->kind = prn_kind_of_status(head->status);
	if (head->content_type && *head->content_type)
		capture->content_type = head->content_type;
	if (head->last_modified)
		prn_time_parse_http(head->last_modified, &capture->modified);
	if (head->etag && prn_http_is_etag(head->etag))
		capture->etag = head->etag;
	if (head->retry_after)
		capture->retry_after_s = prn_http_retry_after(head->retry_after, capture->time);
	if (capture->kind != PRN_KIND_REDIRECT)
		return;
	/* The body of a redirect is a text for people and is ignored: its content is the Location, one fragment. */
	capture->content_type = "application/octet-stream";
	if (head->location) {
		capture->body = (const unsigned char *)head->location;
		capture->body_bytes = strlen(head->location);
	}
}

int prn_http_capture_body(struct prn_capture *capture, struct prn_http_decoder *decoder, const struct prn_http_head *head,
                          struct prn_http_body *body, size_t limit, struct prn_error *error)
{
	int code = prn_http_decode(decoder, head, body, limit, error);

	if (code == PRN_E_TRUNCATED)
		capture->kind = PRN_KIND_ERROR;
	if (code)
		return code == PRN_E_TRUNCATED ? 0 : code;
	if (body->length)
		capture->body = body->bytes;
	capture->body_bytes = body->length;
	capture->truncated = body->truncated;
	return 0;
}

size_t prn_http_stored_limit(size_t limit)
{
	return limit < SIZE_MAX / 4 ? 2 * limit + PRN_HTTP_HEAD_BYTES : SIZE_MAX / 2;
}

const char *prn_http_head_fault(int code)
{
	return code == PRN_E_UNSUPPORTED ? "its HTTP head names too many codings"
	                                 : "it holds no HTTP response, or a head above 65536 bytes, or one of a redirect with a zero byte";
}

int prn_http_capture_message(struct prn_capture *capture, struct prn_http_decoder *decoder, unsigned char *bytes,
                             size_t length, bool more, size_t limit, struct prn_error *error)
{
	size_t end = prn_http_head_length(bytes, length);
	struct prn_http_body body = { bytes + end, length - end, more, false };
	struct prn_http_head head;
	int code;

	capture->kind = PRN_KIND_ERROR;
	if (!length)
		return 0;
	code = end && end <= PRN_HTTP_HEAD_BYTES ? prn_http_head_parse(&head, bytes, end) : PRN_E_INPUT;
	if (code)
		return prn_error_set(error, code, "%s", prn_http_head_fault(code));
	prn_http_capture_head(capture, &head);
	if (capture->kind == PRN_KIND_CONTENT && head.status != 204)
		code = prn_http_capture_body(capture, decoder, &head, &body, limit, error);
	if (capture->kind != PRN_KIND_CONTENT)
		capture->ignored_bytes = length - end;
	return code;
}
