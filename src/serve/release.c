/* POST /v1/release: gives back the leases of the pages that the body or a parameter names. */
#include "serve/form.h"
#include "serve/routes.h"
#include "serve/service.h"

#include "perennial/url.h"

#include <string.h>

struct releasing {
	struct serve_call call;
	const char *url, *what; /* one of the two, or neither */
	enum prn_release by;
};

static int release_leases(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct releasing *releasing = (struct releasing *)call;
	struct prn_decider *decider = daemon->decider;
	uint64_t count = 0;
	bool released = false;
	int code = releasing->url ? prn_decider_shard(decider, releasing->url, &decider, error) : 0;

	if (!code && releasing->url)
		code = prn_decider_release(decider, releasing->url, serve_now(daemon), &released, error);
	else if (!code)
		code = prn_decider_release_all(daemon->decider, releasing->by, releasing->what, serve_now(daemon),
		                               &count, error);
	if (decider != daemon->decider)
		prn_decider_shard_done(decider);
	count += released;
	if (!code && prn_buffer_printf(&call->out, "{\"released\":%llu}\n", (unsigned long long)count))
		code = prn_error_memory(error);
	return code;
}

static void release_body(struct serve_daemon *daemon, struct serve_request *request)
{
	const unsigned char *bytes;
	struct prn_error error = { 0 };
	size_t length;

	if (serve_request_body(request, &bytes, &length, &error))
		serve_request_fail(request, &error);
	else if (!length)
		serve_request_refuse(request, 400,
		                     "give URLs as the body, or one of 'url', 'host', 'prefix' and 'all=yes'");
	else
		serve_batches_take(daemon->batches, request, SERVE_BATCH_RELEASES);
}

void serve_release(void *context, struct serve_request *request)
{
	char normal[PRN_URL_BYTES + 1];
	const char *url = serve_request_parameter(request, "url"), *host = serve_request_parameter(request, "host"),
	           *prefix = serve_request_parameter(request, "prefix"), *what = url ? url : host ? host : prefix;
	struct releasing *releasing;
	bool all = false;

	if (!serve_form_flag(request, "all", &all))
		return;
	if (!what && !all) {
		release_body(context, request);
		return;
	}
	if (!!url + !!host + !!prefix + all != 1 || (what && !*what)) {
		serve_request_refuse(request, 400,
		                     "give one of the parameters 'url', 'host', 'prefix' (SURT) and 'all=yes', "
		                     "not empty");
		return;
	}
	if (url && !serve_form_url(request, "url", normal, sizeof normal))
		return;
	releasing = serve_call_open(context, request, sizeof *releasing, SERVE_JSON, release_leases);
	if (!releasing)
		return;
	releasing->url = url;
	releasing->call.task.part = url ? serve_part(context, normal) : 0;
	releasing->what = url ? NULL : what;
	releasing->by = host ? PRN_RELEASE_HOST : prefix ? PRN_RELEASE_SURT : PRN_RELEASE_ALL;
	serve_call_submit(&releasing->call);
}
