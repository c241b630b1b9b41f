#include "serve/writer.h"

#include <pthread.h>
#include <stdlib.h>

struct serve_writer {
	struct serve_writer_options options;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied, finished;
	struct serve_task *first, **end; /* waiting */
	size_t depth;
	uint64_t groups; /* done so far */
	bool working, stopping, joined;
};

/* Takes what one commit may hold off the queue, waiting for the first; NULL when stopping and all is done. */
static struct serve_task *take_group(struct serve_writer *writer)
{
	struct serve_task *group, **last = &group;
	size_t taken = 0;

	pthread_mutex_lock(&writer->lock);
	while (!writer->first && !writer->stopping)
		pthread_cond_wait(&writer->filled, &writer->lock);
	group = writer->first;
	while (*last && taken < writer->options.group) {
		last = &(*last)->next;
		taken++;
	}
	writer->first = *last;
	if (!writer->first)
		writer->end = &writer->first;
	*last = NULL;
	writer->depth -= taken;
	writer->working = group != NULL;
	pthread_cond_broadcast(&writer->emptied);
	pthread_mutex_unlock(&writer->lock);
	return group;
}

static int run_task(const struct serve_writer_options *options, struct serve_task *task)
{
	task->error = (struct prn_error){ 0 };
	options->save(options->context);
	task->code = task->run(options->context, task, &task->error);
	if (task->code)
		options->restore(options->context);
	/* The conflict may have ended something else that the task did. */
	return task->error.code == PRN_E_CONFLICT && task->code ? PRN_E_CONFLICT : task->code;
}

/*
 * Runs tasks from *rest on, which becomes the first task whose writing may still wait for the commit.  Where another
 * process was faster, what was not durable is run again: NULL: all were run; else from which task on.
 */
static struct serve_task *run_from(const struct serve_writer_options *options, struct serve_task **rest,
                                   unsigned *tries)
{
	for (struct serve_task *task = *rest; task; task = task->next) {
		uint64_t before = options->again ? options->commits(options->context) : 0;
		int code = run_task(options, task);

		if (code && options->again && options->again(options->context, code, tries))
			return options->commits(options->context) != before ? task : *rest;
		if (!options->waits(options->context))
			*rest = task->next;
	}
	return NULL;
}

static void expect_group(const struct serve_writer_options *options, struct serve_task *group)
{
	if (!options->begin)
		return;
	options->begin(options->context);
	for (struct serve_task *task = group; task; task = task->next)
		if (task->expect)
			task->expect(options->context, task);
	options->gather(options->context);
}

static void run_group(struct serve_writer *writer, struct serve_task *group)
{
	const struct serve_writer_options *options = &writer->options;
	struct prn_error error = { 0 };
	bool waits = false;
	struct serve_task *rest = group, *from;
	unsigned tries = 0;
	int code = options->enter ? options->enter(options->context, group->part, &error) : 0;
	bool again = !code;

	for (struct serve_task *task = group; task && code; task = task->next)
		task->code = 0;
	while (again) {
		expect_group(options, rest);
		from = run_from(options, &rest, &tries);
		if (from)
			rest = from;
		code = !from && rest ? options->commit(options->context, &error) : 0;
		again = from || (code && options->again && options->again(options->context, code, &tries));
	}
	for (struct serve_task *task = group, *next; task; task = next) {
		next = task->next; /* done may free the task */
		waits |= task == rest;
		if (waits && !task->code && code) {
			task->code = code;
			task->error = error;
		}
		task->done(options->context, task, task->code);
	}
}

/* Takes the first task off a list, and those that go with it: of its part, up to the next that is of any. */
static struct serve_task *take_part(struct serve_task **list)
{
	struct serve_task *group = NULL, **last = &group, **at = list;
	size_t part = (*list)->part;

	while (*at && !(*at)->part == !part) {
		struct serve_task *task = *at;

		if (task->part != part) {
			at = &task->next;
			continue;
		}
		*at = task->next;
		*last = task;
		last = &task->next;
	}
	*last = NULL;
	return group;
}

static void *work(void *argument)
{
	struct serve_writer *writer = argument;
	struct serve_task *group;

	while ((group = take_group(writer))) {
		while (group)
			run_group(writer, take_part(&group));
		pthread_mutex_lock(&writer->lock);
		writer->working = false;
		writer->groups++;
		pthread_mutex_unlock(&writer->lock);
	}
	return NULL;
}

int serve_writer_open(struct serve_writer **out, const struct serve_writer_options *options,
                      struct prn_error *error)
{
	struct serve_writer *writer = calloc(1, sizeof *writer);

	if (!writer)
		return prn_error_memory(error);
	writer->options = *options;
	writer->end = &writer->first;
	pthread_mutex_init(&writer->lock, NULL);
	pthread_cond_init(&writer->filled, NULL);
	pthread_cond_init(&writer->emptied, NULL);
	pthread_cond_init(&writer->finished, NULL);
	if (pthread_create(&writer->thread, NULL, work, writer)) {
		writer->joined = true;
		serve_writer_free(writer);
		return prn_error_set(error, PRN_E_MEMORY, "the system gives no thread");
	}
	*out = writer;
	return 0;
}

/* Under the lock. */
static void enqueue(struct serve_writer *writer, struct serve_task *task)
{
	task->next = NULL;
	*writer->end = task;
	writer->end = &task->next;
	writer->depth++;
	pthread_cond_signal(&writer->filled);
}

int serve_writer_submit(struct serve_writer *writer, struct serve_task *task)
{
	int code = 0;

	pthread_mutex_lock(&writer->lock);
	if (writer->stopping)
		code = PRN_E_CANCELLED;
	else if (writer->depth >= writer->options.capacity)
		code = PRN_E_LIMIT;
	else
		enqueue(writer, task);
	pthread_mutex_unlock(&writer->lock);
	return code;
}

void serve_writer_again(struct serve_writer *writer, struct serve_task *task)
{
	pthread_mutex_lock(&writer->lock);
	enqueue(writer, task);
	pthread_mutex_unlock(&writer->lock);
}

/* The queued task of a caller that waits: it runs the caller's task and fills that one's error. */
struct awaited {
	struct serve_task task;
	struct serve_task *inner;
	struct serve_writer *writer;
	bool done;
};

static int run_awaited(void *context, struct serve_task *task, struct prn_error *error)
{
	struct serve_task *inner = ((struct awaited *)task)->inner;

	return inner->run(context, inner, error);
}

static void expect_awaited(void *context, struct serve_task *task)
{
	struct serve_task *inner = ((struct awaited *)task)->inner;

	if (inner->expect)
		inner->expect(context, inner);
}

static void finish_awaited(void *context, struct serve_task *task, int code)
{
	struct awaited *awaited = (struct awaited *)task;
	struct serve_writer *writer = awaited->writer;

	awaited->inner->error = task->error;
	awaited->inner->code = code;
	if (awaited->inner->done)
		awaited->inner->done(context, awaited->inner, code);
	/* The task is on the stack of the thread that waits: it may be gone as soon as the lock is released. */
	pthread_mutex_lock(&writer->lock);
	awaited->done = true;
	pthread_cond_broadcast(&writer->finished);
	pthread_mutex_unlock(&writer->lock);
}

int serve_writer_perform(struct serve_writer *writer, struct serve_task *task)
{
	struct awaited awaited = { .task = { .expect = expect_awaited, .run = run_awaited, .done = finish_awaited, .part = task->part },
		                   .inner = task,
		                   .writer = writer };
	int code = PRN_E_CANCELLED;

	pthread_mutex_lock(&writer->lock);
	while (!writer->stopping && writer->depth >= writer->options.capacity)
		pthread_cond_wait(&writer->emptied, &writer->lock);
	if (!writer->stopping) {
		enqueue(writer, &awaited.task);
		while (!awaited.done)
			pthread_cond_wait(&writer->finished, &writer->lock);
		code = task->code;
	}
	pthread_mutex_unlock(&writer->lock);
	return code;
}

size_t serve_writer_depth(struct serve_writer *writer)
{
	size_t depth;

	pthread_mutex_lock(&writer->lock);
	depth = writer->depth;
	pthread_mutex_unlock(&writer->lock);
	return depth;
}

bool serve_writer_goes_on(struct serve_writer *writer, uint64_t *seen)
{
	bool goes_on;

	pthread_mutex_lock(&writer->lock);
	goes_on = (!writer->working && !writer->first) || writer->groups != *seen;
	*seen = writer->groups;
	pthread_mutex_unlock(&writer->lock);
	return goes_on;
}

void serve_writer_stop(struct serve_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	writer->stopping = true;
	pthread_cond_broadcast(&writer->filled);
	pthread_cond_broadcast(&writer->emptied);
	pthread_mutex_unlock(&writer->lock);
	if (!writer->joined)
		pthread_join(writer->thread, NULL);
	writer->joined = true;
}

void serve_writer_free(struct serve_writer *writer)
{
	if (!writer)
		return;
	serve_writer_stop(writer);
	pthread_cond_destroy(&writer->filled);
	pthread_cond_destroy(&writer->emptied);
	pthread_cond_destroy(&writer->finished);
	pthread_mutex_destroy(&writer->lock);
	free(writer);
}
