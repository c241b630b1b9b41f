/*
 * Takes hints through the writer, whichever route they came by.  The thread that has the request reads them; then the writer takes
 * them in, a portion at a time, each durable by itself, so that others are served in between.
 */
#ifndef SERVE_HINTS_H
#define SERVE_HINTS_H

#include "perennial/hinting.h"
#include "serve/service.h"

/* Embed it at the head of a larger struct, as struct serve_call. */
struct serve_hints_call {
	struct serve_call call;
	struct prn_hinter hinter;    /* read is the route's to fill; the rest is what came of the hints so far */
	struct prn_buffer hints;     /* each a struct prn_hint, and the strings that it names by where they are here */
	size_t source;               /* where the last hint's source is */
	size_t taken;                /* bytes of hints that were taken in */
	size_t durable;              /* of these: before the last commit */
	size_t most;                 /* bytes that the hints may come to */
	uint64_t counted[PRN_HINTEDS]; /* by the metrics, with that commit */
	void (*release)(struct serve_hints_call *hints); /* frees what the larger struct owns, not itself; may be
	                                                  * NULL */
};

/* As serve_call_open; the answer is a count for each outcome. */
void *serve_hints_open(struct serve_daemon *daemon, struct serve_request *request, size_t size);

/*
 * Has read(hints) read the request's body of so many bytes and see to the answer: at once or, if the body is long, on a thread
 * for batches, so that no thread which takes requests is kept from its other connections.  If too many wait for those, the
 * request is answered and the call freed.
 */
void serve_hints_read(struct serve_hints_call *hints, size_t length, void (*read)(void *hints));

/*
 * A prn_hint_fn, context a struct serve_hints_call: copies a hint.  A failure is in hinter.error.
 *
 * PRN_E_LIMIT	the hints take more bytes than whole URLs in a body of that length could
 * PRN_E_MEMORY
 */
int serve_hints_add(void *context, const struct prn_hint *hint);

#endif
