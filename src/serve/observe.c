/* POST /v1/observe: one page as the body, or a batch of them as NDJSON or WARC. */
#include "serve/form.h"
#include "serve/json.h"
#include "serve/routes.h"
#include "serve/service.h"

#include "perennial/url.h"

#include <string.h>
#include <strings.h>
#include <time.h>

static const char *const batch_types[] = { SERVE_NDJSON, "application/ndjson", "application/jsonl",
	                                   "application/warc", "application/gzip", "application/zstd" };

/* A type without its parameters is a batch's; with a url given, the body is that page, whatever its type. */
static bool is_batch(struct serve_request *request)
{
	const char *type = serve_request_header(request, "Content-Type");
	size_t length = type ? strcspn(type, "; \t") : 0;

	if (serve_request_parameter(request, "url"))
		return false;
	for (size_t i = 0; type && i < sizeof batch_types / sizeof *batch_types; i++)
		if (strlen(batch_types[i]) == length && !strncasecmp(batch_types[i], type, length))
			return true;
	return false;
}

uint64_t serve_observe_limit(void *context, struct serve_request *request)
{
	const struct serve_daemon *daemon = context;

	return is_batch(request) ? daemon->options.upload_bytes_max : daemon->options.body_bytes_max;
}

int serve_observation_make(struct serve_daemon *daemon, const struct prn_capture *capture, uint64_t known_body,
                           struct prn_observation *observation, struct prn_error *error)
{
	struct prn_extractor *extractor;
	struct timespec start, end;
	int code = serve_extractors_borrow(daemon->extractors, &extractor, error);

	if (code)
		return code;
	clock_gettime(CLOCK_MONOTONIC, &start);
	code = prn_observation_make(observation, capture, prn_decider_summary(daemon->decider), extractor, known_body, error);
	clock_gettime(CLOCK_MONOTONIC, &end);
	serve_extractors_return(daemon->extractors, extractor);
	if (capture->body_bytes)
		serve_metrics_time(daemon->metrics, SERVE_PARSE_TIME, 0,
		                   (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
	return code;
}

int serve_observation_make_new(struct serve_daemon *daemon, const struct prn_capture *capture,
                               struct prn_observation *observation, struct prn_error *error)
{
	const struct prn_digest key = prn_url_key(capture->normal_url);
	uint64_t known = 0;
	int code = prn_decider_body(daemon->decider, &key, &known, error);

	return code ? code : serve_observation_make(daemon, capture, known, observation, error);
}

int serve_observation_decide(struct serve_daemon *daemon, struct prn_observation *observation,
                             const struct prn_capture *capture, struct prn_outcome *outcome, struct prn_error *error)
{
	int code = prn_decider_observe(daemon->decider, observation, serve_now(daemon), outcome, error);

	if (code || outcome->kind != PRN_OUTCOME_STALE)
		return code;
	code = serve_observation_make(daemon, capture, 0, observation, error);
	return code ? code : prn_decider_observe(daemon->decider, observation, serve_now(daemon), outcome, error);
}

/* One page on its way: the capture points into the request, which waits. */
struct observing {
	struct serve_call call;
	struct prn_capture capture;
	struct prn_observation observation;
	struct prn_outcome outcome;
	char normal_url[PRN_URL_BYTES + 1];
};

static void release(struct serve_call *call)
{
	prn_observation_release(&((struct observing *)call)->observation);
}

static int run(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct observing *observing = (struct observing *)call;
	struct prn_capture *capture = &observing->capture;
	int code = serve_observation_decide(daemon, &observing->observation, capture, &observing->outcome, error);

	if (!code && serve_json_outcome(&observing->call.out, capture->url, capture->time, &observing->outcome))
		code = prn_error_memory(error);
	return code;
}

static void count(struct serve_call *call)
{
	serve_count_outcome(call->daemon, &((struct observing *)call)->outcome);
}

/* What the parameters say of the attempt; false after an answer. */
static bool read_capture(struct serve_request *request, struct prn_capture *capture)
{
	uint64_t status = 200;

	if (!serve_form_count(request, "status", 999, &status) || !serve_form_time(request, "time", &capture->time) ||
	    !serve_form_time(request, "last_modified", &capture->modified) ||
	    !serve_form_positive(request, "weight", &capture->weight) ||
	    !serve_form_retry_after(request, capture->time, &capture->retry_after_s))
		return false;
	capture->status = (int)status;
	capture->kind = prn_kind_of_status((int)status);
	return true;
}

/* Only content has a body: that of an error page says nothing of the page. */
static bool read_body(struct serve_request *request, struct prn_capture *capture)
{
	const char *location = serve_request_parameter(request, "location");
	struct prn_error error = { 0 };

	capture->body = (const unsigned char *)"";
	if (capture->kind == PRN_KIND_CONTENT) {
		capture->content_type = serve_request_header(request, "Content-Type");
		if (!serve_request_body(request, &capture->body, &capture->body_bytes, &error))
			return true;
		serve_request_fail(request, &error);
		return false;
	}
	if (capture->kind == PRN_KIND_REDIRECT) {
		if (!location) {
			serve_request_refuse(request, 400, "a redirect needs the parameter 'location'");
			return false;
		}
		capture->body = (const unsigned char *)location;
		capture->body_bytes = strlen(location);
		capture->content_type = "application/octet-stream";
	}
	return true;
}

void serve_observe_route(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct observing *observing;
	struct prn_capture *capture;
	struct prn_error error = { 0 };

	if (is_batch(request)) {
		serve_batches_take(daemon->batches, request, SERVE_BATCH_CAPTURES);
		return;
	}
	observing = serve_call_open(daemon, request, sizeof *observing, SERVE_JSON, run);
	if (!observing)
		return;
	observing->call.durable = count;
	observing->call.release = release;
	prn_observation_init(&observing->observation);
	capture = &observing->capture;
	*capture = (struct prn_capture){ .url = serve_request_parameter(request, "url"),
		                         .normal_url = observing->normal_url, .time = serve_now(daemon),
		                         .modified = PRN_TIME_UNKNOWN, .retry_after_s = PRN_TIME_UNKNOWN,
		                         .refers_to_time = PRN_TIME_UNKNOWN };
	if (!serve_form_url(request, observing->normal_url, sizeof observing->normal_url) ||
	    !read_capture(request, capture) || !read_body(request, capture)) {
		serve_call_free(&observing->call);
	} else if (serve_observation_make_new(daemon, capture, &observing->observation, &error)) {
		serve_call_free(&observing->call);
		serve_request_fail(request, &error);
	} else {
		serve_call_submit(&observing->call);
	}
}
