/*
 * The daemon's inside, shared by its routes.
 *
 * Threads: HTTP threads read requests and turn pages into observations; batch threads read uploads; only the writer's
 * thread changes what the decider knows.  For a store of several shards the writer has several threads, each at another shard.
 * A route that changes something makes a call: its run happens on the writer's thread, and it is answered when what it wrote
 * is durable.
 */
#ifndef SERVE_SERVICE_H
#define SERVE_SERVICE_H

#include <pthread.h>

#include "base/buffer.h"
#include "decide/wants.h"
#include "perennial/stats.h"
#include "perennial/due.h"
#include "perennial/explanation.h"
#include "perennial/observer.h"
#include "perennial/outcome.h"
#include "perennial/tuning.h"
#include "serve/admission.h"
#include "serve/batches.h"
#include "serve/daemon.h"
#include "serve/http.h"
#include "serve/keeping.h"
#include "serve/measures.h"
#include "serve/rate.h"
#include "serve/writer.h"

/* What belongs to one of the threads that write to shards at the same time; for a store without shards there is one. */
struct serve_lane {
	struct serve_daemon *daemon;
	struct prn_decider *writing;    /* the daemon's or, of several shards, the present one's; NULL: it could not be opened */
	size_t part;                    /* the part that it writes to: 0, or 1 + the shard's number */
	struct prn_decider_savepoint savepoint; /* before the task that runs */
	struct prn_wants wants;         /* what a group of tasks will read */
	uint64_t conflicts;             /* the conflicts of `writing` so far, when it was entered */
};

#define SERVE_LANES 16 /* so many, because they wait for disks most of the time */

struct serve_daemon {
	struct serve_daemon_options options;
	struct serve_admission admission;
	struct prn_decider *decider;
	struct serve_lane lanes[SERVE_LANES];
	void *lane_list[SERVE_LANES];
	bool is_shared;                 /* others write to the store */
	pthread_rwlock_t options_lock; /* held to explain outside the writer's thread, and to change options */
	struct prn_observer *observer;
	struct serve_family families[SERVE_MEASURES];
	struct serve_metrics *metrics;
	struct serve_rate observed, given; /* of the last minute */
	struct serve_writer *writer;
	struct serve_batches *batches;
	struct serve_http *http;
	_Atomic double lease_s;
	_Atomic uint32_t failing; /* bits of the shards whose last commit failed; 0: none */
	_Atomic int64_t failed_at; /* when a commit last failed */
	_Atomic int64_t probed_at; /* when the disk was last tried for whether it takes files again */
	_Atomic uint64_t answered;
	_Atomic bool damaged;      /* some request found the store damaged */
	struct serve_forgotten forgotten; /* while bodies are on their way */
	_Atomic int64_t unkept_at;   /* when a body that could not be kept was logged last */
	_Atomic int64_t logged_at;   /* when a failed request was logged last */
	_Atomic int64_t silent_at;   /* when it was logged last that the store does not answer; 0: it answers */
};

int64_t serve_now(const struct serve_daemon *daemon);

/* Whether the last write of some shard failed and the disk still takes no files, which is tried once a second. */
bool serve_is_failing(struct serve_daemon *daemon);

struct serve_call;

/* Does what is asked for, without committing, and appends the answer to call->out; as run of serve_task. */
typedef int serve_call_fn(void *context, struct serve_call *call, struct prn_error *error);

/* A request on its way through the writer.  Embed it at the head of a larger struct from malloc. */
struct serve_call {
	struct serve_task task;
	serve_call_fn *run;
	struct serve_daemon *daemon;
	struct serve_request *request;
	const char *type;      /* of the answer, static */
	int status;            /* of the answer; 0: 200 */
	bool again;            /* run has not done everything and is to be called once more, after other tasks that wait by then */
	struct prn_buffer out; /* the answer */
	struct serve_spool spooled; /* a long one, instead */
	void (*durable)(struct serve_call *call); /* on the writer's thread, after each commit of its own; may be
	                                           * NULL */
	void (*release)(struct serve_call *call); /* frees what the larger struct owns, not itself; may be NULL */
};

/*
 * Makes a call of size bytes, otherwise zeroed.  NULL: there is no memory, and the request has been answered so.
 */
void *serve_call_open(struct serve_daemon *daemon, struct serve_request *request, size_t size, const char *type,
                      serve_call_fn *run);

/* Parks the request, hands the call in, and sees to the answer (429 when the queue is full) and the freeing. */
void serve_call_submit(struct serve_call *call);

/* The part (writer.h) of a task about a page, by the page's normal URL. */
size_t serve_part(const struct serve_daemon *daemon, const char *normal_url);

/*
 * Called from expect of a task that will observe, add or release a page.  Does nothing if nobody else writes to the store.
 */
void serve_expect(struct serve_lane *lane, const struct prn_digest *key, const char *normal_url);
void serve_expect_url(struct serve_lane *lane, const char *url);

/* Frees a call that was not submitted; its request is still to be answered. */
void serve_call_free(struct serve_call *call);

/* 429 and 503, with Retry-After. */
void serve_refuse_busy(struct serve_request *request, const char *what);
void serve_refuse_stopping(struct serve_request *request);

/* prn_decider_stats now, from any thread. */
int serve_stats_take(struct serve_daemon *daemon, struct prn_stats *stats, struct prn_error *error);

/* Counts the outcome of an observation, once it is durable. */
void serve_count_outcome(struct serve_daemon *daemon, const struct prn_outcome *outcome);

#endif
