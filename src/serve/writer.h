/*
 * Group commit by one thread that writes, or by several, each at another part of the store.  Any thread may hand in tasks.  They are
 * run one after another and committed together, and each is called back when its writing is durable.  While a commit waits for the
 * disk the next tasks gather, so a busy server commits larger groups and a quiet one answers at once, without a timer.
 *
 * The queue has a fixed capacity: a caller that finds it full is told so, and the tasks that wait take bounded memory.
 */
#ifndef SERVE_WRITER_H
#define SERVE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"

struct serve_writer;

/* The caller's; it must stay until done was called.  Embed it at the head of a larger struct. */
struct serve_task {
	struct serve_task *next; /* the writer's */
	int code;                /* the writer's */
	double since;            /* the writer's: when it was queued, by prn_monotonic */
	struct prn_error error;

	/*
	 * The part that the task writes to.  Tasks of one part are run and committed together; they may overtake tasks of other parts
	 * or run beside them.  0: the task may write to any part; it overtakes none, and none overtakes it.
	 */
	size_t part;

	/* Tells the lane, before the tasks of its group run, what run will read; may be NULL. */
	void (*expect)(void *lane, struct serve_task *task);

	/*
	 * Writes without committing.  A task of one part may run at the same time as tasks of other parts.  A negative code fails this
	 * task alone, and what it wrote is taken back.  If another process was faster, run is called once more, as if it had not been
	 * called before.  Its effects other than writes stay even if the commit fails, which done is told: a task with such effects
	 * judges by the code of its run.
	 */
	int (*run)(void *context, struct serve_task *task, struct prn_error *error);

	/*
	 * Called once, on the thread that writes its part, after the commit (code 0) or after run or the commit failed, with
	 * task->error filled.  The task is the caller's again.
	 */
	void (*done)(void *context, struct serve_task *task, int code);
};

struct serve_writer_options {
	size_t capacity; /* tasks queued, >= 1 */
	size_t group;    /* tasks in a commit, >= 1 */
	/*
	 * Several parts are written at the same time, by one thread for each lane; each thread keeps its own data in its lane.
	 * NULL: there is one thread, whose lane is context.
	 */
	void **lanes;
	size_t lane_count;

	/* The functions that follow are called for a lane, by its thread. */

	/* Called before the tasks of a part; the calls that follow are about that part.  An error fails them all.  NULL: there is one part */
	int (*enter)(void *lane, size_t part, struct prn_error *error);
	/* Called before and after the expect functions of a group's tasks; both may be NULL. */
	void (*begin)(void *lane);
	void (*gather)(void *lane);
	/* save is called before each task is run; restore, if the task failed, to take back what was written since save. */
	void (*save)(void *lane);
	void (*restore)(void *lane);
	/* Called when a task has failed, before restore; may be NULL. */
	void (*failed)(void *lane, int code, const struct prn_error *error);
	/* Whether anything waits for the commit: a task may have committed everything itself. */
	bool (*waits)(void *lane);
	/* Makes everything that waits durable; after a failure nothing of it has been written. */
	int (*commit)(void *lane, struct prn_error *error);
	/*
	 * Both NULL unless other processes write too.  commits returns how often something has ever become durable; again, whether
	 * work that ended with a code is to be done again: then nothing waits any more.
	 */
	uint64_t (*commits)(void *lane);
	bool (*again)(void *lane, int code, unsigned *tries);

	/* Called when a part's tasks are all done or failed; may be NULL. */
	void (*leave)(void *lane);

	/*
	 * leads tells whether changes in other parts follow from what a lane has committed; they must be durable before that is answered.
	 * settle makes them, on the thread of one lane while no other writes; its result is that of the tasks that waited for the commit.
	 * leads NULL: there are never such changes
	 */
	bool (*leads)(void *lane);
	int (*settle)(void *context, struct prn_error *error);
	void *context; /* for run, done and settle */
};

/* PRN_E_MEMORY */
int serve_writer_open(struct serve_writer **out, const struct serve_writer_options *options,
                      struct prn_error *error);

/*
 * Hands a task in; done will be called, perhaps before this returns.
 *
 * PRN_E_LIMIT		the queue is full
 * PRN_E_CANCELLED	the writer is stopping
 */
int serve_writer_submit(struct serve_writer *writer, struct serve_task *task);

/*
 * Hands a task that works in steps in once more, from its done.  Because it was taken before, the queue always has a place for
 * it, and a writer that is stopping finishes it.
 */
void serve_writer_again(struct serve_writer *writer, struct serve_task *task);

/* Hands a task in, waiting for a place if need be, and waits until it is done.  Returns its code, or PRN_E_CANCELLED. */
int serve_writer_perform(struct serve_writer *writer, struct serve_task *task);

/* Tasks waiting now. */
size_t serve_writer_depth(struct serve_writer *writer);

/*
 * Whether the writer has made progress since the last call set *seen (0 at first): no lane is at a group, or the oldest group
 * that a lane is at is another one.  False: a lane has been at the same group all the time.
 */
bool serve_writer_goes_on(struct serve_writer *writer, uint64_t *seen);

/* Takes no more tasks, finishes those that wait, and ends the thread; submit may still be called, and refuses. */
void serve_writer_stop(struct serve_writer *writer);
void serve_writer_free(struct serve_writer *writer);

#endif
