/* POST /v1/observe: one page as the body, or a batch of them as NDJSON or WARC. */
#include "archive/http_capture.h"
#include "archive/reader.h"
#include "base/ascii.h"
#include "decide/observer_parts.h"
#include "serve/form.h"
#include "serve/json.h"
#include "serve/keeping.h"
#include "serve/routes.h"
#include "serve/service.h"

#include "perennial/url.h"

#include <string.h>

#define READ_AT_ONCE ((size_t)1 << 20) /* the worst markup of more takes a second: the thread of requests is not for
                                        * that */

static const char *const batch_types[] = { SERVE_NDJSON, "application/ndjson", "application/jsonl",
	                                   "application/warc", "application/gzip", "application/zstd" };

/* Whether the body is a batch, by its media type; with a url parameter it is that page, whatever its type. */
static bool is_batch(struct serve_request *request)
{
	const char *type = serve_request_header(request, "Content-Type");
	size_t length = type ? strcspn(type, "; \t") : 0;

	if (serve_request_parameter(request, "url"))
		return false;
	for (size_t i = 0; type && i < sizeof batch_types / sizeof *batch_types; i++)
		if (strlen(batch_types[i]) == length && !prn_ascii_compare_n(batch_types[i], type, length))
			return true;
	return false;
}

uint64_t serve_observe_limit(void *context, struct serve_request *request)
{
	const struct serve_daemon *daemon = context;

	return is_batch(request) ? daemon->options.upload_bytes_max : daemon->options.body_bytes_max;
}

/* A batch tells by its type, or by its first bytes, how it is packed. */
bool serve_observe_decodes(struct serve_request *request)
{
	return !is_batch(request);
}

/* The observation of one page: the capture points into the request, which is parked. */
struct observing {
	struct serve_call call;
	struct prn_capture capture;
	struct prn_observation observation;
	struct prn_outcome outcome;
	struct prn_observing progress;
	struct keep_draft draft;  /* of the body, where bodies are kept */
	struct serve_watch watch; /* tells whether the page is forgotten meanwhile */
	char normal_url[PRN_URL_BYTES + 1];
	char asked[PRN_URL_BYTES + 1], location[PRN_URL_BYTES + 1];
};

static void release_observing(struct serve_call *call)
{
	struct observing *observing = (struct observing *)call;

	prn_observation_release(&observing->observation);
	serve_keeping_drop(call->daemon, &observing->draft);
	serve_keeping_unwatch(call->daemon, &observing->watch);
}

static int observe_page(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct observing *observing = (struct observing *)call;
	struct prn_capture *capture = &observing->capture;
	int code = prn_observer_step(daemon->observer, &observing->observation, capture, serve_now(daemon),
	                             &observing->progress, &observing->outcome, error);

	call->again = !code && observing->progress.is_part;
	if (!code && !call->again && serve_json_outcome(&observing->call.out, capture->url, capture->time, &observing->outcome))
		code = prn_error_memory(error);
	return code;
}

static void expect_page(void *lane, struct serve_task *task)
{
	const struct prn_observation *observation = &((struct observing *)task)->observation;

	serve_expect(lane, &observation->key, observation->normal_url);
}

static void count_outcome(struct serve_call *call)
{
	struct observing *observing = (struct observing *)call;

	prn_observing_keep(&observing->progress);
	if (call->again)
		return;
	serve_count_outcome(call->daemon, &observing->outcome);
	if (!prn_outcome_is_refusal(observing->outcome.kind))
		serve_keeping_place(call->daemon, &observing->watch, &observing->draft);
}

/*
 * Reads the page's URL; if another URL was asked for in its place, the page is the one that was handed out.  False: it was answered.
 */
static bool read_urls(struct serve_request *request, struct observing *observing)
{
	const char *answers = serve_request_parameter(request, "answers");

	if (!observing->capture.url) {
		serve_request_refuse(
			request, 400,
			"the parameter 'url' is missing: the page's URL; or, for many pages, the header "
			"Content-Type: application/warc, application/gzip, application/zstd (WARC files) "
			"or application/x-ndjson");
		return false;
	}
	if (!serve_form_url(request, "url", observing->asked, sizeof observing->asked) ||
	    !serve_form_url(request, answers ? "answers" : "url", observing->normal_url, sizeof observing->normal_url))
		return false;
	if (answers) {
		observing->capture.url = answers;
		observing->capture.asked_url = observing->asked;
	}
	observing->call.task.part = serve_part(observing->call.daemon, observing->normal_url);
	return true;
}

/* What the parameters say of the attempt; false after an answer. */
static bool read_capture(struct serve_request *request, struct prn_capture *capture)
{
	const char *address = serve_request_parameter(request, "address"),
		   *etag = serve_request_parameter(request, "etag");
	uint64_t status = 200;
	double delay = -1; /* not given */

	if (!serve_form_count(request, "status", 999, &status) || !serve_form_time(request, "time", &capture->time) ||
	    !serve_form_weight(request, &capture->weight) ||
	    !serve_form_seconds(request, "crawl_delay", &delay))
		return false;
	serve_form_last_modified(request, &capture->modified);
	serve_form_retry_after(request, capture->time, &capture->retry_after_s);
	prn_capture_set_crawl_delay(capture, delay);
	if (etag && prn_http_is_etag(etag))
		capture->etag = etag;
	if (address)
		prn_capture_set_address(capture, address);
	capture->status = (int)status;
	capture->kind = prn_kind_of_status((int)status);
	return true;
}

/* Only content has a body: the body of an error page tells nothing about the page, except what it cost. */
static bool read_ignored(struct serve_request *request, struct prn_capture *capture)
{
	const unsigned char *bytes;
	uint64_t given = 0;
	size_t length = 0;
	struct prn_error error = { 0 };

	if (!serve_form_count(request, "bytes", PRN_IGNORED_BYTES, &given))
		return false;
	if (serve_request_body(request, &bytes, &length, &error)) {
		serve_request_fail(request, &error);
		return false;
	}
	capture->ignored_bytes = serve_request_parameter(request, "bytes") ? given : length;
	return true;
}

/* curl and urllib send a body whose type was not given as a form; no page is a form, so that type is ignored. */
static const char *page_type(struct serve_request *request)
{
	static const char form[] = "application/x-www-form-urlencoded";
	const char *type = serve_request_header(request, "Content-Type");

	return type && prn_ascii_compare_n(type, form, strlen(form)) ? type : NULL;
}

static bool read_body(struct serve_request *request, struct observing *observing)
{
	struct prn_capture *capture = &observing->capture;
	const char *location = serve_request_parameter(request, "location"),
	           *encoding = serve_request_header(request, "Content-Encoding");
	struct prn_error error = { 0 };
	int code = 0, resolved = PRN_E_INPUT;

	capture->body = (const unsigned char *)"";
	if (capture->kind == PRN_KIND_CONTENT) {
		capture->content_type = page_type(request);
		if (encoding)
			code = serve_request_decode(request, capture->content_type, encoding, &capture->truncated, &error);
		if (!code)
			code = serve_request_body(request, &capture->body, &capture->body_bytes, &error);
		if (!code)
			return true;
		serve_request_fail(request, &error);
		return false;
	}
	if (!read_ignored(request, capture))
		return false;
	if (capture->kind == PRN_KIND_REDIRECT) {
		if (!location) {
			serve_request_refuse(request, 400, "a redirect needs the parameter 'location'");
			return false;
		}
		if (serve_request_parameter(request, "answers"))
			resolved = prn_url_resolve(observing->asked, location, observing->location, sizeof observing->location);
		if (resolved == PRN_E_MEMORY) {
			serve_request_fail_memory(request);
			return false;
		}
		if (!resolved)
			location = observing->location;
		capture->body = (const unsigned char *)location;
		capture->body_bytes = strlen(location);
		capture->content_type = "application/octet-stream";
	}
	return true;
}

/* Reads the page, and has the writer observe it; frees the call if it does not come to that. */
static void make_observation(void *context)
{
	struct observing *observing = context;
	struct serve_daemon *daemon = observing->call.daemon;
	struct serve_request *request = observing->call.request;
	struct prn_error error = { 0 };

	if (!prn_observer_make(daemon->observer, &observing->capture, false, &observing->observation, &error)) {
		/* The body is written here, where other requests are read meanwhile; the thread that writes only puts it in its place. */
		serve_keeping_watch(daemon, &observing->watch);
		serve_keeping_draft(daemon, &observing->observation, &observing->capture, &observing->draft);
		serve_call_submit(&observing->call);
		return;
	}
	serve_call_free(&observing->call);
	serve_request_fail(request, &error);
}

void serve_observe_route(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct observing *observing;
	struct prn_capture *capture;

	if (is_batch(request)) {
		serve_batches_take(daemon->batches, request, SERVE_BATCH_CAPTURES);
		return;
	}
	observing = serve_call_open(daemon, request, sizeof *observing, SERVE_JSON, observe_page);
	if (!observing)
		return;
	observing->call.durable = count_outcome;
	observing->call.task.expect = expect_page;
	observing->call.release = release_observing;
	prn_observation_init(&observing->observation);
	capture = &observing->capture;
	*capture = (struct prn_capture){ .url = serve_request_parameter(request, "url"),
		                         .normal_url = observing->normal_url, .time = serve_now(daemon),
		                         .modified = PRN_TIME_UNKNOWN, .retry_after_s = PRN_TIME_UNKNOWN,
		                         .refers_to_time = PRN_TIME_UNKNOWN };
	if (!read_urls(request, observing) || !read_capture(request, capture) || !read_body(request, observing))
		serve_call_free(&observing->call);
	else if (capture->body_bytes <= READ_AT_ONCE)
		make_observation(observing);
	else if (!serve_batches_run(daemon->batches, request, make_observation, observing))
		serve_call_free(&observing->call);
}
