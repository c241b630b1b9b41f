/*
 * One thread that writes, or one for each of several parts at a time, and group commit: tasks are handed in by any
 * thread, run one after another, and committed together; each is called back when its writing is durable.  While a commit waits for the disk the next
 * tasks gather, so a busy server commits larger groups and a quiet one answers at once, without a timer.
 *
 * The queue has a fixed capacity: who finds it full is told, and nobody waits in memory without bound.
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
	double since;            /* the writer's: it waits, by prn_monotonic */
	struct prn_error error;

	/*
	 * Which part of what is written it writes to: tasks of one part are run and committed together, and apart from those of
	 * others, which they may overtake or go beside.  0: to any; it overtakes none, and none overtakes it.
	 */
	size_t part;

	/* Says what run will read, to its lane, before the tasks of its group run; may be NULL. */
	void (*expect)(void *lane, struct serve_task *task);

	/*
	 * Writes, uncommitted; beside tasks of other parts, if it is of one.  A negative code fails this task alone: what it wrote is taken back.  Where another
	 * process was faster it is called once more, as if it had not been called before.  What it does beside
	 * writing stays also when the commit fails, of which done is told: a task with such effects judges by the
	 * code of its run.
	 */
	int (*run)(void *context, struct serve_task *task, struct prn_error *error);

	/*
	 * Called once, on the writer's thread of its part, after the commit (code 0) or the failure of run or of the commit,
	 * with task->error filled.  The task is the caller's again.
	 */
	void (*done)(void *context, struct serve_task *task, int code);
};

struct serve_writer_options {
	size_t capacity; /* tasks queued, >= 1 */
	size_t group;    /* tasks in a commit, >= 1 */
	/*
	 * Parts are written to at the same time, by as many threads as there are lanes, each of which has one of these for what
	 * is its own.  NULL: by one, whose lane is context.
	 */
	void **lanes;
	size_t lane_count;

	/* What follows is about a lane, and called by its thread. */

	/* Before the tasks of a part: what follows is about that.  What it returns is what comes of them.  NULL: there is one part */
	int (*enter)(void *lane, size_t part, struct prn_error *error);
	/* Before the tasks of a group are told to expect that they run, and after; both may be NULL. */
	void (*begin)(void *lane);
	void (*gather)(void *lane);
	/* Before each task is run, and when it failed: takes back what was written since save. */
	void (*save)(void *lane);
	void (*restore)(void *lane);
	/* When a task failed, before restore; may be NULL. */
	void (*failed)(void *lane, int code, const struct prn_error *error);
	/* Whether anything waits for the commit: a task may have committed all there was, its own included. */
	bool (*waits)(void *lane);
	/* Makes all that waits durable; on failure none of it happened. */
	int (*commit)(void *lane, struct prn_error *error);
	/*
	 * Where other processes write too, else NULL: how often something became durable, ever; and whether what
	 * ended with a code is to be done again: then nothing waits any more.
	 */
	uint64_t (*commits)(void *lane);
	bool (*again)(void *lane, int code, unsigned *tries);

	/* When a part's tasks are all done or failed; may be NULL. */
	void (*leave)(void *lane);

	/*
	 * Whether something in other parts follows from what a lane has committed, and is to be durable before that is answered; and
	 * sees to it, by the thread of one lane while no other writes.  What it returns is what comes of the tasks that waited for the
	 * commit.  leads NULL: never
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
 * Hands a task in once more, from its done: one that does its work in parts.  It was taken before, so the queue has a
 * place for it, and a writer that is stopping finishes it.
 */
void serve_writer_again(struct serve_writer *writer, struct serve_task *task);

/* Hands a task in, waiting for a place if need be, and waits until it is done.  Its code, or PRN_E_CANCELLED. */
int serve_writer_perform(struct serve_writer *writer, struct serve_task *task);

/* Tasks waiting now. */
size_t serve_writer_depth(struct serve_writer *writer);

/*
 * Whether no lane is at a group, or the oldest group that one is at is another than when *seen was set by the last call;
 * 0 at first.  False: a lane has been at the same group all the time.
 */
bool serve_writer_goes_on(struct serve_writer *writer, uint64_t *seen);

/* Takes no more tasks, finishes those that wait, and ends the thread; submit may still be called, and refuses. */
void serve_writer_stop(struct serve_writer *writer);
void serve_writer_free(struct serve_writer *writer);

#endif
