/* The feed as its caller sees it: opened, fed, finished and freed. */
#include "decide/feed_internal.h"

#include "base/monotonic.h"
#include "base/parallel.h"
#include "decide/decider_internal.h"
#include "perennial/url.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUEUED_PER_THREAD 8  /* for threads that read bodies */
#define ASKED_EVERY_S 0.1    /* whether it is cancelled, while it finishes */
#define PLACES_PER_THREAD 64 /* in addition to those of two groups: many, so that threads seldom wait for each other */

void prn_feed_options_init(struct prn_feed_options *options)
{
	*options = (struct prn_feed_options){
		.commit_most = 4000, .commit_wait_s = 0.05, .bytes_most = (size_t)64 << 20,
	};
}

static int check_options(const struct prn_feed_options *options, struct prn_error *error)
{
	if (options->commit_most < 1 || options->commit_most > PRN_FEED_COMMIT_MOST)
		return prn_error_set(error, PRN_E_ARGUMENT, "a commit takes 1 to %d captures, not %zu", PRN_FEED_COMMIT_MOST,
		                     options->commit_most);
	if (options->threads > PRN_FEED_THREADS_MOST)
		return prn_error_set(error, PRN_E_ARGUMENT, "a feed has at most %d threads, not %zu", PRN_FEED_THREADS_MOST,
		                     options->threads);
	if (!(options->commit_wait_s > 0))
		return prn_error_set(error, PRN_E_ARGUMENT, "a commit waits for more than %g s", options->commit_wait_s);
	return 0;
}

static int open_places(struct prn_feed *feed, struct prn_error *error)
{
	const struct prn_feed_options *options = &feed->options;
	size_t buckets = 64;

	/* One group is decided while the next one is made. */
	feed->place_count = 2 * options->commit_most + PLACES_PER_THREAD * (options->threads + 1);
	while (buckets < feed->place_count)
		buckets *= 2;
	feed->page_mask = buckets - 1;
	feed->pages = calloc(buckets, sizeof(struct prn_feed_place *));
	feed->places = calloc(feed->place_count, sizeof *feed->places);
	feed->group.places = calloc(options->commit_most, sizeof(struct prn_feed_place *));
	feed->group.fed = calloc(options->commit_most, sizeof *feed->group.fed);
	if (!feed->pages || !feed->places || !feed->group.places || !feed->group.fed)
		return prn_error_memory(error);
	return 0;
}

static int start(struct prn_feed *feed, struct prn_error *error)
{
	const struct prn_pipeline_options options = { .threads = feed->options.threads,
		                                      .queued_most = QUEUED_PER_THREAD * (feed->options.threads + 1),
		                                      .bytes_most = feed->options.bytes_most,
		                                      .ordered = true,
		                                      .work = prn_feed_make,
		                                      .context = feed };

	if (prn_pipeline_open(&feed->pipeline, &options))
		return prn_error_memory(error);
	for (size_t i = 0; i < feed->place_count; i++)
		prn_pipeline_give(feed->pipeline, &feed->places[i].item);
	if (pthread_create(&feed->thread, NULL, prn_feed_run, feed))
		return prn_thread_refused(error);
	feed->runs = true;
	return 0;
}

int prn_feed_open(struct prn_feed **out, struct prn_decider *decider, const struct prn_feed_options *options,
                  struct prn_error *error)
{
	struct prn_feed_options defaults;
	struct prn_feed *feed;
	int failed, code;

	prn_feed_options_init(&defaults);
	options = options ? options : &defaults;
	code = check_options(options, error);
	if (!code)
		code = prn_decider_check_mode(decider, error);
	if (code)
		return code;
	feed = calloc(1, sizeof *feed);
	if (!feed)
		return prn_error_memory(error);
	feed->options = *options;
	feed->options.threads = prn_parallel_threads(options->threads);
	if (feed->options.threads > PRN_FEED_THREADS_MOST)
		feed->options.threads = PRN_FEED_THREADS_MOST;
	feed->decider = decider;
	feed->group.feed = feed;
	feed->observer = options->observer;
	feed->owns_observer = !options->observer;
	pthread_mutex_init(&feed->lock, NULL);
	prn_condition_init(&feed->over);
	failed = prn_wake_open(&feed->wake);
	code = failed ? prn_error_set(error, PRN_E_IO, "no descriptor to be woken by: %s", strerror(failed)) : open_places(feed, error);
	if (!code && prn_repeats_open(&feed->repeats, prn_decider_summary(decider)))
		code = prn_error_memory(error);
	if (!code && feed->owns_observer)
		code = prn_observer_open(&feed->observer, decider, error);
	if (!code)
		code = start(feed, error);
	if (code)
		prn_feed_free(feed);
	else
		*out = feed;
	return code;
}

static bool is_cancelled(void *context)
{
	struct prn_feed *feed = context;

	if (!atomic_load(&feed->ended) && feed->options.cancelled && feed->options.cancelled(feed->options.context))
		prn_feed_cancel(feed);
	return atomic_load(&feed->ended);
}

/* Waits until the feed's thread has nothing more to do, and asks meanwhile whether it is to end before. */
static void await(struct prn_feed *feed)
{
	struct timespec next;

	pthread_mutex_lock(&feed->lock);
	while (!feed->is_over) {
		pthread_mutex_unlock(&feed->lock);
		(void)is_cancelled(feed);
		next = prn_monotonic_timespec(prn_monotonic() + ASKED_EVERY_S);
		pthread_mutex_lock(&feed->lock);
		if (!feed->is_over)
			prn_condition_wait_until(&feed->over, &feed->lock, &next);
	}
	pthread_mutex_unlock(&feed->lock);
}

int prn_feed_finish(struct prn_feed *feed, struct prn_error *error)
{
	if (feed->runs) {
		prn_pipeline_close(feed->pipeline);
		if (feed->options.cancelled)
			await(feed);
		pthread_join(feed->thread, NULL);
		feed->runs = false;
		atomic_store(&feed->ended, true);
	}
	if (feed->code && error)
		*error = feed->error;
	return feed->code;
}

void prn_feed_free(struct prn_feed *feed)
{
	if (!feed)
		return;
	if (feed->runs) {
		prn_feed_cancel(feed);
		prn_feed_finish(feed, NULL);
	}
	prn_pipeline_free(feed->pipeline);
	for (size_t i = 0; feed->places && i < feed->place_count; i++) {
		prn_observation_release(&feed->places[i].observation);
		prn_capture_copy_release(&feed->places[i].copy);
	}
	if (feed->owns_observer)
		prn_observer_free(feed->observer);
	prn_repeats_free(feed->repeats);
	prn_wake_close(&feed->wake);
	pthread_cond_destroy(&feed->over);
	pthread_mutex_destroy(&feed->lock);
	free(feed->group.places);
	free(feed->group.fed);
	free(feed->places);
	free(feed->pages);
	free(feed);
}

/* Enters a place by its key.  Returns whether another capture of the same page was already entered. */
static bool enter_page(struct prn_feed *feed, struct prn_feed_place *place)
{
	struct prn_feed_place **bucket = &feed->pages[place->key.low & feed->page_mask];
	bool found = false;

	pthread_mutex_lock(&feed->lock);
	for (const struct prn_feed_place *other = *bucket; other && !found; other = other->next)
		found = other->key.low == place->key.low && other->key.high == place->key.high;
	place->next = *bucket;
	*bucket = place;
	pthread_mutex_unlock(&feed->lock);
	return found;
}

/* Returns NULL if the feed takes nothing more. */
static struct prn_feed_place *take_place(struct prn_feed *feed, size_t bytes)
{
	return is_cancelled(feed) ? NULL : (struct prn_feed_place *)prn_pipeline_take(feed->pipeline, bytes);
}

int prn_feed_capture(struct prn_feed *feed, const struct prn_capture *capture, struct prn_error *error)
{
	const struct prn_feed_options *options = &feed->options;
	struct prn_feed_place *place;
	int64_t time = options->has_time ? options->time : capture->time;
	int code = prn_capture_check(capture, error);

	if (code)
		return code;
	if (time == PRN_TIME_UNKNOWN && !options->has_time && options->now)
		time = options->now(options->context);
	if (time == PRN_TIME_UNKNOWN)
		return prn_error_set(error, PRN_E_ARGUMENT, "%.200s: it has no time", capture->url);
	code = prn_capture_check_time(capture->url, time, error);
	if (code)
		return code;
	place = take_place(feed, capture->body_bytes);
	if (!place)
		return prn_error_set(error, PRN_E_CANCELLED, "the feed has ended");
	if (prn_capture_copy_make(&place->copy, capture)) {
		prn_pipeline_give(feed->pipeline, &place->item);
		return prn_error_memory(error);
	}
	place->copy.capture.time = time;
	place->is_fault = false;
	place->code = 0;
	place->key = prn_url_key(capture->normal_url);
	place->afresh = enter_page(feed, place);
	prn_pipeline_hand_in(feed->pipeline, &place->item);
	return 0;
}

void prn_feed_fault(void *context, const struct prn_error *what)
{
	struct prn_feed *feed = context;
	struct prn_feed_place *place = take_place(feed, 0);

	if (!place)
		return;
	place->is_fault = true;
	place->code = 0;
	place->error = *what;
	prn_pipeline_hand_in_worked(feed->pipeline, &place->item);
}

void prn_feed_watch(struct prn_feed *feed, struct prn_source_options *options)
{
	options->skipped = prn_feed_fault;
	options->skipped_context = feed;
	options->cancelled = is_cancelled;
	options->cancelled_context = feed;
	options->wake = feed->wake.readable;
	options->spare = prn_pipeline_spare(feed->pipeline);
}

int prn_feed_source(struct prn_feed *feed, struct prn_source *source, struct prn_error *error)
{
	struct prn_capture capture;
	int code;

	while ((code = prn_source_next(source, &capture, error)) == 1) {
		code = prn_feed_capture(feed, &capture, error);
		if (code)
			return code;
	}
	return code;
}
