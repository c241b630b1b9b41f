#include "serve/batch_internal.h"

int serve_batch_append(struct serve_batch *batch, const void *bytes, size_t length, struct prn_error *error)
{
	uint64_t whole = batch->answer.length + length;
	int code = 0;

	if (!batch->answer.length)
		batch->body_held = serve_request_held(batch->request);
	if (whole > SERVE_SPOOL_MEMORY)
		code = serve_request_hold(batch->request, batch->body_held + whole, error);
	if (code)
		prn_error_prefix(error, "there is no room for the answer, and %llu of the batch are done and durable",
		                 (unsigned long long)batch->done);
	return code ? code : serve_spool_append(&batch->answer, bytes, length, batch->daemon->options.spool, error);
}

void serve_batch_write(struct serve_batch *batch, struct prn_buffer *lines)
{
	if (!batch->code)
		batch->code = serve_batch_append(batch, lines->data, lines->length, &batch->error);
	prn_buffer_clear(lines);
}

void serve_batch_fail(struct serve_batch *batch, int code, const struct prn_error *error)
{
	if (batch->code)
		return;
	batch->code = code;
	batch->error = *error;
}

void serve_batch_stopped(struct serve_batch *batch)
{
	batch->code = prn_error_set(&batch->error, PRN_E_CANCELLED,
	                            "the server is stopping: %llu of the batch are done and durable, send it again",
	                            (unsigned long long)batch->done);
}

bool serve_batch_goes_on(struct serve_batch *batch)
{
	if (!batch->code && atomic_load(batch->stopping))
		serve_batch_stopped(batch);
	return !batch->code;
}
