#include "serve/batches.h"
#include "serve/batch_internal.h"

#include "base/parallel.h"

#include <pthread.h>
#include <stdlib.h>

struct waiting {
	struct waiting *next;
	struct serve_request *request;
	enum serve_batch_kind kind;
	void (*work)(void *context); /* instead of a batch, or NULL */
	void *context;
};

struct serve_batches {
	struct serve_daemon *daemon;
	pthread_mutex_t lock;
	pthread_cond_t filled;
	struct waiting *first, **end;
	size_t count; /* waiting or under way */
	atomic_bool stopping;
	unsigned thread_count;
	pthread_t threads[];
};

static void work_through(struct serve_batches *batches, struct waiting *waiting)
{
	struct serve_batch batch = { .daemon = batches->daemon, .request = waiting->request,
		                     .stopping = &batches->stopping };

	if (waiting->work) {
		waiting->work(waiting->context);
		return;
	}
	serve_spool_init(&batch.answer, UINT64_MAX);
	if (serve_batch_goes_on(&batch)) {
		if (waiting->kind == SERVE_BATCH_CAPTURES)
			serve_batch_captures(&batch);
		else
			serve_batch_pages(&batch, waiting->kind == SERVE_BATCH_RELEASES);
	}
	if (batch.code)
		serve_request_fail(batch.request, &batch.error);
	else
		serve_request_answer_spool(batch.request, 200, SERVE_NDJSON, &batch.answer);
	serve_spool_release(&batch.answer);
}

/* Waits for the next batch; NULL when stopping and none is left. */
static struct waiting *next_waiting(struct serve_batches *batches)
{
	struct waiting *waiting;

	pthread_mutex_lock(&batches->lock);
	while (!batches->first && !atomic_load(&batches->stopping))
		pthread_cond_wait(&batches->filled, &batches->lock);
	waiting = batches->first;
	if (waiting) {
		batches->first = waiting->next;
		if (!batches->first)
			batches->end = &batches->first;
	}
	pthread_mutex_unlock(&batches->lock);
	return waiting;
}

static void *work_through_all(void *argument)
{
	struct serve_batches *batches = argument;
	struct waiting *waiting;

	while ((waiting = next_waiting(batches))) {
		work_through(batches, waiting);
		free(waiting);
		pthread_mutex_lock(&batches->lock);
		batches->count--;
		pthread_mutex_unlock(&batches->lock);
	}
	return NULL;
}

int serve_batches_open(struct serve_batches **out, struct serve_daemon *daemon, unsigned threads,
                       struct prn_error *error)
{
	struct serve_batches *batches = calloc(1, sizeof *batches + threads * sizeof *batches->threads);

	if (!batches)
		return prn_error_memory(error);
	batches->daemon = daemon;
	batches->end = &batches->first;
	pthread_mutex_init(&batches->lock, NULL);
	pthread_cond_init(&batches->filled, NULL);
	while (batches->thread_count < threads &&
	       !pthread_create(&batches->threads[batches->thread_count], NULL, work_through_all, batches))
		batches->thread_count++;
	if (!batches->thread_count) {
		serve_batches_free(batches);
		return prn_thread_refused(error);
	}
	*out = batches;
	return 0;
}

/* Returns false when the queue is full or closed. */
static bool enqueue(struct serve_batches *batches, struct waiting *waiting)
{
	bool taken = false;

	pthread_mutex_lock(&batches->lock);
	if (batches->count < SERVE_BATCHES_MOST && !atomic_load(&batches->stopping)) {
		*batches->end = waiting;
		batches->end = &waiting->next;
		batches->count++;
		pthread_cond_signal(&batches->filled);
		taken = true;
	}
	pthread_mutex_unlock(&batches->lock);
	return taken;
}

/* Whether it was taken; else its request is answered. */
static bool take_waiting(struct serve_batches *batches, const struct waiting *what)
{
	struct waiting *waiting = malloc(sizeof *waiting);
	struct serve_request *request = what->request;

	serve_request_park(request);
	if (!waiting) {
		serve_request_fail_memory(request);
		return false;
	}
	*waiting = *what;
	if (enqueue(batches, waiting))
		return true;
	free(waiting);
	if (atomic_load(&batches->stopping))
		serve_refuse_stopping(request);
	else
		serve_refuse_busy(request, "too many batches wait");
	return false;
}

void serve_batches_take(struct serve_batches *batches, struct serve_request *request, enum serve_batch_kind kind)
{
	take_waiting(batches, &(struct waiting){ .request = request, .kind = kind });
}

bool serve_batches_run(struct serve_batches *batches, struct serve_request *request, void (*work)(void *context),
                       void *context)
{
	return take_waiting(batches, &(struct waiting){ .request = request, .work = work, .context = context });
}

size_t serve_batches_waiting(struct serve_batches *batches)
{
	size_t count;

	pthread_mutex_lock(&batches->lock);
	count = batches->count;
	pthread_mutex_unlock(&batches->lock);
	return count;
}

void serve_batches_stop(struct serve_batches *batches)
{
	pthread_mutex_lock(&batches->lock);
	atomic_store(&batches->stopping, true);
	pthread_cond_broadcast(&batches->filled);
	pthread_mutex_unlock(&batches->lock);
	for (unsigned i = 0; i < batches->thread_count; i++)
		pthread_join(batches->threads[i], NULL);
	batches->thread_count = 0;
}

void serve_batches_free(struct serve_batches *batches)
{
	if (!batches)
		return;
	serve_batches_stop(batches);
	pthread_mutex_destroy(&batches->lock);
	pthread_cond_destroy(&batches->filled);
	free(batches);
}
