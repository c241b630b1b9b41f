/*
 * A request's inside, shared by the server, which fills it, and the functions of request.h.
 */
#ifndef SERVE_HTTP_INTERNAL_H
#define SERVE_HTTP_INTERNAL_H

#include <stdatomic.h>

#include "serve/deadlines.h"
#include "serve/guard.h"
#include "serve/http.h"
#include "serve/library.h"
#include "base/monotonic.h"
#include "serve/quota.h"
#include "serve/spool.h"

#define SERVE_HEADERS 2

struct serve_request {
	struct serve_http *http;
	struct MHD_Connection *connection;
	struct serve_deadline *deadline;
	const struct serve_route *route; /* NULL: none */
	struct serve_spool upload;
	double begun; /* prn_monotonic */
	const char *method, *path; /* the library's, until the request ends */
	bool judged, dispatched, parked;
	bool refused; /* answered while its body came: the rest is read and dropped */
	char client[SERVE_CLIENT_BYTES]; /* who holds bytes of the quota */
	uint64_t held;
	const char *refusal; /* static: what is answered late */

	/* The answer: made by one thread, sent by the connection's. */
	struct MHD_Response *response;
	uint64_t response_bytes;
	int status;
	struct {
		const char *name, *value;
	} headers[SERVE_HEADERS];
	size_t header_count;
};

struct serve_http {
	struct serve_http_options options;
	struct serve_deadlines *deadlines;
	struct serve_guard *guard;
	struct serve_quota *quota;
	struct MHD_Daemon *daemon;
	int listening; /* the descriptor, which stays ours */
	atomic_bool draining;
	atomic_size_t under_way; /* requests between their head and their end */
};

/*
 * Goes through the checks that come before a body: answers, or parks to be answered late, and returns false, or true
 * to go on.
 */
bool serve_request_judge(struct serve_request *request);

/* Finds the route, or NULL; *known tells whether another method of the path has one. */
const struct serve_route *serve_request_route(const struct serve_request *request, bool *known);

/* The status that tells of an error. */
int serve_request_status(const struct prn_error *error);

#endif
