#include "serve/writer.h"

#include "base/monotonic.h"
#include "base/parallel.h"
#include "base/portable.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#define PATIENCE_MOST_S 0.05

/* A thread that writes. */
struct lane {
	struct serve_writer *writer;
	pthread_t thread;
	void *context;   /* for the functions that are called for a lane */
	size_t part;     /* the part that it is at */
	uint64_t number; /* the number of the group that it is at; 0: none */
	double begun;    /* when it began that group, by prn_monotonic */
};

struct serve_writer {
	struct serve_writer_options options;
	struct lane *lanes;
	size_t started; /* lanes */
	pthread_mutex_t lock;
	pthread_cond_t changed, quiet, emptied, finished; /* changed: what may be begun; quiet: a lane ended */
	struct serve_task *first, **end; /* waiting */
	size_t depth;
	uint64_t groups;  /* begun so far */
	double patience;  /* seconds that a recent group took in the mean */
	bool times;       /* a lane waits for the time at which the next group may be begun */
	size_t working;   /* lanes that are at a group, and do not wait to settle */
	size_t settling;  /* lanes that settle, or wait to; meanwhile no group is begun */
	bool settles;     /* one of them is settling */
	bool stopping, joined;
};

/* The tasks of one part and the result of their commit, for which the tasks from rest on waited. */
struct group {
	struct serve_task *first, *rest;
	int code;
	struct prn_error error;
};

/* Whether a part may be written to now: no other lane is at it; a task of any part needs that no other lane writes. */
static bool is_free(const struct serve_writer *writer, size_t part)
{
	for (size_t i = 0; i < writer->started; i++)
		if (writer->lanes[i].number && (!part || !writer->lanes[i].part || writer->lanes[i].part == part))
			return false;
	return true;
}

/*
 * Returns the place in the queue of the first task that may be begun.  NULL: none may be, and at *later, by prn_monotonic, one may
 * be; INFINITY: none.
 *
 * While another lane is at work, a task waits for as long as a group takes: if every thread committed a single report at a time,
 * disks and processors would do more work for less.
 */
static struct serve_task **find_task(struct serve_writer *writer, double *later)
{
	struct serve_task **at = &writer->first;

	*later = INFINITY;
	if (writer->settling)
		return NULL;
	while (*at && (*at)->part && !is_free(writer, (*at)->part))
		at = &(*at)->next;
	/* No task overtakes one that is of any part, nor does that overtake another. */
	if (!*at || !is_free(writer, (*at)->part) || (!(*at)->part && at != &writer->first))
		return NULL;
	if (!writer->working || prn_monotonic() >= (*at)->since + writer->patience)
		return at;
	*later = (*at)->since + writer->patience;
	return NULL;
}

/* Takes the tasks of one commit off the queue: tasks of one part, up to the next task that is of any part. */
static struct serve_task *take_part(struct serve_writer *writer, struct serve_task **at)
{
	struct serve_task *group = NULL, **last = &group;
	size_t part = (*at)->part, taken = 0;

	while (*at && taken < writer->options.group && !(*at)->part == !part) {
		struct serve_task *task = *at;

		if (task->part != part) {
			at = &task->next;
			continue;
		}
		*at = task->next;
		*last = task;
		last = &task->next;
		taken++;
	}
	*last = NULL;
	for (writer->end = at; *writer->end;)
		writer->end = &(*writer->end)->next;
	writer->depth -= taken;
	return group;
}

/* Waits until something may have changed; one lane at a time waits for the time at which a task may be begun. */
static void wait_for_change(struct serve_writer *writer, double later)
{
	struct timespec until;

	if (writer->times || isinf(later)) {
		pthread_cond_wait(&writer->changed, &writer->lock);
		return;
	}
	until = prn_monotonic_timespec(later);
	writer->times = true;
	prn_condition_wait_until(&writer->changed, &writer->lock, &until);
	writer->times = false;
}

/* Waits for tasks of a part that no other lane is at; NULL when stopping and all is done. */
static struct serve_task *begin_group(struct lane *lane)
{
	struct serve_writer *writer = lane->writer;
	struct serve_task *group = NULL, **at;
	double later;

	pthread_mutex_lock(&writer->lock);
	while (!(at = find_task(writer, &later)) &&
	       (!writer->stopping || writer->first || writer->working || writer->settling))
		wait_for_change(writer, later);
	if (at) {
		group = take_part(writer, at);
		lane->part = group->part;
		lane->number = ++writer->groups;
		lane->begun = prn_monotonic();
		writer->working++;
		pthread_cond_broadcast(&writer->emptied);
	}
	/* Another lane sees to what is left. */
	if (writer->first)
		pthread_cond_signal(&writer->changed);
	pthread_mutex_unlock(&writer->lock);
	return group;
}

static void end_group(struct lane *lane)
{
	struct serve_writer *writer = lane->writer;
	double took;

	pthread_mutex_lock(&writer->lock);
	took = fmin(prn_monotonic() - lane->begun, PATIENCE_MOST_S);
	writer->patience += (took - writer->patience) / 8;
	lane->number = 0;
	writer->working--;
	pthread_cond_signal(&writer->quiet);
	if (writer->stopping)
		pthread_cond_broadcast(&writer->changed);
	pthread_mutex_unlock(&writer->lock);
}

static int run_task(const struct lane *lane, struct serve_task *task)
{
	const struct serve_writer_options *options = &lane->writer->options;

	task->error = (struct prn_error){ 0 };
	options->save(lane->context);
	task->code = task->run(options->context, task, &task->error);
	if (task->code && options->failed)
		options->failed(lane->context, task->code, &task->error);
	if (task->code)
		options->restore(lane->context);
	/* The conflict may have ended something else that the task did. */
	return task->error.code == PRN_E_CONFLICT && task->code ? PRN_E_CONFLICT : task->code;
}

/*
 * Runs tasks from *rest on; *rest becomes the first task whose writing may still wait for the commit.  Returns NULL if all were
 * run.  If another process was faster, it returns the task from which on they are to be run again, because they are not durable.
 */
static struct serve_task *run_from(const struct lane *lane, struct serve_task **rest, unsigned *tries)
{
	const struct serve_writer_options *options = &lane->writer->options;

	for (struct serve_task *task = *rest; task; task = task->next) {
		uint64_t before = options->again ? options->commits(lane->context) : 0;
		int code = run_task(lane, task);

		if (code && options->again && options->again(lane->context, code, tries))
			return options->commits(lane->context) != before ? task : *rest;
		if (!options->waits(lane->context))
			*rest = task->next;
	}
	return NULL;
}

static void expect_group(const struct lane *lane, struct serve_task *group)
{
	const struct serve_writer_options *options = &lane->writer->options;

	if (!options->begin)
		return;
	options->begin(lane->context);
	for (struct serve_task *task = group; task; task = task->next)
		if (task->expect)
			task->expect(lane->context, task);
	options->gather(lane->context);
}

static void run_group(const struct lane *lane, struct group *group)
{
	const struct serve_writer_options *options = &lane->writer->options;
	struct serve_task *from;
	unsigned tries = 0;
	bool again;

	group->code = options->enter ? options->enter(lane->context, group->first->part, &group->error) : 0;
	again = !group->code;
	for (struct serve_task *task = group->first; task && group->code; task = task->next)
		task->code = 0;
	while (again) {
		expect_group(lane, group->rest);
		from = run_from(lane, &group->rest, &tries);
		if (from)
			group->rest = from;
		group->code = !from && group->rest ? options->commit(lane->context, &group->error) : 0;
		again = from || (group->code && options->again && options->again(lane->context, group->code, &tries));
	}
}

/* Makes what follows from a commit, while no other lane is at a group. */
static int settle(const struct lane *lane, struct prn_error *error)
{
	struct serve_writer *writer = lane->writer;
	int code;

	pthread_mutex_lock(&writer->lock);
	writer->settling++;
	writer->working--;
	pthread_cond_broadcast(&writer->quiet);
	while (writer->working || writer->settles)
		pthread_cond_wait(&writer->quiet, &writer->lock);
	writer->settles = true;
	pthread_mutex_unlock(&writer->lock);
	code = writer->options.settle(writer->options.context, error);
	pthread_mutex_lock(&writer->lock);
	writer->settles = false;
	writer->settling--;
	writer->working++;
	pthread_cond_broadcast(&writer->quiet);
	pthread_cond_signal(&writer->changed);
	pthread_mutex_unlock(&writer->lock);
	return code;
}

static void finish_group(const struct serve_writer_options *options, const struct group *group)
{
	bool waits = false;

	for (struct serve_task *task = group->first, *next; task; task = next) {
		next = task->next; /* done may free the task */
		waits |= task == group->rest;
		if (waits && !task->code && group->code) {
			task->code = group->code;
			task->error = group->error;
		}
		task->done(options->context, task, task->code);
	}
}

static void *work(void *argument)
{
	struct lane *lane = argument;
	const struct serve_writer_options *options = &lane->writer->options;
	struct serve_task *tasks;

	while ((tasks = begin_group(lane))) {
		struct group group = { .first = tasks, .rest = tasks };

		run_group(lane, &group);
		if (!group.code && options->leads && options->leads(lane->context))
			group.code = settle(lane, &group.error);
		if (options->leave)
			options->leave(lane->context);
		finish_group(options, &group);
		end_group(lane);
	}
	return NULL;
}

static int start_lanes(struct serve_writer *writer, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct lane *lane = &writer->lanes[i];
		int failed;

		*lane = (struct lane){ .writer = writer,
			               .context = writer->options.lanes ? writer->options.lanes[i] : writer->options.context };
		pthread_mutex_lock(&writer->lock);
		failed = pthread_create(&lane->thread, NULL, work, lane);
		writer->started += !failed;
		pthread_mutex_unlock(&writer->lock);
		if (failed)
			return failed;
	}
	return 0;
}

int serve_writer_open(struct serve_writer **out, const struct serve_writer_options *options,
                      struct prn_error *error)
{
	struct serve_writer *writer = calloc(1, sizeof *writer);
	size_t count = options->lanes ? options->lane_count : 1;

	if (writer)
		writer->lanes = calloc(count, sizeof *writer->lanes);
	if (!writer || !writer->lanes) {
		free(writer);
		return prn_error_memory(error);
	}
	writer->options = *options;
	writer->end = &writer->first;
	pthread_mutex_init(&writer->lock, NULL);
	prn_condition_init(&writer->changed);
	pthread_cond_init(&writer->quiet, NULL);
	pthread_cond_init(&writer->emptied, NULL);
	pthread_cond_init(&writer->finished, NULL);
	if (start_lanes(writer, count)) {
		serve_writer_free(writer);
		return prn_thread_refused(error);
	}
	*out = writer;
	return 0;
}

/* Under the lock. */
static void enqueue(struct serve_writer *writer, struct serve_task *task)
{
	task->next = NULL;
	task->since = prn_monotonic();
	*writer->end = task;
	writer->end = &task->next;
	writer->depth++;
	pthread_cond_signal(&writer->changed);
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

static void expect_awaited(void *lane, struct serve_task *task)
{
	struct serve_task *inner = ((struct awaited *)task)->inner;

	if (inner->expect)
		inner->expect(lane, inner);
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
	uint64_t oldest = 0;
	bool goes_on;

	pthread_mutex_lock(&writer->lock);
	for (size_t i = 0; i < writer->started; i++) {
		uint64_t number = writer->lanes[i].number;

		oldest = number && (!oldest || number < oldest) ? number : oldest;
	}
	goes_on = !oldest || oldest != *seen;
	*seen = oldest;
	pthread_mutex_unlock(&writer->lock);
	return goes_on;
}

void serve_writer_stop(struct serve_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	writer->stopping = true;
	pthread_cond_broadcast(&writer->changed);
	pthread_cond_broadcast(&writer->emptied);
	pthread_mutex_unlock(&writer->lock);
	for (size_t i = 0; i < writer->started && !writer->joined; i++)
		pthread_join(writer->lanes[i].thread, NULL);
	writer->joined = true;
}

void serve_writer_free(struct serve_writer *writer)
{
	if (!writer)
		return;
	serve_writer_stop(writer);
	pthread_cond_destroy(&writer->changed);
	pthread_cond_destroy(&writer->quiet);
	pthread_cond_destroy(&writer->emptied);
	pthread_cond_destroy(&writer->finished);
	pthread_mutex_destroy(&writer->lock);
	free(writer->lanes);
	free(writer);
}
