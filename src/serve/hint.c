/* POST /v1/hint: what others say of pages, as a sitemap, a feed, JSON lines or a list of URLs. */
#include "serve/form.h"
#include "serve/hints.h"
#include "serve/routes.h"

#include "perennial/hinting.h"

uint64_t serve_hint_limit(void *context, struct serve_request *request)
{
	(void)request;
	return ((const struct serve_daemon *)context)->options.body_bytes_max;
}

/* What the request says of its body; false: it was answered. */
static bool read_options(struct serve_request *request, struct prn_hint_options *options)
{
	*options = (struct prn_hint_options){ .time = PRN_TIME_UNKNOWN,
		                              .source = serve_request_parameter(request, "source"),
		                              .base = serve_request_parameter(request, "base"),
		                              .entries_max = PRN_HINT_ENTRIES,
		                              .content_type = serve_request_header(request, "Content-Type") };
	if (options->source && !*options->source)
		options->source = NULL;
	return serve_form_flag(request, "same_host", &options->same_host);
}

void serve_hint(void *context, struct serve_request *request)
{
	struct prn_hint_options options;
	struct serve_hints_call *hints;
	struct prn_error error = { 0 };
	const unsigned char *body;
	size_t length;
	int code;

	if (!read_options(request, &options))
		return;
	hints = serve_hints_open(context, request, sizeof *hints);
	if (!hints)
		return;
	code = serve_request_body(request, &body, &length, &error);
	if (!code)
		code = prn_hint_read(body, length, &options, serve_hints_add, hints, &hints->hinter.read, &error);
	if (!code) {
		serve_call_submit(&hints->call);
		return;
	}
	serve_request_fail(request, hints->hinter.error.code ? &hints->hinter.error : &error);
	serve_call_free(&hints->call);
}
