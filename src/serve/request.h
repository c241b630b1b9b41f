/*
 * One request, as a route's handler sees it, and the answer to it.
 *
 * A handler answers before it returns, or parks the request and answers later from any thread: a parked request
 * costs no thread.  Either way it answers exactly once, and does not touch the request afterwards.
 */
#ifndef SERVE_REQUEST_H
#define SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "perennial/error.h"
#include "serve/spool.h"

struct serve_request;

typedef void serve_handler_fn(void *context, struct serve_request *request);

/*
 * What is answered under a method and a path.  The table of routes is also what man/openapi.yaml is checked
 * against.
 */
struct serve_route {
	const char *method, *path;
	const char *name; /* one word: the operationId of openapi.yaml, the label in metrics */
	const char *const *parameters; /* of the query, ends with NULL; others are refused.  NULL: none */
	serve_handler_fn *handler;

	/*
	 * Returns how many bytes of body are accepted, by the request's headers and parameters; 0: its Content-Type is not
	 * accepted (415).  NULL: the route takes no body.
	 */
	uint64_t (*body_limit)(void *context, struct serve_request *request);
	/*
	 * Whether the handler undoes a Content-Encoding of this request (serve_request_decode).  NULL: none is taken
	 * (415).
	 */
	bool (*decodes)(struct serve_request *request);
	bool open;   /* asks for no token */
	bool linked; /* it only shows something, so links on pages of other sites may lead here */
};

/* A parameter of the query, decoded; "" for "?name" and "?name="; NULL if it is not given.  Valid until the answer. */
const char *serve_request_parameter(struct serve_request *request, const char *name);
const char *serve_request_header(struct serve_request *request, const char *name);

/* Whether it is a HEAD request, which is answered like a GET, except by a route that changes something. */
bool serve_request_is_head(const struct serve_request *request);

/* The body; see serve_spool_bytes.  PRN_E_IO */
int serve_request_body(struct serve_request *request, const unsigned char **bytes, size_t *length,
                       struct prn_error *error);

/* The body as a file, which stays the request's.  PRN_E_IO (disk full) */
int serve_request_body_file(struct serve_request *request, int *fd, struct prn_error *error);

/*
 * Replaces the body by its decoded form, without the codings of a Content-Encoding field.  It is cut at its limit, and *cut
 * tells whether it was; _body then returns the decoded body.
 *
 * PRN_E_INPUT, PRN_E_TRUNCATED, PRN_E_UNSUPPORTED	the coding is damaged, ends early, or is not supported
 * PRN_E_IO	there is no room for it
 * PRN_E_MEMORY
 */
int serve_request_decode(struct serve_request *request, const char *type, const char *encoding, bool *cut, struct prn_error *error);

/*
 * Reserves room for so many bytes in all in the folder of uploads, until the request is over, for its body and for an answer
 * that grows with it.  _held tells how many bytes it has.  Called by the thread that has the request.
 *
 * PRN_E_IO	there is no room; the text says whose bound it is
 * PRN_E_MEMORY
 */
int serve_request_hold(struct serve_request *request, uint64_t bytes, struct prn_error *error);
uint64_t serve_request_held(const struct serve_request *request);

/* Parks the request, if it is not parked yet: from now on it may be answered from any thread. */
void serve_request_park(struct serve_request *request);

/* The headers Allow, Retry-After, …: at most two, before the answer; static text. */
void serve_request_set_header(struct serve_request *request, const char *name, const char *value);

/* Answers.  The body is taken over: *body is empty afterwards.  type is static. */
void serve_request_answer(struct serve_request *request, int status, const char *type, struct prn_buffer *body);

/* Answers with the content of a spool, which is taken over: *spool is empty afterwards. */
void serve_request_answer_spool(struct serve_request *request, int status, const char *type,
                                struct serve_spool *spool);

/* Answers {"error": what} as printf prints it. */
void serve_request_refuse(struct serve_request *request, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Tells whoever runs the daemon of a failure (http.h). */
void serve_request_log(struct serve_request *request, const struct prn_error *error);

/*
 * Answers with an error's text, under the status that fits its code: 400, 404, 415, 503, 507 or 500.  PRN_E_LIMIT becomes 503,
 * so that the client tries again: it comes from a store that cannot grow while reads are open.  A request that exceeds a limit is
 * refused by its handler.
 */
void serve_request_fail(struct serve_request *request, const struct prn_error *error);

/* The same for PRN_E_MEMORY. */
void serve_request_fail_memory(struct serve_request *request);

#define SERVE_JSON "application/json"
#define SERVE_NDJSON "application/x-ndjson"

#endif
