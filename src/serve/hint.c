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

struct hinting {
	struct serve_hints_call hints;
	struct prn_hint_options options;
	const unsigned char *body;
	size_t length;
};

static int hint(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct hinting *hinting = (struct hinting *)call;
	struct prn_hinter *hinter = &hinting->hints.hinter;
	int code;

	*hinter = (struct prn_hinter){ .decider = daemon->decider, .now = serve_now(daemon) };
	code = prn_hint_read(hinting->body, hinting->length, &hinting->options, prn_hinter_take, hinter, &hinter->read, error);
	if (hinter->error.code)
		*error = hinter->error;
	return code ? code : serve_hints_answer(&hinting->hints, error);
}

void serve_hint(void *context, struct serve_request *request)
{
	struct hinting *hinting = serve_call_open(context, request, sizeof *hinting, SERVE_JSON, hint);
	struct prn_error error = { 0 };

	if (!hinting)
		return;
	hinting->hints.call.durable = serve_hints_count;
	hinting->options = (struct prn_hint_options){ .time = PRN_TIME_UNKNOWN,
		                                      .source = serve_request_parameter(request, "source"),
		                                      .base = serve_request_parameter(request, "base"),
		                                      .entries_max = PRN_HINT_ENTRIES,
		                                      .content_type = serve_request_header(request, "Content-Type") };
	if (hinting->options.source && !*hinting->options.source)
		hinting->options.source = NULL;
	if (!serve_form_flag(request, "same_host", &hinting->options.same_host)) {
		serve_call_free(&hinting->hints.call);
	} else if (serve_request_body(request, &hinting->body, &hinting->length, &error)) {
		serve_call_free(&hinting->hints.call);
		serve_request_fail(request, &error);
	} else {
		serve_call_submit(&hinting->hints.call);
	}
}
