#include "serve/capture_copy.h"

#include <string.h>

int serve_capture_copy_make(struct serve_capture_copy *copy, const struct prn_capture *capture)
{
	const char *type = capture->content_type ? capture->content_type : "";
	size_t url = strlen(capture->url) + 1, normal = strlen(capture->normal_url) + 1, media = strlen(type) + 1;
	const char *text;

	prn_buffer_clear(&copy->bytes);
	if (prn_buffer_append(&copy->bytes, capture->url, url) ||
	    prn_buffer_append(&copy->bytes, capture->normal_url, normal) ||
	    prn_buffer_append(&copy->bytes, type, media) ||
	    prn_buffer_append(&copy->bytes, capture->body, capture->body_bytes))
		return PRN_E_MEMORY;
	text = (const char *)copy->bytes.data;
	copy->capture = *capture;
	copy->capture.url = text;
	copy->capture.normal_url = text + url;
	copy->capture.content_type = capture->content_type ? text + url + normal : NULL;
	copy->capture.body = copy->bytes.data + url + normal + media;
	copy->capture.refers_to_url = NULL;
	return 0;
}

void serve_capture_copy_release(struct serve_capture_copy *copy)
{
	prn_buffer_release(&copy->bytes);
	*copy = (struct serve_capture_copy){ .bytes = { 0 } };
}
