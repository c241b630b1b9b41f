/* POST /v1/due: URLs to fetch now, most valuable first, leased. */
#include "serve/form.h"
#include "serve/json.h"
#include "serve/routes.h"
#include "serve/service.h"

#define LIMIT 100
#define LIMIT_MOST 10000

struct giving {
	struct serve_call call;
	struct prn_due_request wanted;
	uint64_t given;
};

static int give(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct giving *giving = (struct giving *)call;
	struct prn_due_list list;
	int code;

	prn_due_list_init(&list);
	giving->wanted.now = serve_now(daemon);
	code = prn_decider_due(daemon->decider, &giving->wanted, &list, error);
	if (!code && serve_json_due_list(&giving->call.out, &list, giving->wanted.limit))
		code = prn_error_memory(error);
	giving->given = giving->wanted.lease_s > 0 ? list.count : 0;
	prn_due_list_release(&list);
	return code;
}

static void count(struct serve_call *call)
{
	struct serve_daemon *daemon = call->daemon;
	uint64_t given = ((struct giving *)call)->given;

	serve_metrics_add(daemon->metrics, SERVE_DUE_GIVEN, 0, given);
	serve_rate_add(&daemon->given, serve_now(daemon), given);
}

void serve_due(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct giving *giving = serve_call_open(daemon, request, sizeof *giving, SERVE_NDJSON, give);
	uint64_t limit = LIMIT;

	if (!giving)
		return;
	giving->call.durable = count;
	giving->wanted.lease_s = daemon->lease_s;
	if (!serve_form_count(request, "limit", LIMIT_MOST, &limit) ||
	    !serve_form_duration(request, "lease", PRN_LEASE_MOST_S, &giving->wanted.lease_s)) {
		serve_call_free(&giving->call);
		return;
	}
	giving->wanted.limit = (size_t)limit;
	serve_call_submit(&giving->call);
}
