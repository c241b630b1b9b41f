/*
 * The feed's inside: its worker threads make observations, and its own thread decides and delivers them in groups.
 */
#include "decide/shards_feed.h"
#include "decide/decider_internal.h"
#include "decide/shards.h"
#include "decide/wants.h"

#include <math.h>
#include <time.h>

#define WAIT_MOST_S 1e9 /* what is longer, 31 years, is for ever */

size_t prn_feed_make(void *context, size_t thread, struct prn_pipeline_item *item)
{
	struct prn_feed *feed = context;
	struct prn_feed_place *place = (struct prn_feed_place *)item;
	const struct prn_observation *observation = &place->observation;

	(void)thread;
	place->code = prn_observer_make(feed->observer, &place->copy.capture, place->afresh, &place->observation,
	                                &place->error);
	/* The body that the store knows has to be read after all if another report of the page comes in between. */
	if (!place->code && observation->body && !observation->summarised)
		return place->copy.capture.body_bytes;
	if (!place->code && feed->options.bodies)
		return place->copy.capture.body_bytes;
	prn_capture_copy_drop_body(&place->copy);
	return observation->hinted_length;
}

static void leave_page(struct prn_feed *feed, struct prn_feed_place *place)
{
	struct prn_feed_place **at = &feed->pages[place->key.low & feed->page_mask];

	pthread_mutex_lock(&feed->lock);
	while (*at != place)
		at = &(*at)->next;
	*at = place->next;
	pthread_mutex_unlock(&feed->lock);
}

static int64_t now_of(const struct prn_feed *feed)
{
	return feed->options.now ? feed->options.now(feed->options.context) : PRN_TIME_UNKNOWN;
}

/* Takes nothing more, and wakes the thread that feeds wherever it waits. */
void prn_feed_cancel(struct prn_feed *feed)
{
	atomic_store(&feed->ended, true);
	prn_pipeline_cancel(feed->pipeline);
	prn_wake_up(&feed->wake);
}

/* Wants what the observations of the group will read, so that a store that is far away is asked once. */
static int want_all(struct prn_feed_group *group)
{
	struct prn_decider *decider = group->feed->decider;
	struct prn_wants wants = { 0 };
	int code = 0;

	if (!prn_store_is_shared(decider->store))
		return 0;
	code = prn_wants_settings(&wants);
	for (size_t i = 0; i < group->count && !code; i++)
		if (!group->places[i]->is_fault)
			code = prn_wants_visit(&wants, &group->places[i]->key, group->places[i]->observation.normal_url);
	code = code ? prn_error_memory(&group->error) : prn_wants_ask(&wants, decider, &group->error);
	prn_wants_release(&wants);
	return code;
}

/* So many hints that they are taken in by portions: it is the only place of its group. */
static bool has_many(const struct prn_feed *feed, const struct prn_feed_place *place)
{
	return !feed->decider->shards && !place->is_fault && !place->code &&
	       place->observation.hinted_count > PRN_HINTS_PORTION;
}

static void stage(struct prn_feed_group *group)
{
	struct prn_feed *feed = group->feed;

	group->staged = 0;
	group->code = want_all(group);
	for (; !group->code && group->staged < group->count; group->staged++) {
		struct prn_feed_place *place = group->places[group->staged];

		if (place->is_fault)
			continue;
		/* The first place only may take several steps: what stands before it would be observed once more with each. */
		group->code = group->staged ? prn_observer_decide(feed->observer, &place->observation, &place->copy.capture,
		                                                  now_of(feed), &group->fed[group->staged].outcome, &group->error)
		                            : prn_observer_step(feed->observer, &place->observation, &place->copy.capture,
		                                                now_of(feed), &group->first, &group->fed->outcome, &group->error);
		if (group->code || group->first.is_part)
			return;
	}
}

int prn_feed_stage(struct prn_feed_group *group, struct prn_error *error)
{
	struct prn_decider *decider = group->feed->decider;

	/* Each of several shards is durable by itself, so what others staged before is committed first. */
	if (decider->shards) {
		int code = prn_decider_commit_pages(decider, error);

		return code ? code : prn_shards_feed(group, error);
	}
	stage(group);
	return group->code == PRN_E_CONFLICT ? prn_error_set(error, PRN_E_CONFLICT, "%s", group->error.text) : 0;
}

static int commit_here(struct prn_feed *feed, struct prn_feed_group *group, struct prn_error *error)
{
	struct prn_decider_savepoint before;
	unsigned tries = 0;
	int code;

	if (feed->decider->shards)
		return prn_shards_feed(group, error);
	before = prn_decider_save(feed->decider);
	do {
		code = prn_feed_stage(group, error);
		if (!code)
			code = prn_decider_commit(feed->decider, error);
	} while (prn_decider_again(feed->decider, code, &tries));
	if (code)
		prn_decider_restore(feed->decider, &before);
	return code;
}

/*
 * The code with which a call of the program's ended the feed.  A code that is not an error is told as one, because _finish
 * could not return it.
 */
static int code_of_call(struct prn_feed *feed, int code, const char *call)
{
	return code > 0 ? prn_error_set(&feed->error, PRN_E_ARGUMENT, "%s returned %d, which is no code of an error", call, code)
	                : code;
}

static int commit(struct prn_feed *feed, struct prn_feed_group *group, struct prn_error *error)
{
	const struct prn_feed_options *options = &feed->options;

	if (!group->observations) {
		group->staged = group->count;
		return 0;
	}
	return options->commit ? code_of_call(feed, options->commit(options->context, group, error), "commit")
	                       : commit_here(feed, group, error);
}

/* Makes the group durable, delivers it, and empties it. */
static void perform(struct prn_feed *feed)
{
	const struct prn_feed_options *options = &feed->options;
	struct prn_feed_group *group = &feed->group;

	if (!group->count)
		return;
	do {
		feed->code = commit(feed, group, &feed->error);
		if (!feed->code)
			prn_observing_keep(&group->first);
	} while (!feed->code && !group->code && group->first.is_part);
	if (!feed->code && group->staged && options->deliver)
		feed->code = code_of_call(feed, options->deliver(options->context, group->fed, group->staged, &feed->error),
		                          "deliver");
	if (!feed->code && group->code) {
		feed->code = group->code;
		feed->error = group->error;
	}
	for (size_t i = 0; i < group->count; i++) {
		struct prn_feed_place *place = group->places[i];

		if (!place->is_fault)
			leave_page(feed, place);
		/* Observations that are no longer under way are not counted, and must not stay. */
		prn_capture_copy_drop_body(&place->copy);
		prn_pipeline_give(feed->pipeline, &place->item);
	}
	group->count = group->observations = group->staged = 0;
	group->first = (struct prn_observing){ 0 };
	group->code = 0;
}

/* The time at which the group that begins now is decided even if it is not full. */
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

static void add_to_group(struct prn_feed *feed, struct prn_feed_place *place)
{
	struct prn_feed_group *group = &feed->group;
	struct prn_fed *fed = &group->fed[group->count];

	if (!group->count)
		set_deadline(feed);
	*fed = (struct prn_fed){ .fault = place->is_fault ? &place->error : NULL };
	if (!place->is_fault)
		fed->observation = &place->observation;
	if (!place->is_fault && feed->options.bodies)
		fed->capture = &place->copy.capture;
	group->observations += !place->is_fault;
	group->places[group->count++] = place;
}

/* Places come in the order in which they were fed, so a revisit comes after what it repeats. */
static void know_repeats(struct prn_feed *feed, struct prn_feed_place *place)
{
	if (!place->is_fault && !place->code && prn_repeats_take(feed->repeats, &place->copy.capture, &place->observation))
		place->code = prn_error_memory(&place->error);
}

void *prn_feed_run(void *argument)
{
	struct prn_feed *feed = argument;
	const struct prn_feed_group *group = &feed->group;
	enum prn_pipeline_next next;

	do {
		struct prn_pipeline_item *item;
		struct prn_feed_place *failed = NULL;
		bool alone;

		next = prn_pipeline_next(feed->pipeline, group->count ? &group->deadline : NULL, &item);
		if (next == PRN_PIPELINE_CANCELLED) {
			feed->code = prn_error_set(&feed->error, PRN_E_CANCELLED, "%s", prn_error_text(PRN_E_CANCELLED));
			break;
		}
		if (next == PRN_PIPELINE_ITEM)
			know_repeats(feed, (struct prn_feed_place *)item);
		if (next == PRN_PIPELINE_ITEM && ((struct prn_feed_place *)item)->code)
			failed = (struct prn_feed_place *)item;
		alone = next == PRN_PIPELINE_ITEM && has_many(feed, (struct prn_feed_place *)item);
		if (alone)
			perform(feed);
		if (next == PRN_PIPELINE_ITEM && !failed)
			add_to_group(feed, (struct prn_feed_place *)item);
		/* What came before a failure is kept. */
		if (!feed->code && (next != PRN_PIPELINE_ITEM || failed || alone ||
		                    group->count == feed->options.commit_most))
			perform(feed);
		if (failed && !feed->code) {
			feed->code = failed->code;
			feed->error = failed->error;
		}
	} while (next != PRN_PIPELINE_END && !feed->code);
	if (!feed->code && feed->decider->shards && !feed->options.commit)
		feed->code = prn_shards_settle(feed->decider, &feed->error);
	if (feed->code && !*feed->error.text)
		prn_error_set(&feed->error, feed->code, "%s", prn_error_text(feed->code));
	if (feed->code)
		prn_feed_cancel(feed);
	pthread_mutex_lock(&feed->lock);
	feed->is_over = true;
	pthread_cond_signal(&feed->over);
	pthread_mutex_unlock(&feed->lock);
	return NULL;
}
