/* POST /v1/hint: takes hints about pages, as a sitemap, a feed, JSON lines or a list of URLs. */
#include "serve/form.h"
#include "serve/hints.h"
#include "serve/routes.h"

#include "perennial/hinting.h"

uint64_t serve_hint_limit(void *context, struct serve_request *request)
{
	(void)request;
	return ((const struct serve_daemon *)context)->options.body_bytes_max;
}

/* A document: its body, and what its options point to, belong to the request. */
struct document {
	struct serve_hints_call hints;
	struct prn_hint_options options;
	const unsigned char *body; /* [length] */
	size_t length;
};

/* Reads the document, and has the writer take it in; frees the call if it does not come to that. */
static void read_document(void *context)
{
	struct document *document = context;
	struct serve_hints_call *hints = &document->hints;
	struct serve_request *request = hints->call.request;
	struct prn_error error = { 0 };

	if (!prn_hint_read(document->body, document->length, &document->options, serve_hints_add, hints,
	                   &hints->hinter.read, &error)) {
		serve_call_submit(&hints->call);
		return;
	}
	if (hints->hinter.error.code == PRN_E_LIMIT)
		serve_request_refuse(request, 413, "%s", hints->hinter.error.text);
	else
		serve_request_fail(request, hints->hinter.error.code ? &hints->hinter.error : &error);
	serve_call_free(&hints->call);
}

void serve_hint(void *context, struct serve_request *request)
{
	struct prn_hint_options options = { .time = PRN_TIME_UNKNOWN,
		                            .source = serve_request_parameter(request, "source"),
		                            .base = serve_request_parameter(request, "base"),
		                            .entries_max = PRN_HINT_ENTRIES,
		                            .content_type = serve_request_header(request, "Content-Type") };
	struct document *document;
	struct prn_error error = { 0 };

	if (options.source && !*options.source)
		options.source = NULL;
	if (!serve_form_flag(request, "same_host", &options.same_host))
		return;
	document = serve_hints_open(context, request, sizeof *document);
	if (!document)
		return;
	document->options = options;
	if (!serve_request_body(request, &document->body, &document->length, &error)) {
		serve_hints_read(&document->hints, document->length, read_document);
		return;
	}
	serve_request_fail(request, &error);
	serve_call_free(&document->hints.call);
}
