/*
 * One batch while it is worked through.
 */
#ifndef SERVE_BATCH_INTERNAL_H
#define SERVE_BATCH_INTERNAL_H

#include <stdatomic.h>

#include "serve/service.h"
#include "serve/spool.h"

struct serve_batch {
	struct serve_daemon *daemon;
	struct serve_request *request;
	const atomic_bool *stopping; /* looked at between chunks */
	struct serve_spool answer;
	uint64_t body_held; /* what the request has of the room for uploads, beside the answer */
	uint64_t done; /* decisions in the answer */
	struct serve_watch watch; /* for pages that are forgotten before their bodies are kept */
	int code;      /* the first failure that ends the batch */
	struct prn_error error;
};

/* Each works through the request's body and fills answer, or code and error.  releases: the pages end their leases. */
void serve_batch_captures(struct serve_batch *batch);
void serve_batch_pages(struct serve_batch *batch, bool releases);

/*
 * Appends to the answer.  As soon as it is in a file it counts against the room for uploads, because a line of two bytes may be
 * answered with a hundred.
 *
 * PRN_E_IO	there is no room; the text says how much of the batch is done
 * PRN_E_MEMORY
 */
int serve_batch_append(struct serve_batch *batch, const void *bytes, size_t length, struct prn_error *error);

/* Appends lines to the answer, emptied afterwards; a failure ends the batch. */
void serve_batch_write(struct serve_batch *batch, struct prn_buffer *lines);

/* Ends the batch with a failure; a second one is not reported. */
void serve_batch_fail(struct serve_batch *batch, int code, const struct prn_error *error);

/* Ends the batch because the server does. */
void serve_batch_stopped(struct serve_batch *batch);

/* Whether to go on: nothing has failed, and the server is not stopping. */
bool serve_batch_goes_on(struct serve_batch *batch);

#endif
