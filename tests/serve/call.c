/* A request's work on the writer's thread that is done again. */
#include "../fixture.h"
#include "serve/service.h"

static int runs;

/* The first time it refuses, and is in vain; the second time it does what was asked. */
static int answer(void *context, struct serve_call *call, struct prn_error *error)
{
	(void)context, (void)error;
	if (!runs++) {
		call->status = 409;
		call->again = true;
		return prn_buffer_printf(&call->out, "refused");
	}
	return prn_buffer_printf(&call->out, "done");
}

int main(void)
{
	struct serve_daemon daemon = { .options.body_bytes_max = 1 };
	struct serve_call *call = serve_call_open(&daemon, NULL, sizeof *call, SERVE_JSON, answer);

	must(call != NULL, "open a call");
	must(!call->task.run(&daemon, &call->task, NULL) && call->status == 409, "run it");
	must(!call->task.run(&daemon, &call->task, NULL), "run it again");
	ok(call->out.length == 4 && !memcmp(call->out.data, "done", 4), "a call that is run again answers with what the last run wrote");
	ok(!call->status, "a call that is run again has no status left of the run in vain");
	ok(!call->again, "a call that is run again wants no third run for what the run in vain had left to do");
	serve_call_free(call);
	return done();
}
