/* /v1/pages: pages in, pages out. */
#include "serve/routes.h"
#include "serve/service.h"

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
};

static int forget(void *context, struct serve_task *task, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct forgetting *forgetting = (struct forgetting *)task;
	uint64_t forgotten = 0;
	int code = prn_decider_forget(daemon->decider, forgetting->by, forgetting->what, &forgotten, error);

	if (!code && prn_buffer_printf(&forgetting->call.out, "{\"forgotten\":%llu}\n", (unsigned long long)forgotten))
		code = prn_error_set(error, PRN_E_MEMORY, "out of memory");
	return code;
}

void serve_pages_forget(void *context, struct serve_request *request)
{
	static const struct {
		const char *name;
		enum prn_forget by;
	} ways[] = { { "url", PRN_FORGET_URL }, { "host", PRN_FORGET_HOST }, { "prefix", PRN_FORGET_SURT } };
	struct forgetting *forgetting = serve_call_open(context, request, sizeof *forgetting, SERVE_JSON, forget);
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
	/* An empty prefix would be every page: whoever means that names the schemes. */
	if (given != 1 || !*forgetting->what) {
		serve_call_free(&forgetting->call);
		serve_request_refuse(request, 400, "give one of the parameters 'url', 'host' and 'prefix' (SURT), not empty");
		return;
	}
	serve_call_submit(&forgetting->call);
}
