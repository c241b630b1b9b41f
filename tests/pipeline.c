/* The bounded pipeline: order, bounds, and that everyone who waits can be woken. */
#include "base/pipeline.h"
#include "perennial/error.h"
#include "tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define PLACES 8
#define ITEMS 2000

struct job {
	struct prn_pipeline_item item;
	unsigned number, worked; /* worked: how often since it was handed in */
	size_t held;             /* after it was worked on */
};

static struct job jobs[PLACES];

/* What work does besides counting. */
static struct {
	atomic_uint worked, by_producer;
	bool uneven;                     /* some items take their time */
	unsigned gated;                  /* the item that waits until the gate is open; 0: none */
	atomic_bool gate, at_gate;
} seen;

static size_t work(void *context, size_t thread, struct prn_pipeline_item *item)
{
	struct job *job = (struct job *)item;

	(void)context;
	job->worked++;
	seen.worked++;
	seen.by_producer += !thread;
	if (seen.uneven && job->number % 7 == 0)
		usleep(100);
	while (seen.gated && job->number == seen.gated && !seen.gate) {
		seen.at_gate = true;
		usleep(100);
	}
	return job->held;
}

static struct prn_pipeline *start(size_t threads, size_t bytes_most, bool ordered, size_t places)
{
	const struct prn_pipeline_options options = { .threads = threads, .queued_most = PLACES, .bytes_most = bytes_most,
		                                      .ordered = ordered, .work = work };
	struct prn_pipeline *pipeline;

	memset(&seen, 0, sizeof seen);
	memset(jobs, 0, sizeof jobs);
	if (prn_pipeline_open(&pipeline, &options) || prn_pipeline_threads(pipeline) != threads) {
		printf("Bail out! cannot start a pipeline\n");
		exit(1);
	}
	for (size_t i = 0; i < places; i++)
		prn_pipeline_give(pipeline, &jobs[i].item);
	return pipeline;
}

/* Takes a place and hands it in; false when cancelled. */
static bool put(struct prn_pipeline *pipeline, unsigned number, size_t bytes)
{
	struct job *job = (struct job *)prn_pipeline_take(pipeline, bytes);

	if (!job)
		return false;
	job->number = number;
	job->worked = 0;
	prn_pipeline_hand_in(pipeline, &job->item);
	return true;
}

static void *produce(void *argument)
{
	struct prn_pipeline *pipeline = argument;

	for (unsigned i = 1; i <= ITEMS; i++)
		if (!put(pipeline, i, 1))
			return NULL;
	prn_pipeline_close(pipeline);
	return NULL;
}

/* Whether everything came out once, worked on once, in order; and then the end. */
static bool comes_in_order(struct prn_pipeline *pipeline)
{
	struct prn_pipeline_item *item;
	unsigned expected = 1;

	while (prn_pipeline_next(pipeline, NULL, &item) == PRN_PIPELINE_ITEM) {
		struct job *job = (struct job *)item;

		if (job->number != expected++ || job->worked != 1)
			return false;
		prn_pipeline_give(pipeline, item);
	}
	return expected == ITEMS + 1 && prn_pipeline_next(pipeline, NULL, &item) == PRN_PIPELINE_END;
}

static void order(void)
{
	for (size_t threads = 0; threads <= 4; threads++) {
		struct prn_pipeline *pipeline = start(threads, ITEMS, true, PLACES);
		pthread_t producer;
		bool held;

		seen.uneven = true;
		pthread_create(&producer, NULL, produce, pipeline);
		held = comes_in_order(pipeline);
		pthread_join(producer, NULL);
		prn_pipeline_free(pipeline);
		ok(held, "%zu threads: items come out in the order in which they were handed in, each worked on once", threads);
	}
}

static void without_consumer(void)
{
	struct prn_pipeline *pipeline = start(2, ITEMS, false, PLACES);
	unsigned i;

	seen.uneven = true;
	for (i = 1; i <= ITEMS && put(pipeline, i, 1); i++)
		;
	prn_pipeline_drain(pipeline);
	ok(seen.worked == ITEMS, "without a consumer all items have been worked on when the pipeline is drained");
	prn_pipeline_free(pipeline);

	/* The only thread is held up, and lets go only after the producer has done the other item. */
	pipeline = start(1, ITEMS, false, 2);
	seen.gated = 1;
	put(pipeline, 1, 1);
	while (!seen.at_gate)
		usleep(100);
	put(pipeline, 2, 1);
	put(pipeline, 3, 1);
	ok(seen.by_producer == 1, "a producer that finds no place works instead of waiting");
	seen.gate = true;
	prn_pipeline_drain(pipeline);
	ok(seen.worked == 3, "a producer that has worked finds its item done with the others");
	prn_pipeline_free(pipeline);
}

/* With the only thread held up, items queue until there are as many as may: then the producer does one. */
static void queue(void)
{
	struct prn_pipeline *pipeline;
	const struct prn_pipeline_options options = { .threads = 1, .queued_most = 2, .bytes_most = ITEMS, .work = work };

	memset(&seen, 0, sizeof seen);
	memset(jobs, 0, sizeof jobs);
	if (prn_pipeline_open(&pipeline, &options))
		exit(1);
	for (size_t i = 0; i < PLACES; i++)
		prn_pipeline_give(pipeline, &jobs[i].item);
	seen.gated = 1;
	put(pipeline, 1, 1);
	while (!seen.at_gate)
		usleep(100);
	put(pipeline, 2, 1);
	put(pipeline, 3, 1);
	ok(seen.by_producer == 0, "as many items queue as may, and the producer does none of them");
	put(pipeline, 4, 1);
	ok(seen.by_producer == 1, "where one more would queue than may, the producer does one first");
	seen.gate = true;
	prn_pipeline_drain(pipeline);
	prn_pipeline_free(pipeline);
}

/* Hands in items of 40 bytes, then says so. */
struct feeder {
	struct prn_pipeline *pipeline;
	unsigned count;
	atomic_uint fed;
};

static void *feed(void *argument)
{
	struct feeder *feeder = argument;

	for (unsigned i = 1; i <= feeder->count && put(feeder->pipeline, i, 40); i++)
		feeder->fed++;
	return NULL;
}

static void bounds(void)
{
	struct feeder feeder = { .count = 3 };
	struct prn_pipeline_item *first, *second, *third, *none;
	pthread_t producer;

	/* Three of 40 bytes do not fit in 100: the third comes when the first was given back. */
	feeder.pipeline = start(1, 100, true, PLACES);
	for (size_t i = 0; i < PLACES; i++)
		jobs[i].held = 40;
	pthread_create(&producer, NULL, feed, &feeder);
	ok(prn_pipeline_next(feeder.pipeline, NULL, &first) == PRN_PIPELINE_ITEM &&
	           prn_pipeline_next(feeder.pipeline, NULL, &second) == PRN_PIPELINE_ITEM,
	   "items come while there is room for their bytes");
	ok(prn_pipeline_next(feeder.pipeline, NULL, &none) == PRN_PIPELINE_LULL && feeder.fed == 2,
	   "a consumer that holds what the producer waits for is told, and does not wait for ever");
	prn_pipeline_give(feeder.pipeline, first);
	ok(prn_pipeline_next(feeder.pipeline, NULL, &third) == PRN_PIPELINE_ITEM && ((struct job *)third)->number == 3,
	   "what it gives back makes room for the next item");
	pthread_join(producer, NULL);
	prn_pipeline_free(feeder.pipeline);

	/* Worked on, they hold nothing. */
	feeder = (struct feeder){ .pipeline = start(1, 100, true, PLACES), .count = PLACES };
	pthread_create(&producer, NULL, feed, &feeder);
	pthread_join(producer, NULL);
	ok(feeder.fed == PLACES, "bytes that an item no longer holds after the work on it make room at once");
	prn_pipeline_free(feeder.pipeline);

	feeder.pipeline = start(1, 100, true, PLACES);
	ok(put(feeder.pipeline, 1, 1000), "an item that is larger than the bound passes when it is alone");
	prn_pipeline_free(feeder.pipeline);
}

static void deadlines(void)
{
	struct prn_pipeline *pipeline = start(0, ITEMS, true, PLACES);
	const struct timespec past = { 0, 0 };
	struct prn_pipeline_item *item;

	ok(prn_pipeline_next(pipeline, &past, &item) == PRN_PIPELINE_LULL, "a consumer waits no longer than its deadline");
	put(pipeline, 1, 1);
	ok(prn_pipeline_next(pipeline, &past, &item) == PRN_PIPELINE_ITEM, "what is there comes though the deadline has passed");
	prn_pipeline_free(pipeline);
}

/* The test is linked with --wrap of both: how often somebody was woken, and whether the consumer waits until its deadline. */
static atomic_uint signals;
static atomic_bool consumer_waits;

int __real_pthread_cond_signal(pthread_cond_t *condition);
int __wrap_pthread_cond_signal(pthread_cond_t *condition);
int __real_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *deadline);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *deadline);

int __wrap_pthread_cond_signal(pthread_cond_t *condition)
{
	signals++;
	return __real_pthread_cond_signal(condition);
}

/* It has the lock until it waits: who has the lock after this is seen finds it waiting. */
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *deadline)
{
	consumer_waits = true;
	return __real_pthread_cond_timedwait(condition, lock, deadline);
}

/* Takes what comes, with a deadline that never passes, and gives nothing back. */
struct collector {
	struct prn_pipeline *pipeline;
	enum prn_pipeline_next last; /* that was no item */
	atomic_uint count;
	bool in_order;
};

static void *collect(void *argument)
{
	struct collector *collector = argument;
	struct timespec deadline;
	struct prn_pipeline_item *item;

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += 1000000;
	while ((collector->last = prn_pipeline_next(collector->pipeline, &deadline, &item)) == PRN_PIPELINE_ITEM)
		collector->in_order &= ((struct job *)item)->number == ++collector->count;
	return NULL;
}

static void put_worked(struct prn_pipeline *pipeline, unsigned number)
{
	struct job *job = (struct job *)prn_pipeline_take(pipeline, 0);

	job->number = number;
	prn_pipeline_hand_in_worked(pipeline, &job->item);
}

/* Somebody who waits until the pipeline is cancelled. */
struct waiter {
	struct prn_pipeline *pipeline;
	enum prn_pipeline_next next;
	bool taken;
};

static void *wait_for_item(void *argument)
{
	struct waiter *waiter = argument;
	struct prn_pipeline_item *item;

	waiter->next = prn_pipeline_next(waiter->pipeline, NULL, &item);
	return NULL;
}

static void *wait_for_place(void *argument)
{
	struct waiter *waiter = argument;

	waiter->taken = prn_pipeline_take(waiter->pipeline, 1) != NULL;
	return NULL;
}

/* Hands in all but one of the places, worked on, while the consumer waits. */
static void start_worked(struct collector *collector, pthread_t *consumer)
{
	*collector = (struct collector){ .pipeline = start(1, ITEMS, true, PLACES), .in_order = true };
	consumer_waits = false;
	pthread_create(consumer, NULL, collect, collector);
	while (!consumer_waits)
		usleep(100);
	signals = 0;
	for (unsigned i = 1; i < PLACES; i++)
		put_worked(collector->pipeline, i);
}

static void worked(void)
{
	struct collector collector;
	struct waiter waiter = { .taken = true };
	pthread_t consumer, producer;

	start_worked(&collector, &consumer);
	ok(!signals && !collector.count, "items that there is nothing to work on wake nobody");
	prn_pipeline_close(collector.pipeline);
	pthread_join(consumer, NULL);
	ok(collector.count == PLACES - 1 && collector.in_order,
	   "items that nobody was woken for come in order when the producer closes");
	ok(collector.last == PRN_PIPELINE_END, "after the items of a producer that closed comes the end");
	ok(!seen.worked, "items that there is nothing to work on are not worked on");
	prn_pipeline_free(collector.pipeline);

	start_worked(&collector, &consumer);
	put(collector.pipeline, PLACES, 1);
	for (int i = 0; i < 600000 && collector.count < PLACES; i++)
		usleep(100);
	ok(collector.count == PLACES, "an item that is worked on wakes who was not woken for those before it");
	prn_pipeline_close(collector.pipeline);
	pthread_join(consumer, NULL);
	ok(collector.count == PLACES && collector.in_order,
	   "items that nobody was woken for come in order before one that is worked on");
	prn_pipeline_free(collector.pipeline);

	start_worked(&collector, &consumer);
	put_worked(collector.pipeline, PLACES);
	waiter.pipeline = collector.pipeline;
	pthread_create(&producer, NULL, wait_for_place, &waiter);
	pthread_join(consumer, NULL);
	ok(collector.count == PLACES && collector.in_order,
	   "items that nobody was woken for come in order when the producer waits for a place");
	ok(collector.last == PRN_PIPELINE_LULL, "after the items of a producer that waited for a place comes a lull");
	prn_pipeline_cancel(collector.pipeline);
	pthread_join(producer, NULL);
	prn_pipeline_free(collector.pipeline);
}

static void cancelling(void)
{
	struct waiter waiter = { .taken = true };
	struct prn_pipeline_item *item;
	pthread_t thread;

	waiter.pipeline = start(2, ITEMS, true, 1);
	pthread_create(&thread, NULL, wait_for_item, &waiter);
	usleep(2000);
	prn_pipeline_cancel(waiter.pipeline);
	pthread_join(thread, NULL);
	ok(waiter.next == PRN_PIPELINE_CANCELLED, "a consumer that waits is woken when the pipeline is cancelled");
	ok(!prn_pipeline_take(waiter.pipeline, 1), "a cancelled pipeline gives no place");
	prn_pipeline_free(waiter.pipeline);

	waiter.pipeline = start(2, ITEMS, true, 1);
	put(waiter.pipeline, 1, 1);
	pthread_create(&thread, NULL, wait_for_place, &waiter);
	usleep(2000);
	prn_pipeline_cancel(waiter.pipeline);
	pthread_join(thread, NULL);
	ok(!waiter.taken, "a producer that waits is woken when the pipeline is cancelled");
	ok(prn_pipeline_next(waiter.pipeline, NULL, &item) == PRN_PIPELINE_CANCELLED, "a cancelled pipeline hands nothing out");
	prn_pipeline_free(waiter.pipeline);

	/* One is being worked on, the others wait behind it. */
	waiter.pipeline = start(1, ITEMS, true, PLACES);
	seen.gated = 1;
	for (unsigned i = 1; i <= PLACES; i++)
		put(waiter.pipeline, i, 1);
	while (!seen.at_gate)
		usleep(100);
	prn_pipeline_cancel(waiter.pipeline);
	seen.gate = true;
	prn_pipeline_free(waiter.pipeline);
	ok(seen.worked == 1, "what nobody had begun when the pipeline was cancelled is not worked on");
}

int main(void)
{
	order();
	without_consumer();
	queue();
	bounds();
	deadlines();
	worked();
	cancelling();
	return done();
}
