/*
 * Reads a JSON line of any bytes as a capture: a capture that is taken is complete and within its limits, and a refusal has a
 * reason.
 */
#include "archive/capture_json.h"
#include "perennial/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BODY_BYTES_MAX 64

static void check(const struct prn_capture *capture, bool timeless)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_digest read;

	if (prn_url_normalize(capture->url, SIZE_MAX, normal, sizeof normal) || strcmp(normal, capture->normal_url))
		abort();
	if (capture->kind == PRN_KIND_CONTENT ? capture->body_bytes > BODY_BYTES_MAX
	                                      : capture->body_bytes && capture->kind != PRN_KIND_REDIRECT)
		abort();
	read = prn_digest_bytes(capture->body, capture->body_bytes);
	if ((!read.high && !read.low) || (capture->content_type && !*capture->content_type))
		abort();
	if (!(capture->weight >= 0) || !isfinite(capture->weight) || (capture->time == PRN_TIME_UNKNOWN && !timeless))
		abort();
	if (capture->retry_after_s < 0 && capture->retry_after_s != PRN_TIME_UNKNOWN)
		abort();
}

/* "path" is not allowed: a fuzzer must not read the files of the machine. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct prn_capture_json_options options = { .body_bytes_max = BODY_BYTES_MAX, .has_time = size % 2, .time = size % 4 == 1 ? PRN_TIME_UNKNOWN : 0 };
	static struct prn_capture_json reader;
	struct prn_capture capture;
	struct prn_error error = { 0 };
	int code = prn_capture_json_read(&reader, (const char *)data, size, &options, &capture, &error);

	if (!code)
		check(&capture, size % 4 == 1);
	else if (error.code != code || !*error.text)
		abort();
	return 0;
}
