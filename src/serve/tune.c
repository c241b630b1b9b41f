/* POST /v1/tune: the threshold that meets a budget. */
#include "serve/form.h"
#include "serve/json.h"
#include "serve/routes.h"
#include "serve/service.h"

#include <string.h>

struct tuning {
	struct serve_call call;
	struct prn_tuning_request request;
	char cost_304[PRN_COST_304_BYTES + 1];
};

static int tune_store(void *context, struct serve_call *call, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct tuning *tuning = (struct tuning *)call;
	struct prn_tuning found;
	struct prn_stats stats;
	struct prn_error unknown;
	int code = prn_decider_tune(daemon->decider, &tuning->request, &found, error);
	bool known;

	if (code)
		return code;
	/* The client is told what was applied, even if the statistics cannot be read. */
	known = !prn_decider_stats(daemon->decider, serve_now(daemon), &stats, &unknown);
	if (serve_json_tuning(&tuning->call.out, &found, known ? &stats : NULL, &unknown, tuning->request.apply))
		return prn_error_memory(error);
	return 0;
}

/* This runs on the writer's thread: nothing else changes the threshold meanwhile. */
static void show_threshold(struct serve_call *call)
{
	serve_metrics_set(call->daemon->metrics, SERVE_THRESHOLD, 0, prn_decider_threshold(call->daemon->decider));
}

void serve_tune(void *context, struct serve_request *request)
{
	struct tuning *tuning = serve_call_open(context, request, sizeof *tuning, SERVE_JSON, tune_store);
	const char *cost, *budget;

	if (!tuning)
		return;
	tuning->call.durable = show_threshold;
	cost = serve_request_parameter(request, "cost_304");
	budget = serve_request_parameter(request, "budget");
	tuning->request.none = budget && !strcmp(budget, "none");
	if (!budget) {
		serve_call_free(&tuning->call);
		serve_request_refuse(request, 400, "the parameter 'budget' is missing: " PRN_BUDGET_TAKES ", or none");
	} else if (cost && (!*cost || strlen(cost) > PRN_COST_304_BYTES)) {
		serve_call_free(&tuning->call);
		serve_request_refuse(
			request, 400,
			"the parameter 'cost_304' takes a share of a fetch above 0 and at most 1, such as 0.1, or "
			"application/pdf=0.02, or several apart by commas");
	} else if ((!tuning->request.none && !serve_form_budget(request, "budget", &tuning->request.budget)) ||
	           !serve_form_flag(request, "apply", &tuning->request.apply)) {
		serve_call_free(&tuning->call);
	} else {
		if (cost)
			tuning->request.cost_304 = strcpy(tuning->cost_304, cost);
		serve_call_submit(&tuning->call);
	}
}
