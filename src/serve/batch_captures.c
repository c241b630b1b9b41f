#include "serve/batch_internal.h"
#include "serve/capture_copy.h"
#include "serve/json.h"

#include "perennial/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 256 /* captures in a commit: at some milliseconds a commit others do not wait long */
#define COPIES_BYTES ((size_t)8 << 20) /* of the copies in a chunk; the last one may go beyond */

/* Records on their way through the writer, in their order: observations, and faults that get a line of their own. */
struct chunk {
	struct serve_task task;
	struct serve_batch *batch;
	size_t count, copies_bytes;
	struct prn_observation observations[CHUNK];
	struct serve_capture_copy copies[CHUNK]; /* of those that were not summarised, for the body seemed known */
	struct prn_outcome outcomes[CHUNK];
	char *faults[CHUNK]; /* what was wrong with a record; NULL: it is an observation */
};

static int run(void *context, struct serve_task *task, struct prn_error *error)
{
	struct serve_daemon *daemon = context;
	struct chunk *chunk = (struct chunk *)task;
	int code = 0;

	for (size_t i = 0; !code && i < chunk->count; i++)
		if (!chunk->faults[i])
			code = serve_observation_decide(daemon, &chunk->observations[i], &chunk->copies[i].capture,
			                                &chunk->outcomes[i], error);
	return code;
}

/* Whether the chunk has the page already: then its last body is not the one that the store knows. */
static bool has_page(const struct chunk *chunk, const char *normal_url)
{
	for (size_t i = 0; i < chunk->count; i++)
		if (!chunk->faults[i] && !strcmp(chunk->observations[i].normal_url, normal_url))
			return true;
	return false;
}

static int write_record(struct chunk *chunk, size_t i, struct prn_buffer *lines)
{
	struct serve_daemon *daemon = chunk->batch->daemon;

	if (chunk->faults[i]) {
		serve_metrics_add(daemon->metrics, SERVE_SKIPPED, 0, 1);
		return serve_json_skipped(lines, chunk->faults[i]);
	}
	serve_count_outcome(daemon, &chunk->outcomes[i]);
	chunk->batch->done++;
	return serve_json_outcome(lines, chunk->observations[i].url, chunk->observations[i].time, &chunk->outcomes[i]);
}

static void clear(struct chunk *chunk)
{
	for (size_t i = 0; i < chunk->count; i++) {
		free(chunk->faults[i]);
		serve_capture_copy_release(&chunk->copies[i]);
	}
	chunk->count = chunk->copies_bytes = 0;
}

/* Makes the chunk durable, then writes its lines. */
static void perform(struct chunk *chunk)
{
	const struct prn_error memory = { PRN_E_MEMORY, "out of memory" };
	struct serve_batch *batch = chunk->batch;
	struct prn_buffer lines = { 0 };

	if (chunk->count && serve_writer_perform(batch->daemon->writer, &chunk->task))
		serve_batch_fail(batch, chunk->task.code, &chunk->task.error);
	for (size_t i = 0; !batch->code && i < chunk->count; i++)
		if (write_record(chunk, i, &lines))
			serve_batch_fail(batch, PRN_E_MEMORY, &memory);
	serve_batch_write(batch, &lines);
	prn_buffer_release(&lines);
	clear(chunk);
}

/* The place at chunk->count is filled. */
static void close_record(struct chunk *chunk, char *fault_take)
{
	chunk->faults[chunk->count] = fault_take;
	if (++chunk->count == CHUNK || chunk->copies_bytes > COPIES_BYTES)
		perform(chunk);
}

static void add_fault(struct chunk *chunk, const char *why)
{
	const struct prn_error memory = { PRN_E_MEMORY, "out of memory" };
	char *fault = strdup(why);

	if (fault)
		close_record(chunk, fault);
	else
		serve_batch_fail(chunk->batch, PRN_E_MEMORY, &memory);
}

/* Keeps the body of the observation at chunk->count if it may have to be read yet. */
static int keep_body(struct chunk *chunk, const struct prn_capture *capture, struct prn_error *error)
{
	struct serve_capture_copy *copy = &chunk->copies[chunk->count];

	if (chunk->observations[chunk->count].summarised || !capture->body_bytes)
		return 0;
	if (serve_capture_copy_make(copy, capture))
		return prn_error_memory(error);
	chunk->copies_bytes += copy->bytes.length;
	return 0;
}

static void add(struct chunk *chunk, const struct prn_capture *capture)
{
	struct serve_batch *batch = chunk->batch;
	struct prn_observation *observation = &chunk->observations[chunk->count];
	struct prn_error error = { 0 };
	int code;

	if (has_page(chunk, capture->normal_url))
		code = serve_observation_make(batch->daemon, capture, 0, observation, &error);
	else
		code = serve_observation_make_new(batch->daemon, capture, observation, &error);
	if (!code)
		code = keep_body(chunk, capture, &error);
	if (code == PRN_E_INPUT)
		add_fault(chunk, error.text);
	else if (code)
		serve_batch_fail(batch, code, &error);
	else
		close_record(chunk, NULL);
}

/* Faults name the file that is read; a client knows it only as what it sent. */
static const char *without_path(const char *text, const char *path)
{
	const char *found = strstr(text, path);

	return found == text ? text + strlen(path) + strspn(text + strlen(path), ": ") : text;
}

struct reading {
	struct chunk *chunk;
	char path[40];
};

static void skipped(void *context, const struct prn_error *what)
{
	struct reading *reading = context;

	add_fault(reading->chunk, without_path(what->text, reading->path));
}

static bool is_stopping(void *context)
{
	struct reading *reading = context;

	return atomic_load(reading->chunk->batch->stopping);
}

static void read_all(struct reading *reading, struct prn_source *source)
{
	struct chunk *chunk = reading->chunk;
	struct serve_batch *batch = chunk->batch;
	struct prn_capture capture;
	struct prn_error error = { 0 };
	int code = 1;

	while (serve_batch_goes_on(batch) && (code = prn_source_next(source, &capture, &error)) > 0)
		add(chunk, &capture);
	/* What was good before a cut is taken; the client is told of the cut. */
	if (code == PRN_E_TRUNCATED)
		add_fault(chunk, without_path(error.text, reading->path));
	else if (code < 0 && serve_batch_goes_on(batch))
		serve_batch_fail(batch, code, &error);
	if (!batch->code)
		perform(chunk);
	clear(chunk);
}

void serve_batch_captures(struct serve_batch *batch)
{
	struct serve_daemon *daemon = batch->daemon;
	struct reading reading = { .chunk = calloc(1, sizeof *reading.chunk) };
	const struct prn_source_options options = { .body_bytes_max = daemon->options.body_bytes_max,
		                                    .has_time = true,
		                                    .time = serve_now(daemon),
		                                    .no_paths = true,
		                                    .cancelled = is_stopping,
		                                    .cancelled_context = &reading,
		                                    .skipped = skipped,
		                                    .skipped_context = &reading };
	struct chunk *chunk = reading.chunk;
	struct prn_source *source = NULL;
	struct prn_error error = { 0 };
	int fd;

	if (!chunk) {
		batch->code = prn_error_set(&batch->error, PRN_E_MEMORY, "out of memory");
		return;
	}
	chunk->task.run = run;
	chunk->batch = batch;
	batch->code = serve_request_body_file(batch->request, &fd, &batch->error);
	if (!batch->code) {
		/* Opened anew: the descriptor's own place in the file is at its end. */
		snprintf(reading.path, sizeof reading.path, "/proc/self/fd/%d", fd);
		batch->code = prn_source_open(&source, reading.path, &options, &error);
		if (batch->code)
			prn_error_set(&batch->error, batch->code, "%s", without_path(error.text, reading.path));
		else
			read_all(&reading, source);
	}
	prn_source_free(source);
	for (size_t i = 0; i < CHUNK; i++) {
		prn_observation_release(&chunk->observations[i]);
		serve_capture_copy_release(&chunk->copies[i]);
	}
	free(chunk);
}
