/* /v1/pages and /v1/page: pages in, pages out, one page explained. */
#include "serve/form.h"
#include "serve/json.h"
#include "serve/keeping.h"
#include "serve/routes.h"
#include "serve/service.h"

#include "perennial/url.h"

#include <string.h>

uint64_t serve_pages_limit(void *context, struct serve_request *request)
{
	(void)request; /* the form of a line is seen by itself, whatever it is called */
	return ((const struct serve_daemon *)context)->options.upload_bytes_max;
}

void serve_pages_add(void *context, struct serve_request *request)
{
	serve_batches_take(((struct serve_daemon *)context)->batches, request, SERVE_BATCH_PAGES);
}

struct forgetting {
	struct serve_call call;
	enum prn_forget by;
	const char *what;
	bool counted;   /* the client says how many pages that are */
	uint64_t count;
};

/* A client must know how many pages it forgets at a time: a slip in a prefix would cost everything that was learned. */
static int check_count(struct serve_daemon *daemon, struct forgetting *forgetting, struct prn_error *error)
{
	uint64_t found = 0;
	int code;

	if (forgetting->by == PRN_FORGET_URL)
		return 0;
	code = prn_decider_commit(daemon->decider, error);
	if (!code)
		code = prn_decider_count(daemon->decider, forgetting->by, forgetting->what, &found, error);
	if (code || (forgetting->counted && found == forgetting->count))
		return code;
	forgetting->call.status = 409;
	if (prn_buffer_printf(
		    &forgetting->call.out,
		    "{\"error\":\"that would forget %llu pages: send it with count=%llu if it is to\","
		    "\"pages\":%llu}\n",
		    (unsigned long long)found, (unsigned long long)found, (unsigned long long)found))
		return prn_error_memory(error);
	return 0;
}

static int forget(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct forgetting *forgetting = (struct forgetting *)call;
	uint64_t forgotten = 0;
	int code = check_count(daemon, forgetting, error);

	if (code || forgetting->call.status)
		return code;
	code = prn_decider_forget(daemon->decider, forgetting->by, forgetting->what, &forgotten, error);
	if (!code && daemon->options.keep)
		code = serve_keeping_leave(daemon, forgetting->by, forgetting->what, error);
	if (!code && prn_buffer_printf(&forgetting->call.out, "{\"forgotten\":%llu}\n", (unsigned long long)forgotten))
		code = prn_error_memory(error);
	return code;
}

void serve_pages_forget(void *context, struct serve_request *request)
{
	static const struct {
		const char *name;
		enum prn_forget by;
	} ways[] = { { "url", PRN_FORGET_URL }, { "host", PRN_FORGET_HOST }, { "prefix", PRN_FORGET_SURT } };
	struct forgetting *forgetting = serve_call_open(context, request, sizeof *forgetting, SERVE_JSON, forget);
	char normal[PRN_URL_BYTES + 1];
	unsigned given = 0;

	if (!forgetting)
		return;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		const char *what = serve_request_parameter(request, ways[i].name);

		if (what) {
			given++;
			forgetting->by = ways[i].by;
			forgetting->what = what;
		}
	}
	/* An empty prefix would match every page: a client that means that names the schemes. */
	if (given != 1 || !*forgetting->what) {
		serve_call_free(&forgetting->call);
		serve_request_refuse(request, 400,
		                     "give one of the parameters 'url', 'host' and 'prefix' (SURT), not empty");
		return;
	}
	forgetting->counted = serve_request_parameter(request, "count") != NULL;
	if (!serve_form_count(request, "count", UINT64_MAX, &forgetting->count) ||
	    (forgetting->by == PRN_FORGET_URL && !serve_form_url(request, "url", normal, sizeof normal))) {
		serve_call_free(&forgetting->call);
		return;
	}
	serve_call_submit(&forgetting->call);
}

void serve_page(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct prn_explanation page;
	struct prn_buffer out = { 0 };
	char url[PRN_URL_BYTES + 1];
	struct prn_error error = { 0 };
	int code;

	if (!serve_form_url(request, "url", url, sizeof url))
		return;
	prn_explanation_init(&page);
	pthread_rwlock_rdlock(&daemon->options_lock);
	code = prn_decider_explain(daemon->decider, url, serve_now(daemon), &page, &error);
	pthread_rwlock_unlock(&daemon->options_lock);
	if (code) {
		serve_request_fail(request, &error);
	} else if (serve_json_explanation(&out, &page)) {
		prn_buffer_release(&out);
		serve_request_fail_memory(request);
	} else {
		serve_request_answer(request, 200, SERVE_JSON, &out);
	}
	prn_explanation_release(&page);
}

void serve_stats(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct prn_error error = { 0 };
	struct prn_buffer out = { 0 };
	struct prn_stats stats;
	struct keep_counts kept;
	bool keeps = daemon->options.keep && !keep_count(daemon->options.keep, &kept, NULL);

	if (serve_stats_take(daemon, &stats, &error)) {
		serve_request_fail(request, &error);
	} else if (serve_json_stats(&out, &stats, NULL, keeps ? &kept : NULL)) {
		prn_buffer_release(&out);
		serve_request_fail_memory(request);
	} else {
		serve_request_answer(request, 200, SERVE_JSON, &out);
	}
}
