#include "base/pipeline.h"

#include "base/portable.h"
#include "base/spare.h"
#include "perennial/error.h"

#include <pthread.h>
#include <stdlib.h>

#define PATIENCE 1024 /* items that gather before a patient consumer is woken: then both sides have something to do */

/* First in, first out. */
struct queue {
	struct prn_pipeline_item *first, **end;
};

struct worker {
	struct prn_pipeline *pipeline;
	size_t number;
	pthread_t thread;
};

struct prn_pipeline {
	struct prn_pipeline_options options;
	struct worker *workers;
	size_t worker_count; /* started */
	struct prn_spare *spare; /* the spare time of these threads */

	pthread_mutex_t lock; /* of all below */
	pthread_cond_t filled, freed, worked; /* what workers, the producer and the consumer wait for */
	struct prn_pipeline_item *free;
	struct queue work; /* items that nobody has begun, linked by next */
	size_t queued;     /* how many these are */
	struct queue out;  /* items that the consumer has not taken, linked by next_out; only if ordered */
	size_t bytes, busy;
	bool starved; /* the producer waits, and there is nothing to work on */
	bool patient; /* the consumer waits, and will look by itself after a while */
	size_t unseen; /* worked items that it has not been woken for */
	size_t announced; /* how often a piece of spare work was announced … */
	bool offered;     /* … and whether there may still be one */
	bool closed, cancelled;
};

/* Under the lock: notes that an item holds fewer bytes, and has the producer look whether that is room enough. */
static void shrink(struct prn_pipeline *pipeline, struct prn_pipeline_item *item, size_t bytes)
{
	pipeline->bytes -= item->bytes - bytes;
	item->bytes = bytes;
	pipeline->starved = false;
	pthread_cond_signal(&pipeline->freed);
}

/* Under the lock. */
static void free_place(struct prn_pipeline *pipeline, struct prn_pipeline_item *item)
{
	item->next = pipeline->free;
	pipeline->free = item;
	shrink(pipeline, item, 0);
}

/* Called with the lock held, which is released during the work: works on the oldest item that nobody has begun. */
static void work_on_one(struct prn_pipeline *pipeline, size_t thread)
{
	struct prn_pipeline_item *item = pipeline->work.first;
	size_t held;

	pipeline->work.first = item->next;
	if (!pipeline->work.first)
		pipeline->work.end = &pipeline->work.first;
	pipeline->queued--;
	pipeline->busy++;
	pthread_mutex_unlock(&pipeline->lock);
	held = pipeline->options.work(pipeline->options.context, thread, item);
	pthread_mutex_lock(&pipeline->lock);
	pipeline->busy--;
	item->worked = true;
	if (!pipeline->options.ordered) {
		free_place(pipeline, item);
		return;
	}
	if (held < item->bytes)
		shrink(pipeline, item, held);
	/* The consumer waits only for its first item, but may not have seen one that needed no work. */
	if (pipeline->out.first && pipeline->out.first->worked)
		pthread_cond_signal(&pipeline->worked);
}

/* Called with the lock held, which is released meanwhile: does a piece of spare work.  If more was announced since, it is looked for again. */
static void use_spare(struct prn_pipeline *pipeline)
{
	size_t announced = pipeline->announced;
	bool did;

	pthread_mutex_unlock(&pipeline->lock);
	did = prn_spare_use(pipeline->spare);
	pthread_mutex_lock(&pipeline->lock);
	if (!did && announced == pipeline->announced)
		pipeline->offered = false;
}

static void *work_on(void *argument)
{
	struct worker *worker = argument;
	struct prn_pipeline *pipeline = worker->pipeline;

	pthread_mutex_lock(&pipeline->lock);
	while (!pipeline->cancelled) {
		if (pipeline->work.first)
			work_on_one(pipeline, worker->number);
		else if (pipeline->closed)
			break;
		else if (pipeline->offered)
			use_spare(pipeline);
		else
			pthread_cond_wait(&pipeline->filled, &pipeline->lock);
	}
	pthread_mutex_unlock(&pipeline->lock);
	return NULL;
}

/* Called by the spare time when there is another piece of work. */
static void wake_for_spare(void *context)
{
	struct prn_pipeline *pipeline = context;

	pthread_mutex_lock(&pipeline->lock);
	pipeline->announced++;
	pipeline->offered = true;
	pthread_cond_signal(&pipeline->filled);
	pthread_mutex_unlock(&pipeline->lock);
}

int prn_pipeline_open(struct prn_pipeline **out, const struct prn_pipeline_options *options)
{
	struct prn_pipeline *pipeline = calloc(1, sizeof *pipeline);

	if (!pipeline)
		return PRN_E_MEMORY;
	pipeline->workers = calloc(options->threads ? options->threads : 1, sizeof *pipeline->workers);
	if (!pipeline->workers) {
		free(pipeline);
		return PRN_E_MEMORY;
	}
	pipeline->options = *options;
	pipeline->work.end = &pipeline->work.first;
	pipeline->out.end = &pipeline->out.first;
	pthread_mutex_init(&pipeline->lock, NULL);
	pthread_cond_init(&pipeline->filled, NULL);
	pthread_cond_init(&pipeline->freed, NULL);
	prn_condition_init(&pipeline->worked);
	pipeline->spare = prn_spare_open(options->threads, wake_for_spare, pipeline);
	if (!pipeline->spare) {
		prn_pipeline_free(pipeline);
		return PRN_E_MEMORY;
	}
	while (pipeline->worker_count < options->threads) {
		struct worker *worker = &pipeline->workers[pipeline->worker_count];

		*worker = (struct worker){ .pipeline = pipeline, .number = pipeline->worker_count + 1 };
		if (pthread_create(&worker->thread, NULL, work_on, worker))
			break;
		pipeline->worker_count++;
	}
	*out = pipeline;
	return 0;
}

size_t prn_pipeline_threads(const struct prn_pipeline *pipeline)
{
	return pipeline->worker_count;
}

struct prn_spare *prn_pipeline_spare(const struct prn_pipeline *pipeline)
{
	return pipeline->worker_count ? pipeline->spare : NULL;
}

void prn_pipeline_free(struct prn_pipeline *pipeline)
{
	if (!pipeline)
		return;
	prn_pipeline_cancel(pipeline);
	if (pipeline->spare)
		prn_spare_close(pipeline->spare);
	for (size_t i = 0; i < pipeline->worker_count; i++)
		pthread_join(pipeline->workers[i].thread, NULL);
	prn_spare_drop(pipeline->spare);
	pthread_cond_destroy(&pipeline->filled);
	pthread_cond_destroy(&pipeline->freed);
	pthread_cond_destroy(&pipeline->worked);
	pthread_mutex_destroy(&pipeline->lock);
	free(pipeline->workers);
	free(pipeline);
}

void prn_pipeline_cancel(struct prn_pipeline *pipeline)
{
	pthread_mutex_lock(&pipeline->lock);
	pipeline->cancelled = true;
	pthread_cond_broadcast(&pipeline->filled);
	pthread_cond_broadcast(&pipeline->freed);
	pthread_cond_broadcast(&pipeline->worked);
	pthread_mutex_unlock(&pipeline->lock);
}

void prn_pipeline_give(struct prn_pipeline *pipeline, struct prn_pipeline_item *item)
{
	pthread_mutex_lock(&pipeline->lock);
	free_place(pipeline, item);
	pthread_mutex_unlock(&pipeline->lock);
}

/* Under the lock: works if there is work, else waits until something has changed. */
static void work_or_wait(struct prn_pipeline *pipeline)
{
	if (pipeline->work.first && !pipeline->cancelled) {
		work_on_one(pipeline, 0);
		return;
	}
	pipeline->starved = true;
	/* The consumer may hold all items, or may not have seen them: then only it can make room. */
	if (!pipeline->out.first || pipeline->out.first->worked)
		pthread_cond_signal(&pipeline->worked);
	pthread_cond_wait(&pipeline->freed, &pipeline->lock);
	pipeline->starved = false;
}

static bool has_room(const struct prn_pipeline *pipeline, size_t bytes)
{
	size_t most = pipeline->options.bytes_most;

	return pipeline->free && pipeline->queued < pipeline->options.queued_most &&
	       (!pipeline->bytes || (bytes <= most && pipeline->bytes <= most - bytes));
}

struct prn_pipeline_item *prn_pipeline_take(struct prn_pipeline *pipeline, size_t bytes)
{
	struct prn_pipeline_item *item = NULL;

	pthread_mutex_lock(&pipeline->lock);
	while (!pipeline->cancelled && !has_room(pipeline, bytes))
		work_or_wait(pipeline);
	if (!pipeline->cancelled) {
		item = pipeline->free;
		pipeline->free = item->next;
		item->bytes = bytes;
		pipeline->bytes += bytes;
	}
	pthread_mutex_unlock(&pipeline->lock);
	return item;
}

/* Under the lock. */
static void put_out(struct prn_pipeline *pipeline, struct prn_pipeline_item *item)
{
	item->next_out = NULL;
	*pipeline->out.end = item;
	pipeline->out.end = &item->next_out;
}

void prn_pipeline_hand_in(struct prn_pipeline *pipeline, struct prn_pipeline_item *item)
{
	pthread_mutex_lock(&pipeline->lock);
	item->next = NULL;
	item->worked = false;
	*pipeline->work.end = item;
	pipeline->work.end = &item->next;
	pipeline->queued++;
	if (pipeline->options.ordered)
		put_out(pipeline, item);
	if (pipeline->worker_count)
		pthread_cond_signal(&pipeline->filled);
	else if (!pipeline->cancelled)
		work_on_one(pipeline, 0);
	pthread_mutex_unlock(&pipeline->lock);
}

void prn_pipeline_hand_in_worked(struct prn_pipeline *pipeline, struct prn_pipeline_item *item)
{
	pthread_mutex_lock(&pipeline->lock);
	item->worked = true;
	put_out(pipeline, item);
	pipeline->unseen++;
	if ((item == pipeline->out.first && !pipeline->patient) || pipeline->unseen % PATIENCE == 0)
		pthread_cond_signal(&pipeline->worked);
	pthread_mutex_unlock(&pipeline->lock);
}

void prn_pipeline_close(struct prn_pipeline *pipeline)
{
	pthread_mutex_lock(&pipeline->lock);
	pipeline->closed = true;
	pthread_cond_broadcast(&pipeline->filled);
	pthread_cond_broadcast(&pipeline->worked);
	pthread_mutex_unlock(&pipeline->lock);
}

void prn_pipeline_drain(struct prn_pipeline *pipeline)
{
	pthread_mutex_lock(&pipeline->lock);
	while (pipeline->busy || (pipeline->work.first && !pipeline->cancelled))
		work_or_wait(pipeline);
	pthread_mutex_unlock(&pipeline->lock);
}

/* Under the lock: writes what can be returned without waiting any longer; false: nothing yet. */
static bool is_settled(const struct prn_pipeline *pipeline, enum prn_pipeline_next *next)
{
	const struct prn_pipeline_item *first = pipeline->out.first;

	if (pipeline->cancelled)
		*next = PRN_PIPELINE_CANCELLED;
	else if (first && first->worked)
		*next = PRN_PIPELINE_ITEM;
	else if (!first && pipeline->closed)
		*next = PRN_PIPELINE_END;
	else if (!first && pipeline->starved)
		*next = PRN_PIPELINE_LULL;
	else
		return false;
	return true;
}

enum prn_pipeline_next prn_pipeline_next(struct prn_pipeline *pipeline, const struct timespec *deadline,
                                         struct prn_pipeline_item **item)
{
	enum prn_pipeline_next next = PRN_PIPELINE_LULL;
	int waited = 0;

	pthread_mutex_lock(&pipeline->lock);
	while (!is_settled(pipeline, &next) && !waited) {
		pipeline->patient = deadline != NULL;
		pipeline->unseen = 0;
		waited = deadline ? prn_condition_wait_until(&pipeline->worked, &pipeline->lock, deadline)
		                  : pthread_cond_wait(&pipeline->worked, &pipeline->lock);
	}
	pipeline->patient = false;
	if (next == PRN_PIPELINE_ITEM) {
		*item = pipeline->out.first;
		pipeline->out.first = (*item)->next_out;
		if (!pipeline->out.first)
			pipeline->out.end = &pipeline->out.first;
	}
	pthread_mutex_unlock(&pipeline->lock);
	return next;
}
