/* POST /v1/tune: the threshold that meets a budget. */
#include "base/number.h"
#include "serve/form.h"
#include "serve/json.h"
#include "serve/routes.h"
#include "serve/service.h"

#include <string.h>

struct tuning {
	struct serve_call call;
	double budget_per_day;
	bool apply;
};

static int tune(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct tuning *tuning = (struct tuning *)call;
	struct prn_tuning found;
	int code = prn_decider_tune(daemon->decider, tuning->budget_per_day, tuning->apply, &found, error);

	if (!code && serve_json_tuning(&tuning->call.out, &found, tuning->apply))
		code = prn_error_memory(error);
	return code;
}

/* This runs on the writer's thread: nothing else changes the threshold meanwhile. */
static void show_threshold(struct serve_call *call)
{
	serve_metrics_set(call->daemon->metrics, SERVE_THRESHOLD, 0, prn_decider_threshold(call->daemon->decider));
}

void serve_tune(void *context, struct serve_request *request)
{
	struct tuning *tuning = serve_call_open(context, request, sizeof *tuning, SERVE_JSON, tune);

	if (!tuning)
		return;
	tuning->call.durable = show_threshold;
	if (!serve_request_parameter(request, "budget")) {
		serve_call_free(&tuning->call);
		serve_request_refuse(request, 400, "the parameter 'budget' is missing: " PRN_BUDGET_TAKES);
	} else if (!serve_form_budget(request, "budget", &tuning->budget_per_day) ||
	           !serve_form_flag(request, "apply", &tuning->apply)) {
		serve_call_free(&tuning->call);
	} else {
		serve_call_submit(&tuning->call);
	}
}
