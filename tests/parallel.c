/* The parallel loop: every item once, and the same failure for any number of threads. */
#include "base/parallel.h"
#include "tap.h"

#include <pthread.h>

#define ITEMS 10000

struct marks {
	unsigned char seen[ITEMS];
	size_t bad_from; /* items from here on fail */
	size_t threads;
	bool stray; /* a thread number out of range was seen */
};

static int mark(void *context, size_t thread, size_t item, struct prn_error *error)
{
	struct marks *marks = context;

	if (thread >= marks->threads)
		marks->stray = true;
	marks->seen[item]++;
	if (item >= marks->bad_from)
		return prn_error_set(error, PRN_E_ARGUMENT, "item %zu", item);
	return 0;
}

static bool each_once(const struct marks *marks, size_t items)
{
	for (size_t i = 0; i < items; i++)
		if (marks->seen[i] != 1)
			return false;
	return true;
}

#define FAILING 4

/* Each item of this loop fails, and not before all have begun: each thread has one. */
static int fail_together(void *context, size_t thread, size_t item, struct prn_error *error)
{
	(void)thread;
	pthread_barrier_wait(context);
	return prn_error_set(error, PRN_E_ARGUMENT, "item %zu", item);
}

static void failures_at_once(void)
{
	struct prn_error error = { 0 };
	pthread_barrier_t barrier;
	unsigned lowest = 0;

	pthread_barrier_init(&barrier, NULL, FAILING);
	for (int i = 0; i < 50; i++) {
		prn_parallel_for(FAILING, FAILING, fail_together, &barrier, &error);
		lowest += !strcmp(error.text, "item 0");
	}
	pthread_barrier_destroy(&barrier);
	ok(lowest == 50, "of several items that fail at once the lowest is told, 50 times of 50 (%u)", lowest);
}

int main(void)
{
	ok(prn_parallel_processors() >= 1, "the machine has a processor or more");
	ok(prn_parallel_threads(0) == prn_parallel_processors() && prn_parallel_threads(3) == 3, "0 threads are all processors, and others so many");
	for (size_t threads = 1; threads <= 8; threads *= 2) {
		struct marks all = { .bad_from = ITEMS, .threads = threads };
		struct marks some = { .bad_from = 777, .threads = threads };
		struct prn_error error = { 0 };

		ok(!prn_parallel_for(ITEMS, threads, mark, &all, NULL) && each_once(&all, ITEMS),
		   "%zu threads do every item once", threads);
		ok(!all.stray, "%zu threads have the numbers below that", threads);
		ok(prn_parallel_for(ITEMS, threads, mark, &some, &error) == PRN_E_ARGUMENT && each_once(&some, 778),
		   "a failure with %zu threads ends the loop, all before it done", threads);
		same(error.text, "item 777",
		     "the failure of a loop with %zu threads is that of the lowest item", threads);
	}
	failures_at_once();
	struct marks none = { .bad_from = 0, .threads = 4 };

	ok(!prn_parallel_for(0, 4, mark, &none, NULL) && !none.seen[0], "without items nothing is done");
	return done();
}
