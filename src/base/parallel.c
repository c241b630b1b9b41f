#include "base/parallel.h"

#include "base/portable.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct loop {
	prn_parallel_fn *run;
	void *context;
	size_t items;
	atomic_size_t next;
	atomic_bool failed;
};

struct worker {
	struct loop *loop;
	size_t thread;
	pthread_t id;
	int code;
	size_t item; /* the item that gave the code */
	struct prn_error error;
};

int prn_thread_refused(struct prn_error *error)
{
	return prn_error_set(error, PRN_E_MEMORY, "the system gives no thread");
}

size_t prn_parallel_processors(void)
{
	return prn_usable_processors();
}

size_t prn_parallel_threads(size_t threads)
{
	return threads ? threads : prn_parallel_processors();
}

/*
 * An item that was handed out is always finished: every item below a failing one was handed out before it,
 * so the lowest failure is found by any number of threads.
 */
static void *work(void *argument)
{
	struct worker *worker = argument;
	struct loop *loop = worker->loop;

	while (!atomic_load(&loop->failed)) {
		size_t item = atomic_fetch_add(&loop->next, 1);

		if (item >= loop->items)
			break;
		worker->code = loop->run(loop->context, worker->thread, item, &worker->error);
		if (worker->code < 0) {
			worker->item = item;
			atomic_store(&loop->failed, true);
			break;
		}
	}
	return NULL;
}

static int lowest_failure(const struct worker *workers, size_t threads, struct prn_error *error)
{
	const struct worker *lowest = NULL;

	for (size_t i = 0; i < threads; i++)
		if (workers[i].code < 0 && (!lowest || workers[i].item < lowest->item))
			lowest = &workers[i];
	if (!lowest)
		return 0;
	if (error)
		*error = lowest->error;
	return lowest->code;
}

int prn_parallel_for(size_t items, size_t threads, prn_parallel_fn *run, void *context,
                     struct prn_error *error)
{
	struct loop loop = { .run = run, .context = context, .items = items };
	struct worker *workers;
	size_t started = 1;
	int code;

	if (threads > items)
		threads = items;
	if (!threads)
		return 0;
	workers = calloc(threads, sizeof *workers);
	if (!workers)
		return prn_error_memory(error);
	for (size_t i = 0; i < threads; i++)
		workers[i] = (struct worker){ .loop = &loop, .thread = i };
	while (started < threads && !pthread_create(&workers[started].id, NULL, work, &workers[started]))
		started++;
	work(&workers[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(workers[i].id, NULL);
	code = lowest_failure(workers, threads, error);
	free(workers);
	return code;
}
