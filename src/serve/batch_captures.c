/* A batch of captures: the feed reads it, and each of its groups is one task of the writer. */
#include "serve/batch_internal.h"
#include "serve/json.h"
#include "serve/keeping.h"

#include "perennial/feed.h"

#include <math.h>

#define GROUP 256                  /* captures in a task: at some milliseconds a commit others do not wait long */
#define HELD ((size_t)8 << 20)     /* bytes of bodies under way in a batch; the last one may go beyond */

static int64_t now(void *context)
{
	return serve_now(((struct serve_batch *)context)->daemon);
}

static bool is_stopping(void *context)
{
	return atomic_load(((struct serve_batch *)context)->stopping);
}

struct staging {
	struct serve_task task;
	struct prn_feed_group *group;
};

static int stage(void *context, struct serve_task *task, struct prn_error *error)
{
	(void)context;
	return prn_feed_stage(((struct staging *)task)->group, error);
}

static int commit(void *context, struct prn_feed_group *group, struct prn_error *error)
{
	struct serve_batch *batch = context;
	struct staging staging = { .task.run = stage, .group = group };
	int code;

	serve_keeping_watch(batch->daemon, &batch->watch);
	code = serve_writer_perform(batch->daemon->writer, &staging.task);
	if (code)
		*error = staging.task.error;
	return code;
}

static int write_line(struct serve_batch *batch, const struct prn_fed *fed, struct prn_buffer *lines)
{
	struct serve_daemon *daemon = batch->daemon;

	if (fed->fault) {
		serve_metrics_add(daemon->metrics, SERVE_SKIPPED, 0, 1);
		return serve_json_skipped(lines, fed->fault->text);
	}
	serve_count_outcome(daemon, &fed->outcome);
	batch->done++;
	return serve_json_outcome(lines, fed->observation->url, fed->observation->time, &fed->outcome);
}

static int deliver(void *context, const struct prn_fed *fed, size_t count, struct prn_error *error)
{
	struct serve_batch *batch = context;
	struct serve_daemon *daemon = batch->daemon;
	struct prn_buffer lines = { 0 };
	int code = 0;

	if (daemon->options.keep_most)
		code = serve_keeping_place_fed(daemon, &batch->watch, fed, count, error);
	serve_keeping_unwatch(daemon, &batch->watch);
	for (size_t i = 0; i < count && !code; i++)
		if (write_line(batch, &fed[i], &lines))
			code = prn_error_memory(error);
	if (!code)
		code = serve_batch_append(batch, lines.data, lines.length, error);
	prn_buffer_release(&lines);
	return code;
}

static int open_feed(struct serve_batch *batch, struct prn_feed **feed)
{
	struct prn_feed_options options;

	prn_feed_options_init(&options);
	options.threads = 1;
	options.commit_most = GROUP;
	options.commit_wait_s = INFINITY;
	options.bytes_most = HELD;
	options.bodies = batch->daemon->options.keep_most > 0;
	options.observer = batch->daemon->observer;
	options.now = now;
	options.deliver = deliver;
	options.commit = commit;
	options.cancelled = is_stopping;
	options.context = batch;
	return prn_feed_open(feed, batch->daemon->decider, &options, &batch->error);
}

/* Feeds the request's body, which has no name that the client knows. */
static int feed_body(struct serve_batch *batch, struct prn_feed *feed)
{
	/* A wrong digest is no reason to refuse a capture: the sender knows that it arrived as it was sent. */
	struct prn_source_options options = { .digests = PRN_DIGESTS_TRUST,
		                              .body_bytes_max = batch->daemon->options.body_bytes_max,
		                              .has_time = true,
		                              .time = serve_now(batch->daemon),
		                              .no_paths = true };
	struct prn_source *source;
	int fd, code = serve_request_body_file(batch->request, &fd, &batch->error);

	prn_feed_watch(feed, &options);
	if (!code)
		code = prn_source_open_fd(&source, fd, "", &options, &batch->error);
	if (code)
		return code;
	code = prn_feed_source(feed, source, &batch->error);
	/* What was good before a cut is taken; the cut is reported to the client. */
	if (code == PRN_E_TRUNCATED) {
		prn_feed_fault(feed, &batch->error);
		code = 0;
	}
	prn_source_free(source);
	return code;
}

void serve_batch_captures(struct serve_batch *batch)
{
	struct prn_feed *feed;
	struct prn_error why = { 0 };
	int finished;

	batch->code = open_feed(batch, &feed);
	if (batch->code)
		return;
	batch->code = feed_body(batch, feed);
	finished = prn_feed_finish(feed, &why);
	prn_feed_free(feed);
	serve_keeping_unwatch(batch->daemon, &batch->watch);
	if (finished) {
		batch->code = finished;
		batch->error = why;
	}
	if (finished == PRN_E_CANCELLED)
		serve_batch_stopped(batch);
}
