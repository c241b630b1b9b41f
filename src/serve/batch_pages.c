#include "serve/batch_internal.h"
#include "archive/url_read.h"
#include "serve/json.h"
#include "serve/page_line.h"

#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 1024

/*
 * Lines that the writer works on, in their order: pages, and faults, which have a line of their own in the answer.
 */
struct chunk {
	struct serve_task task;
	struct serve_batch *batch;
	bool releases; /* or else adds */
	size_t count;
	struct line {
		char *text; /* owned: the URL, or what was wrong */
		bool fault;
		double weight;
		enum prn_added added;
		bool released;
	} lines[CHUNK];
};

static void expect(void *lane, struct serve_task *task)
{
	struct chunk *chunk = (struct chunk *)task;

	for (size_t i = 0; i < chunk->count; i++)
		if (!chunk->lines[i].fault)
			serve_expect_url(lane, chunk->lines[i].text);
}

static int do_line(struct serve_daemon *daemon, struct prn_decider *decider, struct chunk *chunk, size_t i,
                   struct prn_error *error)
{
	struct line *line = &chunk->lines[i];

	if (chunk->releases)
		return prn_decider_release(decider, line->text, serve_now(daemon), &line->released, error);
	return prn_decider_add(decider, line->text, line->weight, serve_now(daemon), &line->added, error);
}

/* Performs the lines of one shard, durably.  Line i is of shards[i], which is NULL once the line is done. */
static int do_shard(struct serve_daemon *daemon, struct chunk *chunk, struct prn_decider **shards, size_t first,
                    struct prn_error *error)
{
	struct prn_decider *shard = shards[first];
	unsigned tries = 0;
	int code;

	do {
		code = 0;
		for (size_t i = first; i < chunk->count && !code; i++)
			if (shards[i] == shard)
				code = do_line(daemon, shard, chunk, i, error);
		if (!code)
			code = prn_decider_commit(shard, error);
	} while (prn_decider_again(shard, code, &tries));
	for (size_t i = first; i < chunk->count; i++)
		if (shards[i] == shard) {
			prn_decider_shard_done(shard);
			shards[i] = NULL;
		}
	return code;
}

/* Reports the line as a fault: its shard is damaged or lost, and other shards are not. */
static int pass_over(struct line *line, struct prn_error *why)
{
	char *text;

	prn_error_prefix(why, "%s", line->text);
	text = strdup(why->text);
	if (!text)
		return prn_error_memory(why);
	free(line->text);
	line->text = text;
	line->fault = true;
	*why = (struct prn_error){ 0 };
	return 0;
}

/* What was staged before is made durable first, so that only one shard's lines are done again if another process wrote first. */
static int do_shards(struct serve_daemon *daemon, struct chunk *chunk, struct prn_error *error)
{
	struct prn_decider *shards[CHUNK] = { NULL };
	int code = prn_decider_commit(daemon->decider, error);

	for (size_t i = 0; !code && i < chunk->count; i++)
		if (!chunk->lines[i].fault) {
			code = prn_decider_shard(daemon->decider, chunk->lines[i].text, &shards[i], error);
			if (code == PRN_E_DAMAGED) {
				shards[i] = NULL;
				code = pass_over(&chunk->lines[i], error);
			}
		}
	for (size_t i = 0; !code && i < chunk->count; i++)
		if (shards[i])
			code = do_shard(daemon, chunk, shards, i, error);
	for (size_t i = 0; i < chunk->count; i++)
		if (shards[i])
			prn_decider_shard_done(shards[i]);
	return code;
}

static int do_lines(void *context, struct serve_task *task, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct chunk *chunk = (struct chunk *)task;
	int code = 0;

	if (prn_decider_shards(daemon->decider) > 1)
		return do_shards(daemon, chunk, error);
	for (size_t i = 0; !code && i < chunk->count; i++)
		if (!chunk->lines[i].fault)
			code = do_line(daemon, daemon->decider, chunk, i, error);
	return code;
}

static int write_line(struct chunk *chunk, size_t i, struct prn_buffer *out)
{
	if (chunk->lines[i].fault) {
		serve_metrics_add(chunk->batch->daemon->metrics, SERVE_SKIPPED, 0, 1);
		return serve_json_skipped(out, chunk->lines[i].text);
	}
	chunk->batch->done++;
	if (chunk->releases)
		return serve_json_released(out, chunk->lines[i].text, chunk->lines[i].released);
	return serve_json_added(out, chunk->lines[i].text, chunk->lines[i].added);
}

/* Makes the chunk durable, then writes its lines. */
static void perform(struct chunk *chunk)
{
	struct serve_batch *batch = chunk->batch;
	struct prn_buffer out = { 0 };
	struct prn_error error;

	if (chunk->count && !batch->code) {
		int code = serve_writer_perform(batch->daemon->writer, &chunk->task);

		/* A writer that stops does not touch the task. */
		if (code == PRN_E_CANCELLED)
			serve_batch_stopped(batch);
		else if (code)
			serve_batch_fail(batch, code, &chunk->task.error);
	}
	for (size_t i = 0; i < chunk->count; i++) {
		if (!batch->code && write_line(chunk, i, &out))
			serve_batch_fail(batch, prn_error_memory(&error), &error);
		free(chunk->lines[i].text);
	}
	serve_batch_write(batch, &out);
	prn_buffer_release(&out);
	chunk->count = 0;
}

static void close_line(struct chunk *chunk, const char *text, bool fault, double weight)
{
	char *copy = strdup(text);
	struct prn_error error;

	if (!copy) {
		serve_batch_fail(chunk->batch, prn_error_memory(&error), &error);
		return;
	}
	chunk->lines[chunk->count].text = copy;
	chunk->lines[chunk->count].fault = fault;
	chunk->lines[chunk->count].weight = weight;
	if (++chunk->count == CHUNK)
		perform(chunk);
}

/*
 * Lines that the decider would reject are reported here, so that storing the others can fail only for lack of disk
 * or memory.
 */
static void add_line(struct chunk *chunk, uint64_t number, const char *line, size_t length, struct prn_buffer *url)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_error error = { 0 };
	double weight = 0;
	int code = serve_page_line_read(line, length, url, &weight, &error);
	int wrong = code > 0 ? prn_url_read((const char *)url->data, normal, &error) : 0;

	if (wrong)
		code = wrong == PRN_E_LIMIT ? PRN_E_INPUT : wrong;
	if (code == PRN_E_INPUT) {
		prn_error_prefix(&error, "line %llu", (unsigned long long)number);
		close_line(chunk, error.text, true, 0);
	} else if (code < 0) {
		serve_batch_fail(chunk->batch, code, &error);
	} else if (code > 0) {
		close_line(chunk, (const char *)url->data, false, weight);
	}
}

static void read_all(struct chunk *chunk, const char *bytes, size_t length)
{
	struct prn_buffer url = { 0 };
	const char *end = bytes + length;

	for (uint64_t number = 1; bytes < end && serve_batch_goes_on(chunk->batch); number++) {
		const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));

		add_line(chunk, number, bytes, (size_t)((newline ? newline : end) - bytes), &url);
		bytes = newline ? newline + 1 : end;
	}
	perform(chunk);
	prn_buffer_release(&url);
}

void serve_batch_pages(struct serve_batch *batch, bool releases)
{
	struct chunk *chunk = calloc(1, sizeof *chunk);
	const unsigned char *bytes;
	size_t length;

	if (!chunk) {
		batch->code = prn_error_memory(&batch->error);
		return;
	}
	chunk->task.run = do_lines;
	chunk->task.expect = expect;
	chunk->releases = releases;
	chunk->batch = batch;
	batch->code = serve_request_body(batch->request, &bytes, &length, &batch->error);
	if (!batch->code)
		read_all(chunk, (const char *)bytes, length);
	free(chunk);
}
