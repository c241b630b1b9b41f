/*
 * What the two sides of a feed share: the thread that feeds, and the feed's own thread.  The pipeline hands a place from
 * thread to thread, so only one thread has it at any time.
 */
#ifndef DECIDE_FEED_INTERNAL_H
#define DECIDE_FEED_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "archive/capture_copy.h"
#include "base/pipeline.h"
#include "base/portable.h"
#include "decide/observer_parts.h"
#include "decide/repeats.h"
#include "perennial/feed.h"

/* A capture or a fault on its way. */
struct prn_feed_place {
	struct prn_pipeline_item item;
	struct prn_capture_copy copy;
	struct prn_digest key;
	struct prn_feed_place *next; /* under way with a key of the same bucket */
	bool is_fault;
	bool afresh; /* its page is under way already: the body that the store knows will not be the latest one */
	struct prn_observation observation;
	int code;               /* of making it */
	struct prn_error error; /* of that; or the fault */
};

struct prn_feed_group {
	struct prn_feed *feed;
	struct prn_feed_place **places; /* [count] */
	struct prn_fed *fed;            /* [count] */
	size_t count, observations;
	struct prn_observing first; /* how far the first place has come: while a part of it is staged, nothing else is */
	size_t staged; /* so many from the first: what failed, and what came after it, is not */
	int code;      /* of that failure */
	struct prn_error error;
	struct timespec deadline; /* when it is not to wait any longer */
};

struct prn_feed {
	struct prn_feed_options options;
	struct prn_decider *decider;
	struct prn_observer *observer;
	bool owns_observer;
	struct prn_pipeline *pipeline;
	struct prn_feed_place *places;
	size_t place_count;
	struct prn_wake wake; /* readable once nothing more is taken */
	atomic_bool ended; /* nothing more is taken */
	pthread_t thread;
	bool runs; /* the thread is to be joined */
	pthread_cond_t over; /* the thread has nothing more to do: */
	bool is_over;        /* … that, under the lock */

	/* Only the feed's thread uses these, until it is joined. */
	struct prn_feed_group group;
	struct prn_repeats *repeats;
	int code;
	struct prn_error error;

	pthread_mutex_t lock;          /* of these */
	struct prn_feed_place **pages; /* [page_mask + 1] buckets of what is under way, by key */
	size_t page_mask;
};

/* Makes the observation of a place: a prn_pipeline_work_fn, context is the feed. */
size_t prn_feed_make(void *context, size_t thread, struct prn_pipeline_item *item);

/* The feed's thread: argument is the feed. */
void *prn_feed_run(void *argument);

#endif
