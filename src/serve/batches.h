/*
 * Batches: uploads of many captures (WARC or JSON lines) to observe, or of many URLs to add or to release.  Threads of their own
 * work through them a chunk at a time, so that single requests are served in between.  Each line of the answer is a durable
 * decision.  These threads also do the long work of single requests, so that a thread which reads requests is never kept from its
 * other connections.
 */
#ifndef SERVE_BATCHES_H
#define SERVE_BATCHES_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"
#include "serve/request.h"

struct serve_daemon;
struct serve_batches;

enum serve_batch_kind {
	SERVE_BATCH_CAPTURES,
	SERVE_BATCH_PAGES,
	SERVE_BATCH_RELEASES,
};

#define SERVE_BATCHES_MOST 64 /* the most that wait or are under way; any more are answered 429 */

/* daemon is borrowed until _free; its writer must outlive the batches.  PRN_E_MEMORY */
int serve_batches_open(struct serve_batches **out, struct serve_daemon *daemon, unsigned threads,
                       struct prn_error *error);

/* Parks the request, whose body is the batch, and sees to its answer. */
void serve_batches_take(struct serve_batches *batches, struct serve_request *request, enum serve_batch_kind kind);

/*
 * Parks the request and has work(context) see to its answer, also while stopping.  False: work is not called, and the request is
 * answered already, because too many wait or there is no memory.
 */
bool serve_batches_run(struct serve_batches *batches, struct serve_request *request, void (*work)(void *context),
                       void *context);

size_t serve_batches_waiting(struct serve_batches *batches); /* taken and not answered */

/*
 * Ends each batch under way after its chunk and refuses those that wait, both with 503: what was taken is durable, and
 * the same batch may be sent again.
 */
void serve_batches_stop(struct serve_batches *batches);
void serve_batches_free(struct serve_batches *batches);

#endif
