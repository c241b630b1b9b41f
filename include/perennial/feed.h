/*
 * The feed: captures go in, and durable decisions come out, in the order in which the captures went in.
 *
 * The caller hands in captures, one by one or by the source, and goes on reading; threads read the bodies; a thread of the
 * feed's own stages the observations that they made, in groups, makes each group durable, and delivers it.  Memory is
 * bounded: when too much is under way, the feeding call waits, and reads bodies meanwhile.  A feed can be cancelled and freed
 * at any time.
 *
 * A revisit of a capture that came before it and told the same payload digest has that content (the latest 65,536 are known, about);
 * prn_decider_observe says what others are.
 *
 *	prn_feed_options_init(&options);
 *	options.deliver = print;
 *	prn_feed_open(&feed, decider, &options, &error);
 *	prn_feed_watch(feed, &source_options);
 *	prn_source_open(&source, "crawl.warc.gz", &source_options, &error);
 *	prn_feed_source(feed, source, &error);
 *	prn_feed_finish(feed, &error);
 *	prn_feed_free(feed);
 *	prn_source_free(source);
 *
 * Between _open and _finish the feed's thread is the decider's writer (decider.h), unless options.commit sees to that.
 */
#ifndef PERENNIAL_FEED_H
#define PERENNIAL_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/decider.h"
#include "perennial/error.h"
#include "perennial/observation.h"
#include "perennial/observer.h"
#include "perennial/outcome.h"
#include "perennial/source.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prn_feed;

/* What became of one thing that was fed.  Valid only during the call that delivers it. */
struct prn_fed {
	const struct prn_observation *observation; /* NULL: there was nothing to decide, and fault says why */
	struct prn_outcome outcome;                /* of the observation: durable, or a refusal; never STALE */
	const struct prn_error *fault;             /* such as a record that was skipped; or NULL */
	const struct prn_capture *capture;         /* of the observation, with its body, where options.bodies is set; else NULL */
	bool lost; /* fault: it was not taken, since a shard is damaged or gone, and may be taken when that is mended */
};

/* Finished observations that become durable together, or not at all. */
struct prn_feed_group;

#define PRN_FEED_COMMIT_MOST 100000 /* the largest commit_most */
#define PRN_FEED_THREADS_MOST 1024

struct prn_feed_options {
	size_t threads;       /* at most PRN_FEED_THREADS_MOST; that read bodies, beside the one that feeds; 0: all processors */
	size_t commit_most;   /* captures in a group, 1 … PRN_FEED_COMMIT_MOST; about 4 kB of memory each */
	double commit_wait_s; /* how long the first of a group waits for others to come, > 0; INFINITY: until it is full.
	                       * Measured by a clock that only goes on (CLOCK_MONOTONIC), not by now */
	size_t bytes_most;    /* of bodies under way, one at a time where it is larger than that, or this is 0 */

	bool has_time;
	int64_t time; /* if has_time: of every capture, whatever it says */

	bool bodies; /* who takes what has become durable wants the bodies: they stay under way until then */

	struct prn_observer *observer; /* of the same decider, borrowed; NULL: the feed has one of its own */

	/*
	 * Returns the present time, for captures without a time (PRN_TIME_UNKNOWN) and for prn_decider_observe; called by the
	 * thread that feeds and by the one that stages.  NULL: every capture's own time.
	 */
	int64_t (*now)(void *context);

	/*
	 * Takes what has become durable: count things in the order in which they were fed, on the feed's thread.  A negative
	 * code ends the feed.  NULL: nothing is delivered.
	 */
	int (*deliver)(void *context, const struct prn_fed *fed, size_t count, struct prn_error *error);

	/*
	 * Makes a group durable before it returns: calls prn_feed_stage on the thread that writes, and commits.  A negative
	 * code says that nothing of the group is staged any more, and ends the feed.  Called on the feed's thread.  NULL:
	 * that thread is the decider's writer, and commits each group.
	 */
	int (*commit)(void *context, struct prn_feed_group *group, struct prn_error *error);

	/*
	 * Called by the thread that feeds, now and then, also within a source and while _finish waits: true cancels.  NULL:
	 * the feed is not cancelled in this way.
	 */
	bool (*cancelled)(void *context);

	void *context; /* of all these; borrowed until _free */
};

/*
 * All processors; 4000; 0.05 s; 64 MiB; the rest all zero.  Larger groups write less, as pages of the file and
 * records of hosts are written once for all of a group; but where several write to one store (prn_store_is_shared) the
 * whole of a group is decided again when another was faster.
 */
void prn_feed_options_init(struct prn_feed_options *options);

/*
 * The decider is borrowed until _free.  options may be NULL: those of prn_feed_options_init.
 *
 * PRN_E_ARGUMENT	an option is outside its range, the text says which; or the store is open for reading
 * PRN_E_VERSION	the store's fragments are of an older rule (prn_decider_take_rule)
 * PRN_E_IO	the system gives no descriptor
 * PRN_E_MEMORY	also where it gives no thread
 */
int prn_feed_open(struct prn_feed **out, struct prn_decider *decider, const struct prn_feed_options *options,
                  struct prn_error *error);

/*
 * Hands a capture in, which is copied.  Called, as is what follows until _finish, by one thread at a time.
 *
 * PRN_E_CANCELLED	the feed takes nothing more: it was cancelled, or has failed, and _finish says why
 * PRN_E_ARGUMENT		the capture is none that prn_observation_make takes; or the time is outside the years 1 to 9999, or is not
 *			known, and there is no now.  Not taken
 * PRN_E_MEMORY		not taken
 */
int prn_feed_capture(struct prn_feed *feed, const struct prn_capture *capture, struct prn_error *error);

/* A prn_skipped_fn: hands in a fault, to be delivered in the place of the thing that has it.  context is the feed. */
void prn_feed_fault(void *context, const struct prn_error *what);

/*
 * Sets, in the options of a source that is to be opened, what connects it to the feed: what it skips becomes faults of the
 * feed; and when the feed is cancelled or fails, the source ends, also while it waits for input.
 */
void prn_feed_watch(struct prn_feed *feed, struct prn_source_options *options);

/*
 * Hands in all that the source has: 0 at its end.  What came before an error is fed; the caller tells of an error of the
 * source, by prn_feed_fault for instance, and may go on with another one.
 *
 * Errors of prn_feed_capture and of prn_source_next
 */
int prn_feed_source(struct prn_feed *feed, struct prn_source *source, struct prn_error *error);

/*
 * Waits until all that was fed is durable and delivered.  Afterwards the decider is the caller's, and the feed can only be
 * freed.  What was delivered is durable whatever this returns, and nothing else is, except for a group whose delivery failed;
 * nothing of the feed is left staged.
 *
 * PRN_E_CANCELLED
 * PRN_E_ARGUMENT	deliver or commit returned what is neither 0 nor negative
 * Errors of prn_observer_decide and prn_decider_commit, and what deliver and commit returned
 */
int prn_feed_finish(struct prn_feed *feed, struct prn_error *error);

/* From any thread, but not from a signal handler: what is not durable yet is dropped, and whoever waits is woken. */
void prn_feed_cancel(struct prn_feed *feed);

/* Cancels it if it was not finished; waits for its threads, so for a commit or delivery under way.  NULL is fine. */
void prn_feed_free(struct prn_feed *feed);

/*
 * For options.commit: stages the group's observations in their order.  It stops at one that fails: those before it are to be
 * committed and will be delivered, and then the feed ends with that failure.  May be called again when what it staged was
 * taken back.
 *
 * In a store of several shards it makes them durable itself, after what was staged before.
 *
 * PRN_E_CONFLICT	of a store that is shared (prn_decider_again): nothing that it staged is to be committed
 * Errors of commits, of a store of several shards
 */
int prn_feed_stage(struct prn_feed_group *group, struct prn_error *error);

#ifdef __cplusplus
}
#endif

#endif
