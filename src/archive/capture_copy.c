#include "archive/capture_copy.h"

#include <string.h>

#define TEXTS 7

int prn_capture_copy_make(struct prn_capture_copy *copy, const struct prn_capture *capture)
{
	const char *const from[TEXTS] = { capture->url, capture->normal_url, capture->content_type,
		                          capture->refers_to_url, capture->etag, capture->digest_media, capture->asked_url };
	const char **to[TEXTS] = { &copy->capture.url, &copy->capture.normal_url, &copy->capture.content_type,
		                   &copy->capture.refers_to_url, &copy->capture.etag, &copy->capture.digest_media, &copy->capture.asked_url };
	size_t at[TEXTS];

	prn_buffer_clear(&copy->texts);
	prn_buffer_clear(&copy->body);
	for (size_t i = 0; i < TEXTS; i++) {
		at[i] = copy->texts.length;
		if (from[i] && prn_buffer_append(&copy->texts, from[i], strlen(from[i]) + 1))
			return PRN_E_MEMORY;
	}
	if (prn_buffer_append(&copy->body, capture->body, capture->body_bytes))
		return PRN_E_MEMORY;
	/* The pointers are set last, because the buffers move while they grow. */
	copy->capture = *capture;
	for (size_t i = 0; i < TEXTS; i++)
		*to[i] = from[i] ? (const char *)copy->texts.data + at[i] : NULL;
	copy->capture.body = copy->body.data ? copy->body.data : (const unsigned char *)"";
	return 0;
}

void prn_capture_copy_drop_body(struct prn_capture_copy *copy)
{
	prn_buffer_release(&copy->body);
	copy->capture.body = (const unsigned char *)"";
	copy->capture.body_bytes = 0;
}

void prn_capture_copy_release(struct prn_capture_copy *copy)
{
	prn_buffer_release(&copy->texts);
	prn_buffer_release(&copy->body);
	*copy = (struct prn_capture_copy){ .texts = { 0 } };
}
