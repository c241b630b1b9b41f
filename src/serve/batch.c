#include "serve/batch_internal.h"

void serve_batch_write(struct serve_batch *batch, struct prn_buffer *lines)
{
	if (!batch->code)
		batch->code = serve_spool_append(&batch->answer, lines->data, lines->length,
		                                 batch->daemon->options.spool, &batch->error);
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
