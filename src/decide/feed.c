/* The feed: who feeds -> threads that make observations -> the feed's thread, which has them decided and delivers. */
#include "perennial/feed.h"

#include "archive/capture_copy.h"
#include "base/parallel.h"
#include "base/pipeline.h"
#include "decide/decider_internal.h"
#include "perennial/url.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define QUEUED_PER_THREAD 8  /* for threads that read bodies */
#define PLACES_PER_THREAD 64 /* beside those of two groups: many, so that threads seldom wait for each other */
#define WAIT_MOST_S 1e6      /* what is longer is for ever */

/* A capture or a fault on its way. */
struct place {
	struct prn_pipeline_item item;
	struct prn_capture_copy copy;
	struct prn_digest key;
	struct place *next;  /* under way with a key of the same bucket */
	bool is_fault;
	bool afresh;         /* the page is under way already: the body that the store knows will not be its last */
	struct prn_observation observation;
	int code;            /* of making it */
	struct prn_error error; /* … or the fault */
};

struct prn_feed_group {
	struct prn_feed *feed;
	struct place **places; /* [count] */
	struct prn_fed *fed;   /* [count] */
	size_t count, observations;
	size_t staged;         /* the first of them: all but what failed, and what came after it */
	int code;              /* of that failure */
	struct prn_error error;
	struct timespec deadline; /* from when the first came */
};

struct prn_feed {
	struct prn_feed_options options;
	struct prn_decider *decider;
	struct prn_observer *observer;
	bool owns_observer;
	struct prn_pipeline *pipeline;
	struct place *places;
	size_t place_count;
	struct prn_feed_group group;
	int wake;          /* readable once nothing more is taken */
	atomic_bool ended; /* nothing more is taken */
	pthread_t thread;
	bool runs; /* the thread is to be joined */

	/* The feed's thread's, until it is joined. */
	int code;
	struct prn_error error;

	pthread_mutex_t lock;
	struct place **pages; /* [page_mask + 1] buckets of what is under way, by key */
	size_t page_mask;
};

void prn_feed_options_init(struct prn_feed_options *options)
{
	*options = (struct prn_feed_options){
		.threads = prn_parallel_processors(), .commit_most = 1000, .commit_wait_s = 0.05, .bytes_most = (size_t)64 << 20,
	};
}

/* Enters a place by its key, and says whether the same page was there. */
static bool enter_page(struct prn_feed *feed, struct place *place)
{
	struct place **bucket = &feed->pages[place->key.low & feed->page_mask];
	bool there = false;

	pthread_mutex_lock(&feed->lock);
	for (const struct place *other = *bucket; other && !there; other = other->next)
		there = other->key.low == place->key.low && other->key.high == place->key.high;
	place->next = *bucket;
	*bucket = place;
	pthread_mutex_unlock(&feed->lock);
	return there;
}

static void leave_page(struct prn_feed *feed, struct place *place)
{
	struct place **at = &feed->pages[place->key.low & feed->page_mask];

	pthread_mutex_lock(&feed->lock);
	while (*at != place)
		at = &(*at)->next;
	*at = place->next;
	pthread_mutex_unlock(&feed->lock);
}

/* By any thread. */
static size_t make(void *context, size_t thread, struct prn_pipeline_item *item)
{
	struct prn_feed *feed = context;
	struct place *place = (struct place *)item;
	const struct prn_observation *observation = &place->observation;

	(void)thread;
	if (place->is_fault)
		return 0;
	place->code = prn_observer_make(feed->observer, &place->copy.capture, place->afresh, &place->observation,
	                                &place->error);
	/* The body that the store knows: it has to be read after all if another report of the page comes in between. */
	if (!place->code && observation->body && !observation->summarised)
		return place->copy.capture.body_bytes;
	prn_capture_copy_drop_body(&place->copy);
	return 0;
}

static int64_t now_of(const struct prn_feed *feed, int64_t time)
{
	return feed->options.now ? feed->options.now(feed->options.context) : time;
}

void prn_feed_stage(struct prn_feed_group *group)
{
	struct prn_feed *feed = group->feed;

	group->code = 0;
	for (group->staged = 0; group->staged < group->count; group->staged++) {
		struct place *place = group->places[group->staged];

		if (place->is_fault)
			continue;
		group->code = prn_observer_decide(feed->observer, &place->observation, &place->copy.capture,
		                                  now_of(feed, place->observation.time),
		                                  &group->fed[group->staged].outcome, &group->error);
		if (group->code)
			return;
	}
}

static int commit_here(struct prn_feed *feed, struct prn_feed_group *group, struct prn_error *error)
{
	struct prn_savepoint before = prn_decider_save(feed->decider);
	int code;

	prn_feed_stage(group);
	code = prn_decider_commit(feed->decider, error);
	if (code)
		prn_decider_restore(feed->decider, &before);
	return code;
}

static int commit(struct prn_feed *feed, struct prn_feed_group *group, struct prn_error *error)
{
	const struct prn_feed_options *options = &feed->options;

	if (!group->observations) {
		group->staged = group->count;
		return 0;
	}
	return options->commit ? options->commit(options->context, group, error) : commit_here(feed, group, error);
}

/* Makes the group durable, delivers it, and empties it. */
static void perform(struct prn_feed *feed)
{
	const struct prn_feed_options *options = &feed->options;
	struct prn_feed_group *group = &feed->group;

	if (!group->count)
		return;
	feed->code = commit(feed, group, &feed->error);
	if (!feed->code && group->staged && options->deliver)
		feed->code = options->deliver(options->context, group->fed, group->staged, &feed->error);
	if (!feed->code && group->code) {
		feed->code = group->code;
		feed->error = group->error;
	}
	for (size_t i = 0; i < group->count; i++) {
		if (!group->places[i]->is_fault)
			leave_page(feed, group->places[i]);
		prn_pipeline_give(feed->pipeline, &group->places[i]->item);
	}
	group->count = group->observations = group->staged = 0;
	group->code = 0;
}

/* When the group that begins now is not to wait any longer. */
static void set_deadline(struct prn_feed *feed)
{
	double wait_s = fmin(feed->options.commit_wait_s, WAIT_MOST_S), whole = floor(wait_s);
	struct timespec *deadline = &feed->group.deadline;

	clock_gettime(CLOCK_MONOTONIC, deadline);
	deadline->tv_sec += (time_t)whole;
	deadline->tv_nsec += (long)(1e9 * (wait_s - whole));
	deadline->tv_sec += deadline->tv_nsec / 1000000000;
	deadline->tv_nsec %= 1000000000;
}

static void add_to_group(struct prn_feed *feed, struct place *place)
{
	struct prn_feed_group *group = &feed->group;
	struct prn_fed *fed = &group->fed[group->count];

	if (!group->count)
		set_deadline(feed);
	*fed = (struct prn_fed){ .fault = place->is_fault ? &place->error : NULL };
	if (!place->is_fault)
		fed->observation = &place->observation;
	group->observations += !place->is_fault;
	group->places[group->count++] = place;
}

/* Nothing more is taken: who feeds is woken wherever it waits. */
static void end(struct prn_feed *feed)
{
	atomic_store(&feed->ended, true);
	prn_pipeline_cancel(feed->pipeline);
	eventfd_write(feed->wake, 1);
}

static void *run(void *argument)
{
	struct prn_feed *feed = argument;
	const struct prn_feed_group *group = &feed->group;
	bool waits = feed->options.commit_wait_s <= WAIT_MOST_S;
	enum prn_pipeline_next next;

	do {
		struct prn_pipeline_item *item;
		struct place *failed = NULL;

		next = prn_pipeline_next(feed->pipeline, waits && group->count ? &group->deadline : NULL, &item);
		if (next == PRN_PIPELINE_CANCELLED) {
			feed->code = prn_error_set(&feed->error, PRN_E_CANCELLED, "%s", prn_error_text(PRN_E_CANCELLED));
			break;
		}
		if (next == PRN_PIPELINE_ITEM && ((struct place *)item)->code)
			failed = (struct place *)item;
		else if (next == PRN_PIPELINE_ITEM)
			add_to_group(feed, (struct place *)item);
		/* What came before a failure stays. */
		if (next != PRN_PIPELINE_ITEM || failed || group->count == feed->options.commit_most)
			perform(feed);
		if (failed && !feed->code) {
			feed->code = failed->code;
			feed->error = failed->error;
		}
	} while (next != PRN_PIPELINE_END && !feed->code);
	if (feed->code && !*feed->error.text)
		prn_error_set(&feed->error, feed->code, "%s", prn_error_text(feed->code));
	if (feed->code)
		end(feed);
	return NULL;
}

static int check_options(const struct prn_feed_options *options, struct prn_error *error)
{
	if (options->commit_most < 1 || options->commit_most > PRN_FEED_COMMIT_MOST)
		return prn_error_set(error, PRN_E_RANGE, "a commit takes 1 to %d captures, not %zu", PRN_FEED_COMMIT_MOST,
		                     options->commit_most);
	if (!(options->commit_wait_s > 0))
		return prn_error_set(error, PRN_E_RANGE, "a commit waits for more than %g s", options->commit_wait_s);
	return 0;
}

static int open_wake(struct prn_feed *feed, struct prn_error *error)
{
	int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	/* 0, where standard input is closed, would say that there is none. */
	feed->wake = wake ? wake : fcntl(wake, F_DUPFD_CLOEXEC, 3);
	if (!wake)
		close(wake);
	return feed->wake < 0 ? prn_error_set(error, PRN_E_IO, "no descriptor to be woken by: %s", strerror(errno)) : 0;
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
	feed->pages = calloc(buckets, sizeof(struct place *));
	feed->places = calloc(feed->place_count, sizeof *feed->places);
	feed->group.places = calloc(options->commit_most, sizeof(struct place *));
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
		                                      .work = make,
		                                      .context = feed };

	if (prn_pipeline_open(&feed->pipeline, &options))
		return prn_error_memory(error);
	for (size_t i = 0; i < feed->place_count; i++)
		prn_pipeline_give(feed->pipeline, &feed->places[i].item);
	if (pthread_create(&feed->thread, NULL, run, feed))
		return prn_error_set(error, PRN_E_MEMORY, "the system gives no thread");
	feed->runs = true;
	return 0;
}

int prn_feed_open(struct prn_feed **out, struct prn_decider *decider, const struct prn_feed_options *options,
                  struct prn_error *error)
{
	struct prn_feed *feed;
	int code = check_options(options, error);

	if (!code)
		code = prn_decider_check_writer(decider, error);
	if (code)
		return code;
	feed = calloc(1, sizeof *feed);
	if (!feed)
		return prn_error_memory(error);
	feed->options = *options;
	feed->decider = decider;
	feed->group.feed = feed;
	feed->observer = options->observer;
	feed->owns_observer = !options->observer;
	pthread_mutex_init(&feed->lock, NULL);
	code = open_wake(feed, error);
	if (!code)
		code = open_places(feed, error);
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

void prn_feed_cancel(struct prn_feed *feed)
{
	end(feed);
}

int prn_feed_finish(struct prn_feed *feed, struct prn_error *error)
{
	if (feed->runs) {
		prn_pipeline_close(feed->pipeline);
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
		end(feed);
		prn_feed_finish(feed, NULL);
	}
	prn_pipeline_free(feed->pipeline);
	for (size_t i = 0; feed->places && i < feed->place_count; i++) {
		prn_observation_release(&feed->places[i].observation);
		prn_capture_copy_release(&feed->places[i].copy);
	}
	if (feed->owns_observer)
		prn_observer_free(feed->observer);
	if (feed->wake >= 0)
		close(feed->wake);
	pthread_mutex_destroy(&feed->lock);
	free(feed->group.places);
	free(feed->group.fed);
	free(feed->places);
	free(feed->pages);
	free(feed);
}

static bool is_cancelled(void *context)
{
	struct prn_feed *feed = context;

	if (!atomic_load(&feed->ended) && feed->options.cancelled && feed->options.cancelled(feed->options.context))
		prn_feed_cancel(feed);
	return atomic_load(&feed->ended);
}

static int takes_no_more(struct prn_error *error)
{
	return prn_error_set(error, PRN_E_CANCELLED, "the feed has ended");
}

int prn_feed_capture(struct prn_feed *feed, const struct prn_capture *capture, struct prn_error *error)
{
	const struct prn_feed_options *options = &feed->options;
	struct place *place;

	if (!(capture->weight >= 0 && isfinite(capture->weight)))
		return prn_error_set(error, PRN_E_RANGE, "%s: a weight is a number from 0 up", capture->url);
	if (capture->time == PRN_TIME_UNKNOWN && !options->has_time && !options->now)
		return prn_error_set(error, PRN_E_RANGE, "%s: it has no time", capture->url);
	place = is_cancelled(feed) ? NULL : (struct place *)prn_pipeline_take(feed->pipeline, capture->body_bytes);
	if (!place)
		return takes_no_more(error);
	if (prn_capture_copy_make(&place->copy, capture)) {
		prn_pipeline_give(feed->pipeline, &place->item);
		return prn_error_memory(error);
	}
	if (options->has_time)
		place->copy.capture.time = options->time;
	else if (capture->time == PRN_TIME_UNKNOWN)
		place->copy.capture.time = options->now(options->context);
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
	struct place *place = is_cancelled(feed) ? NULL : (struct place *)prn_pipeline_take(feed->pipeline, 0);

	if (!place)
		return;
	place->is_fault = true;
	place->code = 0;
	place->error = *what;
	prn_pipeline_hand_in(feed->pipeline, &place->item);
}

void prn_feed_watch(struct prn_feed *feed, struct prn_source_options *options)
{
	options->skipped = prn_feed_fault;
	options->skipped_context = feed;
	options->cancelled = is_cancelled;
	options->cancelled_context = feed;
	options->wake = feed->wake;
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
