/* POST /v1/due: URLs to fetch now, most valuable first, leased. */
#include "serve/form.h"
#include "serve/json.h"
#include "serve/log.h"
#include "serve/routes.h"
#include "serve/service.h"

#include <inttypes.h>
#include <stdio.h>

#define LIMIT 100
#define LIMIT_MOST 10000

struct giving {
	struct serve_call call;
	struct prn_due_request wanted;
	uint64_t given, unreadable, damaged;
	struct prn_error first_unreadable, first_damaged;
};

static int give_due(void *context, struct serve_call *call, struct prn_error *error)
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
	/* A request without a lease moves no page: each would report the same pages again. */
	giving->unreadable = giving->wanted.lease_s > 0 ? list.unreadable : 0;
	giving->first_unreadable = list.first_unreadable;
	giving->damaged = list.damaged_shards;
	giving->first_damaged = list.first_damaged;
	prn_due_list_release(&list);
	return code;
}

static void warn(struct serve_daemon *daemon, const char *what, uint64_t count, const struct prn_error *first)
{
	char count_text[24];

	snprintf(count_text, sizeof count_text, "%" PRIu64, count);
	serve_log_write(daemon->options.log, SERVE_WARNING, what, "#count", count_text, "first", first->text, NULL);
}

static void count_given(struct serve_call *call)
{
	struct serve_daemon *daemon = call->daemon;
	const struct giving *giving = (struct giving *)call;
	uint64_t given = giving->given;

	serve_metrics_add(daemon->metrics, SERVE_DUE_GIVEN, 0, given);
	serve_rate_add(&daemon->given, serve_now(daemon), given);
	serve_metrics_add(daemon->metrics, SERVE_SHARDS_DAMAGED, 0, giving->damaged);
	if (giving->unreadable)
		warn(daemon, "pages cannot be read, and were passed over", giving->unreadable, &giving->first_unreadable);
	if (giving->damaged)
		warn(daemon, "shards are damaged, and were passed over", giving->damaged, &giving->first_damaged);
}

void serve_due(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct giving *giving = serve_call_open(daemon, request, sizeof *giving, SERVE_NDJSON, give_due);
	uint64_t limit = LIMIT;

	if (!giving)
		return;
	giving->call.durable = count_given;
	giving->wanted.lease_s = daemon->lease_s;
	if (!serve_form_count(request, "limit", LIMIT_MOST, &limit) ||
	    !serve_form_duration(request, "lease", PRN_LEASE_MOST_S, &giving->wanted.lease_s)) {
		serve_call_free(&giving->call);
		return;
	}
	giving->wanted.limit = (size_t)limit;
	serve_call_submit(&giving->call);
}
