#include "serve/service.h"

#include <stdlib.h>

/*
 * A long answer waits for the commit and for a slow reader in a file: a few hundred of them would fill the memory.
 * When no file can be made, the answer stays in memory.
 */
static void put_aside(struct serve_call *call)
{
	const char *folder = call->daemon->options.spool;

	if (call->out.length <= SERVE_SPOOL_MEMORY)
		return;
	if (serve_spool_append(&call->spooled, call->out.data, call->out.length, folder, NULL))
		serve_spool_release(&call->spooled);
	else
		prn_buffer_release(&call->out);
}

static int perform_call(void *context, struct serve_task *task, struct prn_error *error)
{
	struct serve_call *call = (struct serve_call *)task;
	int code;

	/* It may have been run before, in vain. */
	call->status = 0;
	call->again = false;
	prn_buffer_clear(&call->out);
	serve_spool_release(&call->spooled);
	serve_spool_init(&call->spooled, UINT64_MAX);
	code = call->run(context, call, error);
	if (!code && !call->again)
		put_aside(call);
	return code;
}

static void finish_call(void *context, struct serve_task *task, int code)
{
	struct serve_call *call = (struct serve_call *)task;

	(void)context;
	if (!code && call->durable)
		call->durable(call);
	if (!code && call->again) {
		serve_writer_again(call->daemon->writer, task);
		return;
	}
	if (code)
		serve_request_fail(call->request, &task->error);
	else if (call->spooled.in_file)
		serve_request_answer_spool(call->request, call->status ? call->status : 200, call->type,
		                           &call->spooled);
	else
		serve_request_answer(call->request, call->status ? call->status : 200, call->type, &call->out);
	serve_call_free(call);
}

void *serve_call_open(struct serve_daemon *daemon, struct serve_request *request, size_t size, const char *type,
                      serve_call_fn *inner)
{
	struct serve_call *call = calloc(1, size);

	if (!call) {
		serve_request_fail_memory(request);
		return NULL;
	}
	call->task.run = perform_call;
	call->run = inner;
	serve_spool_init(&call->spooled, UINT64_MAX);
	call->task.done = finish_call;
	call->daemon = daemon;
	call->request = request;
	call->type = type;
	return call;
}

void serve_call_free(struct serve_call *call)
{
	if (call->release)
		call->release(call);
	prn_buffer_release(&call->out);
	serve_spool_release(&call->spooled);
	free(call);
}

void serve_call_submit(struct serve_call *call)
{
	struct serve_daemon *daemon = call->daemon;
	struct serve_request *request = call->request;
	int code;

	serve_request_park(request);
	code = serve_writer_submit(daemon->writer, &call->task);
	if (!code)
		return;
	if (code == PRN_E_LIMIT)
		serve_refuse_busy(request, "the writer's queue is full");
	else
		serve_refuse_stopping(request);
	serve_call_free(call);
}

void serve_refuse_busy(struct serve_request *request, const char *what)
{
	serve_request_set_header(request, "Retry-After", "1");
	serve_request_refuse(request, 429, "%s: send again in a second", what);
}

void serve_refuse_stopping(struct serve_request *request)
{
	serve_request_set_header(request, "Retry-After", "5");
	serve_request_refuse(request, 503, "the server is stopping");
}
