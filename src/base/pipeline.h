/*
 * A bounded pipeline: one producer hands items in, threads work on each, and one consumer takes them out in the order
 * in which they were handed in.  Without a consumer an item's place is free again as soon as it was worked on.
 *
 * What is under way is bounded by the number of items, by how many of them nobody has begun, and by the bytes that
 * they hold.  A producer that would have to wait for room works meanwhile, as long as there is work.  Cancelling wakes
 * everyone, whatever they wait for, so the threads can be joined at any time.
 */
#ifndef BASE_PIPELINE_H
#define BASE_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* At the head of a larger struct of the caller's; its fields are the pipeline's. */
struct prn_pipeline_item {
	struct prn_pipeline_item *next, *next_out;
	size_t bytes;
	bool worked;
};

/*
 * Works on an item, which nobody else touches meanwhile; returns how many bytes it still holds, at most what it was
 * handed in with.  thread is 0 for the producer, and 1 … threads for the threads.
 */
typedef size_t prn_pipeline_work_fn(void *context, size_t thread, struct prn_pipeline_item *item);

struct prn_pipeline_options {
	size_t threads;     /* that work; 0: the producer does it all while it hands in */
	size_t queued_most; /* items that nobody has begun, >= 1; few, because what is read soon after it was written is still in a cache */
	size_t bytes_most;  /* a single item may hold more, when it is alone */
	bool ordered;       /* there is a consumer */
	prn_pipeline_work_fn *work;
	void *context;
};

struct prn_pipeline;
struct prn_spare;

/* Starts the threads: fewer than asked for when the system gives no more.  PRN_E_MEMORY */
int prn_pipeline_open(struct prn_pipeline **out, const struct prn_pipeline_options *options);

/* How many threads it has. */
size_t prn_pipeline_threads(const struct prn_pipeline *pipeline);

/* The spare time of its threads (spare.h), borrowed; NULL: it has no threads. */
struct prn_spare *prn_pipeline_spare(const struct prn_pipeline *pipeline);

/* Drops items that nobody has begun, and waits for those that are being worked on.  The items are the caller's again. */
void prn_pipeline_free(struct prn_pipeline *pipeline);

/* May be called from any thread: wakes everyone who waits, and no further item is begun. */
void prn_pipeline_cancel(struct prn_pipeline *pipeline);

/* Makes an item a free place: before its first use, and when the consumer no longer needs what it took out. */
void prn_pipeline_give(struct prn_pipeline *pipeline, struct prn_pipeline_item *item);

/*
 * The producer's.  _take waits for a place and for room for bytes, and returns an item to fill, or NULL when cancelled;
 * it is then handed in, or given back.  _close says that no more will come.  _drain, without a consumer, waits, and
 * works, until all was worked on, or what is left never will be because the pipeline was cancelled.
 */
struct prn_pipeline_item *prn_pipeline_take(struct prn_pipeline *pipeline, size_t bytes);
void prn_pipeline_hand_in(struct prn_pipeline *pipeline, struct prn_pipeline_item *item);

/*
 * Hands in an item that needs no work; there must be a consumer.  No thread is woken for it, and a consumer that waits with a deadline
 * is woken only for every thousand or so of them: it takes the item when one before or after it has been worked on, at its deadline,
 * when the producer waits for a place, or at the end.
 */
void prn_pipeline_hand_in_worked(struct prn_pipeline *pipeline, struct prn_pipeline_item *item);

void prn_pipeline_close(struct prn_pipeline *pipeline);
void prn_pipeline_drain(struct prn_pipeline *pipeline);

enum prn_pipeline_next {
	PRN_PIPELINE_ITEM,
	PRN_PIPELINE_LULL, /* the deadline has passed; or the producer waits for what the consumer holds */
	PRN_PIPELINE_END,
	PRN_PIPELINE_CANCELLED,
};

/*
 * The consumer's: waits for the next item in order, which it holds until it gives it back.  deadline is of
 * CLOCK_MONOTONIC, which is asked how long a wait lasts and not what time it is; NULL: none.  An item that is
 * ready is returned even if the deadline has passed.
 */
enum prn_pipeline_next prn_pipeline_next(struct prn_pipeline *pipeline, const struct timespec *deadline,
                                         struct prn_pipeline_item **item);

#endif
